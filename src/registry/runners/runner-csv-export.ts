/** Writes runners as a CSV file that Excel opens and that can be imported again, a few rows at a time. */

import { stringify } from "csv-stringify/sync";
import { toSafeText } from "../../platform/safe-cell.ts";
import type { Runner } from "./runner.ts";
import { writeTimingResult } from "./runner-csv-cells.ts";
import { KNOWN_COLUMNS } from "./runner-csv-columns.ts";

const ROWS_AT_ONCE = 500;
// Without it Excel takes the file for the machine's old encoding, and Korean names are garbled.
const BYTE_ORDER_MARK = "\ufeff";

export async function* runnerCsv(runners: AsyncIterable<Runner>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([KNOWN_COLUMNS.map(({ names }) => names[0])]);
  let rows: string[][] = [];
  for await (const runner of runners) {
    rows.push(cellsOf(runner));
    if (rows.length < ROWS_AT_ONCE) continue;
    yield toCsv(rows);
    rows = [];
  }
  if (rows.length > 0) yield toCsv(rows);
}

function cellsOf(runner: Runner): string[] {
  return KNOWN_COLUMNS.map(({ field }) => {
    const value = field === "timingResult" ? writeTimingResult(runner.timingResult) : runner[field];
    return toSafeText(String(value ?? ""));
  });
}

function toCsv(rows: string[][]): string {
  return stringify(rows, { record_delimiter: "\r\n", quote_record_delimiter: true });
}
