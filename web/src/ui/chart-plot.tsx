/** The picture of a chart, drawn by uPlot in the colours, numbers and times of the page it stands on. */

import { useLayoutEffect, useRef, useState } from "react";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { type Formats, useFormats } from "../texts/formats.ts";
import type { ChartPoint, ChartProps } from "./chart.tsx";
import style from "./chart-plot.module.css";
import { readColours, useThemeChanges } from "./chart-theme.ts";

const HEIGHT_PX = 220;
const LABEL_GAP_PX = 84;
const TIME_AXIS_PX = 28;
/** However little there is to show yet. */
const LEAST_SPAN_S = 60;
const STEPS = [1, 2, 5]
  .flatMap((digit) => [1, 10, 100, 1000, 10_000].map((size) => digit * size))
  .sort((a, b) => a - b);
/** For who wants less motion the picture moves on in such steps instead of every second. */
const CALM_STEP_S = 60;

type PlotProps = ChartProps & { onPoint: (index: number | undefined) => void };

export function ChartPlot({ points, lines, spanMs, zone, onPoint }: PlotProps) {
  const host = useRef<HTMLDivElement>(null);
  const [plot, setPlot] = useState<uPlot | undefined>();
  const theme = useThemeChanges();
  const formats = useFormats();
  const latest = useRef({ points, formats, onPoint });
  latest.current = { points, formats, onPoint };
  const names = lines.map(({ name, tone }) => `${tone} ${name}`).join("\n");

  // biome-ignore lint/correctness/useExhaustiveDependencies: `theme` and `names` stand for what is read from the page.
  useLayoutEffect(() => {
    if (!host.current) return;
    const options = optionsOf(host.current, { lines, spanMs, zone, latest: () => latest.current });
    const made = new uPlot(options, dataOf(latest.current.points, lines.length), host.current);
    setPlot(made);
    const resized = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0 && width !== made.width) made.setSize({ width, height: HEIGHT_PX });
    });
    resized.observe(host.current);
    return () => {
      resized.disconnect();
      made.destroy();
    };
  }, [theme, names, spanMs, zone]);

  useLayoutEffect(() => {
    plot?.setData(dataOf(points, lines.length));
  }, [plot, points, lines.length]);

  return <div ref={host} className={style.host} />;
}

type Wiring = Pick<PlotProps, "lines" | "spanMs" | "zone"> & {
  latest: () => { formats: Formats; onPoint: PlotProps["onPoint"] };
};

function optionsOf(host: HTMLElement, { lines, spanMs, zone, latest }: Wiring): uPlot.Options {
  const colours = readColours(host);
  const font = `12px ${getComputedStyle(host).fontFamily}`;
  const axis = { stroke: colours.softInk, font, ticks: { show: false } };
  return {
    width: Math.max(host.clientWidth, 1),
    height: HEIGHT_PX,
    legend: { show: false },
    // Colours and times are the page's own; dragging on a phone must scroll it.
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 8 } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), zone),
    scales: {
      x: { range: ({ data: [times] }) => spanOf(times[0], times.at(-1), spanMs / 1000) },
      y: { range: (_, __, max) => [0, top(max)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: LABEL_GAP_PX,
        size: TIME_AXIS_PX,
        values: (_, splits, __, ___, stepS) =>
          splits.map((at) => latest().formats[stepS < 60 ? "clock" : "hour"](at * 1000, zone)),
      },
      {
        ...axis,
        incrs: STEPS,
        grid: { stroke: colours.line, width: 1 },
        size: (_, values) => 16 + 8 * Math.max(2, ...(values ?? []).map((value) => value.length)),
        values: (_, splits) => splits.map((value) => latest().formats.number(value)),
      },
    ],
    series: [
      {},
      ...lines.map(({ tone }) => ({
        stroke: colours[tone],
        width: 2,
        ...(tone === "accent" && { fill: colours.wash }),
        ...(tone === "soft" && { dash: [5, 4] }),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => latest().onPoint(cursor.idx ?? undefined)] },
  };
}

/** Some room above the highest point, and never so little that one entry looks like a flood. */
const top = (max: number | null): number => Math.max(5, Math.ceil((max ?? 0) * 1.15));

/** From the first point on, until the whole span is full and moves along. */
function spanOf(first: number | undefined, newest: number | undefined, spanS: number): [number, number] {
  const last = newest ?? Date.now() / 1000;
  const lengthS = Math.min(spanS, Math.max(LEAST_SPAN_S, last - (first ?? last)));
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const end = isCalm ? Math.ceil(last / CALM_STEP_S) * CALM_STEP_S : last;
  return [end - lengthS, end];
}

function dataOf(points: ChartPoint[], lines: number): uPlot.AlignedData {
  return [
    points.map(({ at }) => at / 1000),
    ...Array.from({ length: lines }, (_, i) => points.map(({ values }) => values[i] ?? null)),
  ];
}
