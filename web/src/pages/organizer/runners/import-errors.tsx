/** What is wrong in a file, shown at its rows: the wrong cell marked, a row before and after it. */

import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { ApiProblem } from "../../../api/call.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { classes } from "../../../ui/classes.ts";
import { Trouble } from "../../../ui/states.tsx";
import type { CsvRow } from "./csv-rows.ts";
import style from "./import-dialog.module.css";
import {
  type MarkedRow,
  markRows,
  type RowError,
  rowErrorsOf,
  SHOWN_ERRORS,
  unknownColumns,
} from "./import-problem.ts";

export function ImportErrors({ file, error }: { file: Blob; error: unknown }) {
  const { t } = useTexts("organizer");
  const { data: text } = useQuery({
    queryKey: ["file", file.size, file],
    queryFn: () => file.text(),
    gcTime: 0,
    retry: false,
  });
  const wrong = rowErrorsOf(error);
  if (!wrong) {
    return (
      <>
        <Trouble error={error} />
        {text !== undefined && error instanceof ApiProblem && <Header text={text} code={error.code} />}
      </>
    );
  }
  return (
    <>
      <p className={style.warning} role="alert">
        {t("runners.badRows", { count: wrong.errorCount })}
      </p>
      {text !== undefined && <WrongRows {...markRows(text, wrong.errors)} />}
      {wrong.errorCount > SHOWN_ERRORS && (
        <p className={style.about}>{t("runners.moreErrors", { count: wrong.errorCount - SHOWN_ERRORS })}</p>
      )}
    </>
  );
}

/** The file's first line, where that is what is wrong. */
function Header({ text, code }: { text: string; code: string }) {
  const { t } = useTexts("organizer");
  const found = code === "csv.unknown-column" ? unknownColumns(text) : undefined;
  if (!found) return null;
  const row = { ...found.header, wrongCells: found.unknown, errors: [] };
  return <WrongRows header={undefined} rows={[row]} caption={t("runners.firstLine")} />;
}

type WrongRowsProps = { header: CsvRow | undefined; rows: MarkedRow[]; caption?: string };

function WrongRows({ header, rows, caption }: WrongRowsProps) {
  const { t } = useTexts("organizer");
  const width = Math.max(...[header, ...rows].map((row) => row?.cells.length ?? 0));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className={style.scroll} aria-label={t("runners.wrongRows")} tabIndex={0}>
      <table className={style.table}>
        <caption>{caption ?? t("runners.wrongRows")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("runners.line")}</th>
            {header?.cells.map((cell, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move.
              <th key={place} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.line} row={row} width={width} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row, width }: { row: MarkedRow; width: number }) {
  const { line, cells, wrongCells, errors } = row;
  const isWrong = errors.length > 0 || wrongCells.size > 0;
  return (
    <Fragment>
      <tr className={isWrong ? style.wrongRow : style.around}>
        <th scope="row" className={style.line}>
          {line}
        </th>
        {cells.map((cell, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: cells do not move.
          <td key={place} className={classes(wrongCells.has(place) && style.wrongCell)}>
            {wrongCells.has(place) ? <mark className={style.mark}>{cell || "–"}</mark> : cell}
          </td>
        ))}
        {cells.length < width && <td colSpan={width - cells.length} />}
      </tr>
      {errors.length > 0 && (
        <tr className={style.why}>
          <td />
          <td colSpan={width}>
            <ul className={style.reasons}>
              {errors.map((error, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: reasons do not move.
                <li key={place}>
                  <ErrorText error={error} />
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function ErrorText({ error }: { error: RowError }) {
  const { t } = useTexts("organizer");
  switch (error.code) {
    case "row.bib-missing":
      return t("runners.reasons.missing");
    case "row.bib-repeated":
      return t("runners.reasons.repeated", { bib: error.bib, line: error.firstLine });
    case "row.value":
      return t(`runners.reasons.${error.field}`);
    case "row.cells":
      return t("runners.reasons.cells", { cells: error.cells, header: error.columns });
    case "row.quote-open":
      return t("runners.reasons.quote", { from: error.line, to: error.lastLine });
  }
}
