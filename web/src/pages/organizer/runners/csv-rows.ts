/** The rows of a CSV file with the lines they start on, read here only to show where the server found something wrong. */

export type CsvRow = { line: number; cells: string[] };

const DELIMITERS = [",", ";", "\t"];

/** The header, and those rows that are wanted. */
export function readCsvRows(text: string, isWanted: (line: number) => boolean, lastLine: number) {
  const rows: CsvRow[] = [];
  let header: CsvRow | undefined;
  for (const row of rowsOf(text)) {
    if (row.cells.every((cell) => cell.trim() === "")) continue;
    if (!header) header = row;
    else if (isWanted(row.line)) rows.push(row);
    if (row.line > lastLine) break;
  }
  return { header, rows };
}

function* rowsOf(text: string): Generator<CsvRow> {
  const delimiter = delimiterOf(text);
  let at = 0;
  let line = 1;
  while (at < text.length) {
    const row: CsvRow = { line, cells: [] };
    let isOver = false;
    while (!isOver) {
      const cell = cellAt(text, at, delimiter);
      row.cells.push(cell.text);
      line += breaksIn(text.slice(at, cell.end));
      at = cell.end;
      isOver = text[at] !== delimiter;
      if (!isOver) at += 1;
    }
    if (text[at] === "\r" && text[at + 1] === "\n") at += 1;
    at += 1;
    line += 1;
    yield row;
  }
}

/** Ends at the delimiter, the line's end or the text's. */
function cellAt(text: string, start: number, delimiter: string): { text: string; end: number } {
  let from = start;
  while (text[from] === " ") from += 1;
  if (text[from] === '"') {
    const closing = closingQuote(text, from + 1);
    const next = text[closing + 1];
    if (next === undefined || next === delimiter || next === "\n" || next === "\r") {
      return { text: text.slice(from + 1, closing).replaceAll('""', '"'), end: Math.min(closing + 1, text.length) };
    }
  }
  let end = from;
  while (end < text.length && text[end] !== delimiter && text[end] !== "\n" && text[end] !== "\r") end += 1;
  return { text: text.slice(from, end), end };
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? text.length : at;
}

function delimiterOf(text: string): string {
  const unquoted = text
    .trimStart()
    .slice(0, 40_000)
    .replace(/"[^"]*"/g, "");
  const [first = ""] = unquoted.split(/[\r\n]/, 1);
  const count = (delimiter: string) => first.split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

function breaksIn(text: string): number {
  return text.split(/\r\n|\r|\n/).length - 1;
}
