/** Numbers and letters as strokes for labels in photos: a machine may have no fonts. */

/** On a grid of 4 by 6, as SVG paths. */
const STROKES: { [letter: string]: string } = {
  "0": "M1 0H3L4 1V5L3 6H1L0 5V1ZM1 5L3 1",
  "1": "M1 1L2 0V6M1 6H3",
  "2": "M0 1L1 0H3L4 1V2L0 6H4",
  "3": "M0 0H4L2 2.4H3L4 3.4V5L3 6H1L0 5",
  "4": "M3 6V0L0 4H4",
  "5": "M4 0H0V2.5H3L4 3.5V5L3 6H0",
  "6": "M3.5 0H2L0 2V5L1 6H3L4 5V3.7L3 2.7H0",
  "7": "M0 0H4L1.5 6",
  "8": "M1 0H3L4 1V2L3 3H1L0 2V1ZM1 3H3L4 4V5L3 6H1L0 5V4Z",
  "9": "M0.5 6H2L4 4V1L3 0H1L0 1V2.3L1 3.3H4",
  A: "M0 6V2L2 0L4 2V6M0 4H4",
  B: "M0 0H3L4 1V2L3 3H0M3 3L4 4V5L3 6H0V0",
  C: "M4 1L3 0H1L0 1V5L1 6H3L4 5",
  D: "M0 0H2.5L4 1.5V4.5L2.5 6H0Z",
  E: "M4 0H0V6H4M0 3H3",
  F: "M4 0H0V6M0 3H3",
  G: "M4 1L3 0H1L0 1V5L1 6H3L4 5V3H2.5",
  H: "M0 0V6M4 0V6M0 3H4",
  I: "M1 0H3M2 0V6M1 6H3",
  J: "M4 0V5L3 6H1L0 5",
  K: "M0 0V6M4 0L0 3.5M1.3 2.5L4 6",
  L: "M0 0V6H4",
  M: "M0 6V0L2 3L4 0V6",
  N: "M0 6V0L4 6V0",
  O: "M1 0H3L4 1V5L3 6H1L0 5V1Z",
  P: "M0 6V0H3L4 1V2L3 3H0",
  Q: "M1 0H3L4 1V5L3 6H1L0 5V1ZM2.5 4.5L4 6",
  R: "M0 6V0H3L4 1V2L3 3H0M2 3L4 6",
  S: "M4 1L3 0H1L0 1V2L1 3H3L4 4V5L3 6H1L0 5",
  T: "M0 0H4M2 0V6",
  U: "M0 0V5L1 6H3L4 5V0",
  V: "M0 0L2 6L4 0",
  W: "M0 0L1 6L2 2L3 6L4 0",
  X: "M0 0L4 6M4 0L0 6",
  Y: "M0 0L2 3L4 0M2 3V6",
  Z: "M0 0H4L0 6H4",
  "-": "M0.5 3H3.5",
  "?": "M0 1L1 0H3L4 1V2L2 3.5V4.2M2 5.6V6",
};
/** For a letter that is not among them. */
const BOX = "M0 0H4V6H0Z";
const HEIGHT = 6;
const ADVANCE = 5.6;

export function textWidth(text: string, height: number): number {
  return (([...text].length * ADVANCE - 1.6) * height) / HEIGHT;
}

/** White strokes, from the text's top left corner. */
export function strokesOf(text: string, { x, y, height }: { x: number; y: number; height: number }): string {
  const scale = height / HEIGHT;
  const paths = [...text].map((letter, n) => {
    const place = `translate(${(x + n * ADVANCE * scale).toFixed(1)} ${y.toFixed(1)}) scale(${scale.toFixed(3)})`;
    return `<path transform="${place}" d="${STROKES[letter] ?? BOX}"/>`;
  });
  return `<g fill="none" stroke="white" stroke-width="0.9" stroke-linecap="round" stroke-linejoin="round">${paths.join("")}</g>`;
}
