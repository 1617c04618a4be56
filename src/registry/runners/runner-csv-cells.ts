/** How timing results stand in a cell, written so that reading gives them back. */

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
