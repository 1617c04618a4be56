/** What is wrong in a file, shown at its rows: the wrong cell marked, a row before and after it. */

import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { ApiProblem } from "../../../api/call.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { classes } from "../../../ui/classes.ts";
import { Trouble } from "../../../ui/states.tsx";
import type { CsvRow } from "./csv-rows.ts";
import style from "./import-dialog.module.css";
import { type MarkedRow, markRows, type Reason, rowErrorsOf, SHOWN_ERRORS, unknownColumns } from "./import-problem.ts";

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
  const row = { ...found.header, wrongCells: found.unknown, isWrong: true, reasons: [] };
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
  const { line, cells, wrongCells, isWrong, reasons } = row;
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
      {reasons.length > 0 && (
        <tr className={style.why}>
          <td />
          <td colSpan={width}>
            <ul className={style.reasons}>
              {reasons.map((reason, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: reasons do not move.
                <li key={place}>
                  <ReasonText reason={reason} />
                </li>
              ))}
            </ul>
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function ReasonText({ reason }: { reason: Reason }) {
  const { t } = useTexts("organizer");
  if (reason.kind === "other") return reason.text;
  if (reason.kind === "field") return t(`runners.reasons.${reason.field}`);
  if (reason.kind === "repeated") return t("runners.reasons.repeated", { bib: reason.bib, line: reason.line });
  if (reason.kind === "cells") return t("runners.reasons.cells", { cells: reason.cells, header: reason.header });
  return t("runners.reasons.missing");
}
