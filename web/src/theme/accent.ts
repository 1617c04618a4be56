/** The organizer's colour, made readable: as text on light and dark pages, and as a filled button with text on it. */

type Rgb = [number, number, number];

/** The pages' own backgrounds, the least kind of each theme: raised in light, raised in dark. */
const LIGHT: Rgb = [0xf2, 0xf2, 0xf0];
const DARK: Rgb = [0x1f, 0x22, 0x27];
const WHITE: Rgb = [255, 255, 255];
const INK: Rgb = [0x17, 0x19, 0x1c];
/** How much of the accent is in `--accent-wash`, and a little more. */
const WASH = 0.12;
/** What WCAG AA asks of text. */
const ENOUGH = 4.5;

export type AccentColours = { light: string; dark: string; fill: string; onFill: string };

export function accentColours(hex: string): AccentColours | undefined {
  const colour = parse(hex);
  if (!colour) return undefined;
  // Text on it is white or ink, whichever needs less of a change.
  const onFill = contrast(colour, WHITE) >= 3 ? WHITE : INK;
  return {
    light: print(until(colour, LIGHT, INK)),
    dark: print(until(colour, DARK, WHITE)),
    fill: print(until(colour, onFill, onFill === WHITE ? INK : WHITE)),
    onFill: print(onFill),
  };
}

/** Mixed towards the pole in small steps until it can be read against the ground, also where that is washed with it. */
function until(colour: Rgb, ground: Rgb, pole: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.02) {
    const candidate = mix(colour, pole, share);
    if (contrast(candidate, mix(ground, candidate, WASH)) >= ENOUGH) return candidate;
  }
  return pole;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return from.map((part, i) => Math.round(part + ((to[i] ?? 0) - part) * share)) as Rgb;
}

export function contrast(a: Rgb, b: Rgb): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: Rgb): number {
  const [red = 0, green = 0, blue = 0] = colour.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function parse(hex: string): Rgb | undefined {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1];
  if (!digits) return undefined;
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16)) as Rgb;
}

function print(colour: Rgb): string {
  return `#${colour.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
