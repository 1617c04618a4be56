/** CSV text as records, each with the line it starts on, whatever its delimiter, its line ends and its quotes. */

import { CsvError, parse } from "csv-parse";
import { Problem } from "../../platform/problem.ts";

/** `lines` is how many lines of the file the record covers; a quote that is not closed makes it cover too many. */
export type CsvRecord = { line: number; lines: number; cells: string[] };

// Four bytes for each of 10,000 characters: far above what a row needs, and the most that an unclosed quote swallows.
const MAX_RECORD_BYTES = 40_000;
const DELIMITERS = [",", ";", "\t"] as const;

/** Gives every record to `take`, the header first; blank lines are no records. */
export async function readCsvRecords(text: AsyncIterable<Buffer>, take: (record: CsvRecord) => void): Promise<void> {
  let records: ReturnType<typeof recordsOf> | undefined;
  for await (const piece of headerFirst(text)) {
    records ??= recordsOf(delimiterOf(headerLine(piece)), take);
    await records.write(piece);
  }
  await records?.end();
}

/** The same text, but the first piece has the whole header line, or as much as a record may have. */
async function* headerFirst(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of text) {
    if (head === undefined) {
      yield piece;
      continue;
    }
    head = Buffer.concat([head, piece]);
    if (head.length < MAX_RECORD_BYTES && !headerLine(head).isWhole) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

/** The first line that is not blank, without its quoted parts. */
function headerLine(head: Buffer): { line: string; isWhole: boolean } {
  const unquoted = head
    .toString()
    .trimStart()
    .replace(/"[^"]*"/g, "");
  const [line = ""] = unquoted.split(/[\r\n]/, 1);
  return { line, isWhole: line.length < unquoted.length && !line.includes('"') };
}

function delimiterOf({ line }: { line: string }): string {
  const count = (delimiter: string) => line.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

function recordsOf(delimiter: string, take: (record: CsvRecord) => void) {
  let lastLine = 0;
  const parser = parse({
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    // Spaces before a quote, and the byte order mark.
    ltrim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    on_record: (cells, { empty_lines }) => {
      // The parser's own line counter takes a CRLF in quotes for two lines.
      const lines = cells.reduce((sum, cell) => sum + lineBreaks(cell), 1);
      const line = lastLine + empty_lines + 1;
      lastLine += lines;
      take({ line, lines, cells });
      return null;
    },
  });
  // Errors are told through the callbacks; without a listener they would end the process as well.
  parser.on("error", () => {});
  const settled = (start: (done: (error?: Error | null) => void) => void) =>
    new Promise<void>((resolve, reject) => {
      start((error) => (error ? reject(asProblem(error, lastLine + parser.info.empty_lines + 1)) : resolve()));
    });
  return {
    write: (piece: Buffer) => settled((done) => parser.write(piece, done)),
    end: () => settled((done) => parser.end(done)),
  };
}

function lineBreaks(cell: string): number {
  return cell.includes("\n") || cell.includes("\r") ? cell.split(/\r\n|\r|\n/).length - 1 : 0;
}

function asProblem(error: Error, line: number): Error {
  if (!(error instanceof CsvError)) return error;
  if (error.code === "CSV_QUOTE_NOT_CLOSED") {
    return new Problem(
      "invalid",
      "csv.unclosed-quote",
      `The row that starts on line ${line} opens a quote (") and never closes it. Close it or delete it.`,
    );
  }
  return new Problem(
    "invalid",
    "csv.row-too-long",
    `The row that starts on line ${line} does not end within ${MAX_RECORD_BYTES} bytes. Look there for a quote (") that is never closed.`,
  );
}
