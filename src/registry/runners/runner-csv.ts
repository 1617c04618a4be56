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
export type RowError = { line: number; column?: string; reason: string };

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
    fail(reading, { line: record.line, reason: broken });
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
    const result = readCell(column, cells[position] ?? "");
    const reason = result.reason ?? (column.field === "bib" && repeatedBib(reading, String(result.value), line));
    if (reason) fail(reading, { line, column: column.heading, reason });
    row[column.field] = result.value;
  }
  return reading.file.errorCount === errorCount ? (row as RunnerRow) : undefined;
}

function repeatedBib({ lineOfBib }: Reading, bib: string, line: number): string | undefined {
  const firstLine = lineOfBib.get(bib);
  if (firstLine !== undefined) return `Bib ${bib} is also on line ${firstLine}.`;
  lineOfBib.set(bib, line);
  return undefined;
}

function fail({ file }: Reading, error: RowError): void {
  file.errorCount++;
  if (file.errors.length < MAX_ERRORS) file.errors.push(error);
}

function readCell({ field, label }: Column, cell: string): { value?: unknown; reason?: string } {
  const text = fromSafeText(cell.trim());
  if (text === "") return field === "bib" ? { reason: "The bib is missing." } : { value: null };
  const result = RunnerFields.shape[field].safeParse(inputOf(field, text));
  if (result.success) return { value: result.data };
  const [first = "", ...rest] = result.error.issues[0]?.message ?? "";
  return { reason: `${label} is "${shown(cell)}": ${first.toLowerCase()}${rest.join("")}` };
}

function inputOf(field: keyof Runner, text: string): unknown {
  if (field === "timingResult") return readTimingResult(text);
  if (field !== "age") return text;
  const digits = text.normalize("NFKC");
  return /^\d+$/.test(digits) ? Number(digits) : undefined;
}

function brokenShape({ line, lines, cells }: CsvRecord, width: number): string | undefined {
  const reasons: string[] = [];
  if (cells.length !== width) reasons.push(`The row has ${cells.length} cells, the header has ${width}.`);
  // The parser leaves the quote on a cell that goes on after its closing quote: over several lines, it swallowed rows.
  const isSwallowing = lines > 1 && (reasons.length > 0 || cells.some((cell) => /^"[\s\S]*[\r\n]/.test(cell)));
  if (isSwallowing) {
    reasons.push(`Lines ${line} to ${line + lines - 1} are read as one row: look for a quote (") that is not closed.`);
  }
  return reasons.join(" ") || undefined;
}

function tooManyRows(maxRows: number): Problem {
  return new Problem(
    "too-large",
    "csv.too-many-rows",
    `The file has more than ${maxRows} rows. Split it and send the parts one after another.`,
  );
}
