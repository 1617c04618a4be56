/** Tells whether an ICC profile says no more than sRGB, so that converting to sRGB would change nothing. */

const HEADER_BYTES = 128;
const TAG_BYTES = 12;
const MAX_TAGS = 100;
/** As D50 sees them, which is how profiles write them. */
const PRIMARIES = { rXYZ: [0.436, 0.222, 0.014], gXYZ: [0.385, 0.717, 0.097], bXYZ: [0.143, 0.061, 0.714] };
const CURVES = ["rTRC", "gTRC", "bTRC"];
const MIDDLE_LIGHT = 0.214;
const TOLERANCE = 0.004;

/** A profile that can't be understood is none. */
export function isSrgb(profile: Buffer): boolean {
  if (profile.length < HEADER_BYTES + 4 || profile.toString("latin1", 16, 20) !== "RGB ") return false;
  const tags = tagsOf(profile);
  // A profile with tables says more than its primaries do.
  if (tags.has("A2B0")) return false;
  const hasPrimaries = Object.entries(PRIMARIES).every(([name, xyz]) => isPoint(tags.get(name), xyz));
  return hasPrimaries && CURVES.every((name) => isSrgbCurve(tags.get(name)));
}

function tagsOf(profile: Buffer): Map<string, Buffer> {
  const tags = new Map<string, Buffer>();
  const count = Math.min(profile.readUInt32BE(HEADER_BYTES), MAX_TAGS);
  for (let n = 0; n < count; n += 1) {
    const at = HEADER_BYTES + 4 + n * TAG_BYTES;
    if (at + TAG_BYTES > profile.length) break;
    const start = profile.readUInt32BE(at + 4);
    tags.set(profile.toString("latin1", at, at + 4), profile.subarray(start, start + profile.readUInt32BE(at + 8)));
  }
  return tags;
}

function isPoint(tag: Buffer | undefined, xyz: number[]): boolean {
  if (tag === undefined || tag.length < 20) return false;
  return xyz.every((value, n) => Math.abs(tag.readInt32BE(8 + n * 4) / 65_536 - value) < TOLERANCE);
}

/** Judged by how much light half the signal means. */
function isSrgbCurve(tag: Buffer | undefined): boolean {
  if (tag === undefined || tag.length < 14) return false;
  const light = tag.toString("latin1", 0, 4) === "para" ? lightOfFormula(tag) : lightOfTable(tag);
  return Math.abs(light - MIDDLE_LIGHT) < TOLERANCE;
}

/** A gamma, and in the longer forms a line through the dark tones, of which the middle knows nothing. */
function lightOfFormula(tag: Buffer): number {
  const numbers = [0, 1, 2].map((n) => (tag.length < 16 + n * 4 ? Number.NaN : tag.readInt32BE(12 + n * 4) / 65_536));
  const [gamma, scale, shift] = numbers as [number, number, number];
  return tag.readUInt16BE(8) === 3 ? (scale * 0.5 + shift) ** gamma : 0.5 ** gamma;
}

function lightOfTable(tag: Buffer): number {
  const count = tag.readUInt32BE(8);
  if (count === 1) return 0.5 ** (tag.readUInt16BE(12) / 256);
  const at = 12 + Math.floor(count / 2) * 2;
  return count > 64 && at + 2 <= tag.length ? tag.readUInt16BE(at) / 65_535 : Number.NaN;
}
