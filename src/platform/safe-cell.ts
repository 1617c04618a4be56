/** Text in a cell of a CSV file, written so that a spreadsheet can't run it and reading gives it back. */

// The wide twins of = + - @ start formulas in some spreadsheets too.
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A text that already has quotes before its formula gets one more, so that `fromSafeText` takes off the right one. */
export function toSafeText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function fromSafeText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
