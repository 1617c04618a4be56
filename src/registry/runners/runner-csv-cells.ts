/** How text and timing results stand in a cell, written so that a spreadsheet can't run them and reading gives them back. */

// The wide twins of = + - @ start formulas in some spreadsheets too.
const FORMULA = /^'*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;

/** A text that already has quotes before its formula gets one more, so that `fromSafeText` takes off the right one. */
export function toSafeText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

export function fromSafeText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** Text of one line stands as it is, unless reading would make something else of it; all else is JSON, on one line. */
export function writeTimingResult(value: unknown): string {
  if (value === null) return "";
  const isPlain = typeof value === "string" && !/[\r\n]/.test(value) && readTimingResult(value) === value;
  return isPlain ? value : JSON.stringify(value);
}

export function readTimingResult(cell: string): unknown {
  const text = cell.trim();
  if (text === "") return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "number" && losesDigits(value, text) ? text : value;
  } catch {
    return text;
  }
}

/** A chip's number can have more digits than a JavaScript number keeps. */
function losesDigits(value: number, text: string): boolean {
  return Math.abs(value) > Number.MAX_SAFE_INTEGER && String(value) !== text;
}
