/** Reads a runners' CSV file as it comes in: the rows that can be imported, and a sentence for each that can't. */

import { Problem } from "../../platform/problem.ts";
import { fromSafeText } from "../../platform/safe-cell.ts";
import { type CsvRecord, readCsvRecords } from "./csv-records.ts";
import { readCsvText } from "./csv-text.ts";
import { type Runner, RunnerFields } from "./runner.ts";
import { readTimingResult } from "./runner-csv-cells.ts";
import { type Column, readHeader, shown } from "./runner-csv-columns.ts";

/** Has the fields of the file's columns only: what has no column stays as it is, an empty cell is null. */
export type RunnerRow = { line: number; bib: string } & Partial<Runner>;
/** What is wrong: `reason` says it to people, the code and what stands beside it to programs that say it in their own words. */
type Wrong = { reason: string } & (
  | { code: "row.bib-missing" }
  | { code: "row.bib-repeated"; bib: string; firstLine: number }
  | { code: "row.value"; field: keyof Runner }
  | { code: "row.cells"; cells: number; columns: number }
  | { code: "row.quote-open"; lastLine: number }
);
export type RowError = { line: number; column?: string } & Wrong;

/** `errors` are the first ones of `errorCount`. */
export type RunnerFile = { columns: (keyof Runner)[]; rows: RunnerRow[]; errors: RowError[]; errorCount: number };

const LIMITS = { maxBytes: 64 * 2 ** 20, maxRows: 200_000 };
const MAX_ERRORS = 1000;

type Reading = { columns: Column[]; file: RunnerFile; rowCount: number; lineOfBib: Map<string, number> };

/** Throws a Problem when the file as a whole can't be read. */
export async function readRunnerCsv(
  bytes: AsyncIterable<Uint8Array>,
  limits: { maxBytes: number; maxRows: number } = LIMITS,
): Promise<RunnerFile> {
  let reading: Reading | undefined;
  await readCsvRecords(readCsvText(bytes, limits.maxBytes), (record) => {
    // Spreadsheets write their empty rows as ",,,".
    if (record.cells.every((cell) => cell.trim() === "")) return;
    if (reading === undefined) reading = startReading(record);
    else if (reading.rowCount === limits.maxRows) throw tooManyRows(limits.maxRows);
    else takeRow(reading, record);
  });
  if (reading === undefined || reading.rowCount === 0) {
    throw new Problem(
      "invalid",
      "csv.empty",
      "The file has no runners. Give a header line and a line for each runner.",
    );
  }
  return reading.file;
}

function startReading(header: CsvRecord): Reading {
  const columns = readHeader(header.cells);
  const fields = columns.map(({ field }) => field);
  return { columns, file: { columns: fields, rows: [], errors: [], errorCount: 0 }, rowCount: 0, lineOfBib: new Map() };
}

function takeRow(reading: Reading, record: CsvRecord): void {
  reading.rowCount++;
  const broken = brokenShape(record, reading.columns.length);
  if (broken) {
    fail(reading, { line: record.line, ...broken });
    return;
  }
  const row = readRow(reading, record);
  if (row) reading.file.rows.push(row);
}

/** Tells all that is wrong with the row, not only the first. */
function readRow(reading: Reading, { line, cells }: CsvRecord): RunnerRow | undefined {
  const row: { [field: string]: unknown } = { line };
  const { errorCount } = reading.file;
  for (const [position, column] of reading.columns.entries()) {
    const { value, wrong } = readCell(column, cells[position] ?? "");
    const found = wrong ?? (column.field === "bib" ? repeatedBib(reading, String(value), line) : undefined);
    if (found) fail(reading, { line, column: column.heading, ...found });
    row[column.field] = value;
  }
  return reading.file.errorCount === errorCount ? (row as RunnerRow) : undefined;
}

function repeatedBib({ lineOfBib }: Reading, bib: string, line: number): Wrong | undefined {
  const firstLine = lineOfBib.get(bib);
  if (firstLine !== undefined) {
    return { code: "row.bib-repeated", bib, firstLine, reason: `Bib ${bib} is also on line ${firstLine}.` };
  }
  lineOfBib.set(bib, line);
  return undefined;
}

function fail({ file }: Reading, error: RowError): void {
  file.errorCount++;
  if (file.errors.length < MAX_ERRORS) file.errors.push(error);
}

function readCell({ field, label }: Column, cell: string): { value?: unknown; wrong?: Wrong } {
  const text = fromSafeText(cell.trim());
  if (text === "") {
    return field === "bib" ? { wrong: { code: "row.bib-missing", reason: "The bib is missing." } } : { value: null };
  }
  const result = RunnerFields.shape[field].safeParse(inputOf(field, text));
  if (result.success) return { value: result.data };
  const [first = "", ...rest] = result.error.issues[0]?.message ?? "";
  const reason = `${label} is "${shown(cell)}": ${first.toLowerCase()}${rest.join("")}`;
  return { wrong: { code: "row.value", field, reason } };
}

function inputOf(field: keyof Runner, text: string): unknown {
  if (field === "timingResult") return readTimingResult(text);
  if (field !== "age") return text;
  const digits = text.normalize("NFKC");
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

function brokenShape({ line, lines, cells }: CsvRecord, columns: number): Wrong | undefined {
  const hasOtherCells = cells.length !== columns;
  const reason = hasOtherCells ? `The row has ${cells.length} cells, the header has ${columns}.` : "";
  // The parser leaves the quote on a cell that goes on after its closing quote: over several lines, it swallowed rows.
  const isSwallowing = lines > 1 && (hasOtherCells || cells.some((cell) => /^"[\s\S]*[\r\n]/.test(cell)));
  if (isSwallowing) {
    const lastLine = line + lines - 1;
    const why = `Lines ${line} to ${lastLine} are read as one row: look for a quote (") that is not closed.`;
    return { code: "row.quote-open", lastLine, reason: `${reason} ${why}`.trim() };
  }
  return hasOtherCells ? { code: "row.cells", cells: cells.length, columns, reason } : undefined;
}

function tooManyRows(maxRows: number): Problem {
  return new Problem(
    "too-large",
    "csv.too-many-rows",
    `The file has more than ${maxRows} rows. Split it and send the parts one after another.`,
  );
}
