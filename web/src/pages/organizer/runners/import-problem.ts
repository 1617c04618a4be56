/** What the server found wrong in a file, put beside the rows of the file itself. */

import { ApiProblem } from "../../../api/call.ts";
import { type CsvRow, readCsvRows } from "./csv-rows.ts";
import { type ColumnField, fieldOf } from "./file-columns.ts";

/** As the server tells it, with a code so that it can be said in the reader's language. */
export type RowError = { line: number; column?: string; reason: string } & (
  | { code: "row.bib-missing" }
  | { code: "row.bib-repeated"; bib: string; firstLine: number }
  | { code: "row.value"; field: ColumnField }
  | { code: "row.cells"; cells: number; columns: number }
  | { code: "row.quote-open"; lastLine: number }
);
/** A row to show: which of its cells are wrong, and why; none are in the rows around it. */
export type MarkedRow = CsvRow & { wrongCells: Set<number>; errors: RowError[] };

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
    return { ...row, wrongCells, errors: own };
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

/** A heading as the server quotes it. */
function quoted(cell: string): string {
  const text = cell.trim().replace(/\p{Cc}+/gu, " ");
  return text.length > QUOTED_CHARACTERS ? `${text.slice(0, QUOTED_CHARACTERS)}…` : text;
}
