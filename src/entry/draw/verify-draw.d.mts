/** The types of verify-draw.mjs, which is plain JavaScript so that it runs wherever it is taken. */

/** All that a proof says beside its lists. */
export type DrawFacts = {
  eventId: string;
  capacityTotal: number;
  commitment: string;
  committedAt: number;
  seed: string;
  beaconSource: string | null;
  beaconValue: string | null;
  frozenAt: number;
  drawnAt: number;
  entrantCount: number;
  entrantsSha256: string;
};

export type DrawRank = { ticket: number; rank: number; won: boolean };

/** `line` is the first that differs, where the text has it. */
export type DrawReport =
  | {
      verdict: "verified";
      sentence: string;
      facts: DrawFacts;
      rankOf(requestId: string): Promise<DrawRank | undefined>;
    }
  | { verdict: "differs"; sentence: string; line: number | undefined; facts: DrawFacts }
  | { verdict: "unreadable"; sentence: string; line: number | undefined };

export function verifyDraw(
  given: unknown,
  onProgress?: (ranked: number, entrants: number) => void,
): Promise<DrawReport>;
