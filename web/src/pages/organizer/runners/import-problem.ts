/** What the server found wrong in a file, put beside the rows of the file itself. */

import { ApiProblem } from "../../../api/call.ts";
import { type CsvRow, readCsvRows } from "./csv-rows.ts";
import { type ColumnField, fieldOf } from "./file-columns.ts";

type RowError = { line: number; column?: string; reason: string };
/** A row to show: which of its cells are wrong, and why; none are in the rows around it. */
export type MarkedRow = CsvRow & { wrongCells: Set<number>; isWrong: boolean; reasons: Reason[] };
export type Reason =
  | { kind: "repeated"; bib: string; line: string }
  | { kind: "missing" }
  | { kind: "cells"; cells: string; header: string }
  | { kind: "field"; field: ColumnField }
  | { kind: "other"; text: string };

export const SHOWN_ERRORS = 100;
const AROUND = 1;
const QUOTED_CHARACTERS = 40;

export function rowErrorsOf(error: unknown): { errors: RowError[]; errorCount: number } | undefined {
  if (!(error instanceof ApiProblem) || error.code !== "runners.bad-rows") return undefined;
  const { errors, errorCount } = error.problem as unknown as { errors: RowError[]; errorCount: number };
  return { errors, errorCount };
}

/** The header, and each wrong row with the one before and after it. */
export function markRows(text: string, all: RowError[]): { header: CsvRow | undefined; rows: MarkedRow[] } {
  const errors = all.slice(0, SHOWN_ERRORS);
  const lines = new Set(errors.flatMap(({ line }) => [line - AROUND, line, line + AROUND]));
  const last = Math.max(0, ...lines);
  const { header, rows } = readCsvRows(text, (line) => lines.has(line), last);
  const headings = header?.cells.map(quoted) ?? [];
  const marked = rows.map((row) => {
    const own = errors.filter(({ line }) => line === row.line);
    const wrongCells = new Set(own.flatMap(({ column }) => (column === undefined ? [] : headings.indexOf(column))));
    return { ...row, wrongCells, isWrong: own.length > 0, reasons: own.map(reasonOf) };
  });
  return { header, rows: marked };
}

/** The places of the columns that the server does not know, where that is what it complains about. */
export function unknownColumns(text: string): { header: CsvRow; unknown: Set<number> } | undefined {
  const { header } = readCsvRows(text, () => false, 0);
  if (!header) return undefined;
  const unknown = header.cells.flatMap((cell, place) => (fieldOf(cell) ? [] : [place]));
  return { header, unknown: new Set(unknown) };
}

/** What the sentence says, so that it can be said in the reader's language. */
function reasonOf({ column, reason }: RowError): Reason {
  const [, bib = "", line = ""] = /^Bib (.+) is also on line (\d+)\.$/.exec(reason) ?? [];
  if (bib) return { kind: "repeated", bib, line };
  if (reason === "The bib is missing.") return { kind: "missing" };
  const [, cells = "", header = ""] = /^The row has (\d+) cells, the header has (\d+)\.$/.exec(reason) ?? [];
  if (cells) return { kind: "cells", cells, header };
  const field = column === undefined ? undefined : fieldOf(column);
  return field ? { kind: "field", field } : { kind: "other", text: reason };
}

/** A heading as the server quotes it. */
function quoted(cell: string): string {
  const text = cell.trim().replace(/\p{Cc}+/gu, " ");
  return text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text;
}
