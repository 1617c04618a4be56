/** Text in columns that line up in a terminal, also where a character is two columns wide. */

// Hangul, Chinese and Japanese, full-width forms and most emoji.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u;
const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

export function widthOf(text: string): number {
  // Most cells are plain, and lists may have a million of them.
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of characters.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** A heading for each column, a line for each row; without rows, a sentence. */
export function table(headings: string[], rows: string[][], whenEmpty: string): string {
  if (rows.length === 0) return whenEmpty;
  return inColumns([headings.map((heading) => heading.toUpperCase()), ...rows]);
}

/** One thing's facts, a line for each that it has. */
export function facts(all: { [name: string]: string | null | undefined }): string {
  return inColumns(Object.entries(all).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

export function inColumns(rows: string[][]): string {
  const cells = rows.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of cells) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, widthOf(cell));
  }
  const pad = (cell: string, column: number) => cell + " ".repeat((widths[column] ?? 0) - widthOf(cell));
  return cells.map((row) => row.map(pad).join("  ").trimEnd()).join("\n");
}

/** Whatever people typed must not move the cursor or start a line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
