/** The draw of a lottery: a seed that is promised before entries open decides, with what entrants can't choose, who ranks where. */

import { createHash, createHmac, hash, randomBytes } from "node:crypto";

const SEED_BYTES = 32;

/** An entrant as everybody may see them: the hash tells only themselves who they are. */
export type Entrant = { ticket: number; hash: string };

/** 64 hex digits; a secret until the results are announced. */
export function newSeed(): string {
  return randomBytes(SEED_BYTES).toString("hex");
}

/** Published before entries open, so that the seed can't be chosen when the entrants are known. */
export function commitmentOf(eventId: string, seed: string): string {
  return sha256(`${eventId}\n${seed}`);
}

/** Nobody can guess a request's id, so nobody but its entrant finds its hash in the list. */
export function entrantHash(eventId: string, requestId: string): string {
  return sha256(`${eventId}\n${requestId}`);
}

/** Of the frozen list, in the order of tickets. */
export function entrantsSha256(entrants: Iterable<Entrant>): string {
  const sum = createHash("sha256");
  for (const entrant of entrants) sum.update(entrantLine(entrant));
  return sum.digest("hex");
}

export function entrantLine({ ticket, hash }: Entrant): string {
  return `${ticket} ${hash}\n`;
}

/** Everybody in the order of their ranks, in whatever order they come: the first win, the rest is the reserve. */
export function drawOrder<E extends Entrant>(entrants: Iterable<E>, seed: string, beaconValue: string | null): E[] {
  const key = beaconValue === null ? seed : sha256(`${seed}\n${beaconValue}`);
  const ranked = Array.from(entrants, (entrant) => ({
    entrant,
    rankKey: createHmac("sha256", key).update(entrant.hash).digest("hex"),
  }));
  ranked.sort((a, b) => (a.rankKey < b.rankKey ? -1 : 1));
  return ranked.map(({ entrant }) => entrant);
}

function sha256(text: string): string {
  return hash("sha256", text);
}
