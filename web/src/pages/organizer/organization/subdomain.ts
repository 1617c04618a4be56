/** Proposes a subdomain for an organization's name, also for one in Korean. */

const LONGEST = 40;
const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;
const INITIALS = "g kk n d tt r m b pp s ss - j jj ch k t p h".split(" ");
const VOWELS = "a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i".split(" ");
const FINALS = "- k k k n n n t l k m l l l p l m p p t t ng t t k t p t".split(" ");

/** "Han River Runners" becomes `han-river-runners`, "한강" becomes `hangang`; empty when nothing of it can be written so. */
export function proposeSubdomain(name: string): string {
  return [...name.normalize("NFC")]
    .map(romanized)
    .join("")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replaceAll(/^-+|-+$/g, "");
}

/** Syllable by syllable, as the Revised Romanization spells them alone. */
function romanized(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  if (code < HANGUL_FIRST || code > HANGUL_LAST) return letter;
  const place = code - HANGUL_FIRST;
  const parts = [INITIALS[Math.floor(place / 588)], VOWELS[Math.floor((place % 588) / 28)], FINALS[place % 28]];
  return parts.map((part) => (part === "-" ? "" : part)).join("");
}
