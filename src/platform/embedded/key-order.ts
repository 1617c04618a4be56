/** Keys in the order of their UTF-8 bytes, which is SQLite's for text and DynamoDB's and S3's too. */

export type Bound = string | Uint8Array;

/** In SQLite every BLOB sorts after every TEXT: as an upper bound it lets all keys through. */
export const AFTER_ALL = new Uint8Array(0);

/** The first string after all that begin with the prefix. */
export function prefixEnd(prefix: string): Bound {
  const points = Array.from(prefix, (character) => character.codePointAt(0) as number);
  while (points.length > 0) {
    const last = points.pop() as number;
    if (last === 0x10ffff) continue;
    // Surrogates are no characters of their own, so the next after U+D7FF is U+E000.
    return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
  }
  return AFTER_ALL;
}
