/** Who clicks in which order: everybody once, some of them again a moment later, the same for the same seed. */

const THRICE = 0.01;
const TWICE = 0.1;
/** Of those who click again, how many do so at once, while their first request is still on its way. */
const AT_ONCE = 0.4;
/** Within how many other people's clicks the others come back. */
const SPREAD = 300;

/** The persons, numbered from 0, in the order of their clicks. */
export function orderClicks(people: number, seed: number): Int32Array {
  const random = seededRandom(seed);
  const clicks: { person: number; position: number }[] = [];
  for (let person = 0; person < people; person += 1) {
    clicks.push({ person, position: person });
    for (let again = repeatsOf(random()); again > 0; again -= 1) {
      const later = random() < AT_ONCE ? 0 : random() * SPREAD;
      clicks.push({ person, position: person + later });
    }
  }
  clicks.sort((a, b) => a.position - b.position);
  return Int32Array.from(clicks, ({ person }) => person);
}

function repeatsOf(chance: number): number {
  if (chance < THRICE) return 2;
  return chance < THRICE + TWICE ? 1 : 0;
}

/** Mulberry32: small, and good enough to spread clicks and kills. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
