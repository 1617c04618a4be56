/** Numbers over time as lines, with the latest or the pointed-at values in words, and the same numbers as a table behind them. */

import { ChartLine as ChartIcon, Table2 } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { useFormats } from "../texts/formats.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { Button } from "./button.tsx";
import style from "./chart.module.css";
import { classes } from "./classes.ts";
import { DataTable } from "./data-table.tsx";

const ChartPlot = lazy(() => import("./chart-plot.tsx").then((file) => ({ default: file.ChartPlot })));

/** `at` in milliseconds since 1970; a value that is not known breaks its line. */
export type ChartPoint = { at: number; values: (number | null)[] };
type Line = { name: string; tone: "accent" | "soft" };

export type ChartProps = {
  title: string;
  /** What the picture shows, for who does not see it. */
  summary: string;
  lines: Line[];
  points: ChartPoint[];
  /** How much of the time before the last point is shown. */
  spanMs: number;
  /** The event's time zone. */
  zone: string;
  note?: ReactNode;
};

export function Chart(props: ChartProps) {
  const { t } = useTexts();
  const [asTable, setAsTable] = useState(false);
  const [pointedAt, setPointedAt] = useState<number | undefined>();
  const { title, summary, note, points } = props;
  const point = (pointedAt === undefined ? undefined : points[pointedAt]) ?? points.at(-1);
  return (
    <div className={style.chart}>
      <div className={style.top}>
        <h3>{title}</h3>
        <Button
          look="quiet"
          size="small"
          icon={asTable ? <ChartIcon aria-hidden /> : <Table2 aria-hidden />}
          onClick={() => setAsTable(!asTable)}
        >
          {asTable ? t("chart.picture") : t("chart.table")}
        </Button>
      </div>
      {asTable ? (
        <ChartTable {...props} />
      ) : (
        <>
          <Legend {...props} point={point} />
          <div role="img" aria-label={`${title}. ${summary}`} className={style.plot}>
            <Suspense fallback={null}>
              <ChartPlot {...props} onPoint={setPointedAt} />
            </Suspense>
          </div>
        </>
      )}
      {note && <p className={style.note}>{note}</p>}
    </div>
  );
}

/** What colours mean is written beside them, with the value at that moment. */
function Legend({ lines, zone, point }: ChartProps & { point: ChartPoint | undefined }) {
  const formats = useFormats();
  return (
    <p className={style.legend} aria-hidden>
      {lines.map(({ name, tone }, i) => (
        <span key={name}>
          <i className={classes(style.mark, style[tone])} />
          {name} <b>{formatValue(point?.values[i], formats.number)}</b>
        </span>
      ))}
      {point && <span className={style.when}>{formats.clock(point.at, zone)}</span>}
    </p>
  );
}

function ChartTable({ title, lines, points, zone }: ChartProps) {
  const { t } = useTexts();
  const formats = useFormats();
  return (
    <div className={style.table}>
      <DataTable
        caption={title}
        columns={[
          { name: t("chart.time"), cell: ({ at }) => formats.clock(at, zone) },
          ...lines.map(({ name }, i) => ({
            name,
            cell: ({ values }: ChartPoint) => formatValue(values[i], formats.number),
            figures: true,
          })),
        ]}
        rows={points.filter(({ values }) => values.some((value) => value !== null)).toReversed()}
        keyOf={({ at }) => String(at)}
      />
    </div>
  );
}

function formatValue(value: number | null | undefined, number: (value: number) => string): string {
  return value === null || value === undefined ? "–" : number(value);
}
