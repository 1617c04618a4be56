/** The proof of a draw as the file that people check, and the list of entrants that is published before it. */

import { hash } from "node:crypto";
import { z } from "zod";
import { EventId } from "../../platform/ids.ts";
import { type Entrant, entrantLine } from "./draw.ts";

/** Large enough to be sent at once, small enough to be made one after the other. */
const LINES_AT_ONCE = 1000;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Time = z.int().min(0).meta({ description: "Milliseconds since 1970." });
const Ticket = z.int().min(1);

/** In the order in which they stand in the file; `factsSha256` is over them as JSON. */
const facts = {
  version: z.literal(1),
  eventId: EventId,
  capacityTotal: z.int().min(1).meta({ description: "So many first ranks win; the rest is the reserve." }),
  commitment: Sha256.meta({ description: "SHA-256 of eventId, a line break and seed." }),
  committedAt: Time,
  seed: Sha256.meta({ description: "32 random bytes as hex digits, secret until the announcement." }),
  beaconSource: z.string().min(1).nullable().meta({ description: "Where the public beacon's value comes from." }),
  beaconValue: z.string().min(1).nullable().meta({ description: "Mixed into the seed; it has a source, or is null." }),
  frozenAt: Time,
  drawnAt: Time,
  entrantCount: z.int().min(0),
  entrantsSha256: Sha256.meta({ description: "SHA-256 of all lines `ticket hash`, published at the freeze." }),
};

export const Proof = z
  .object({
    ...facts,
    factsSha256: Sha256.meta({ description: "SHA-256 of all that stands above it, as a JSON object without spaces." }),
    entrants: z.array(z.tuple([Ticket, Sha256])).meta({ description: "Ticket and hash, in the order of tickets." }),
    order: z.array(z.tuple([z.int().min(1), Ticket])).meta({ description: "Rank and ticket, in the order of ranks." }),
  })
  .refine(({ beaconSource, beaconValue }) => (beaconSource === null) === (beaconValue === null), {
    path: ["beaconValue"],
    error: "A beacon has a source, named in advance, and a value.",
  })
  .meta({ id: "DrawProof" });
export type Proof = z.infer<typeof Proof>;

/** What a proof says beside its two lists. A value without a source could have been chosen to somebody's liking. */
export type ProofFacts = Omit<z.infer<z.ZodObject<typeof facts>>, "version" | "beaconSource" | "beaconValue"> & {
  beacon: { source: string; value: string } | null;
};

type Each<T> = Iterable<T> | AsyncIterable<T>;

/**
 * The file in pieces: JSON with one fact, one entrant and one rank on each line, so that lines can be named.
 * `entrants` come in the order of tickets, `order` is the tickets in the order of ranks.
 */
export async function* proofText(
  given: ProofFacts,
  entrants: Each<Entrant>,
  order: Each<number>,
): AsyncGenerator<string> {
  const values = valuesOf(given);
  const lines = [...Object.entries(values), ["factsSha256", hash("sha256", JSON.stringify(values))]];
  yield `{\n${lines.map(([name, value]) => `"${name}": ${JSON.stringify(value)},\n`).join("")}`;
  yield* list("entrants", entrants, (entrant) => `[${entrant.ticket},"${entrant.hash}"]`);
  yield ",\n";
  yield* list("order", order, (ticket, index) => `[${index + 1},${ticket}]`);
  yield "\n}\n";
}

function valuesOf({ beacon, ...given }: ProofFacts) {
  const beaconSource = beacon?.source ?? null;
  const beaconValue = beacon?.value ?? null;
  const all: { [name: string]: string | number | null } = { version: 1, ...given, beaconSource, beaconValue };
  return Object.fromEntries(Object.keys(facts).map((name) => [name, all[name]]));
}

async function* list<T>(
  name: string,
  entries: Each<T>,
  write: (entry: T, index: number) => string,
): AsyncGenerator<string> {
  yield `"${name}": [`;
  let count = 0;
  const written = (entry: T) => `${count === 0 ? "" : ","}\n${write(entry, count++)}`;
  yield* inPieces(entries, written);
  yield "\n]";
}

/** The list as it is published at the freeze; what stands below its header is what `entrantsSha256` is over. */
export async function* entrantsText(
  {
    eventId,
    frozenAt,
    entrantCount,
    entrantsSha256,
  }: Pick<ProofFacts, "eventId" | "frozenAt" | "entrantCount" | "entrantsSha256">,
  entrants: Each<Entrant>,
): AsyncGenerator<string> {
  yield `# The entrants of ${eventId}, frozen at ${new Date(frozenAt).toISOString()}: ticket and hash.
# entrantCount: ${entrantCount}
# entrantsSha256: ${entrantsSha256}
# Check it: grep -v '^#' entrants-${eventId}.txt | sha256sum
# Find yourself: printf '${eventId}\\nYOUR_REQUEST_ID' | sha256sum
`;
  yield* inPieces(entrants, entrantLine);
}

async function* inPieces<T>(entries: Each<T>, write: (entry: T) => string): AsyncGenerator<string> {
  let piece: string[] = [];
  for await (const entry of entries) {
    if (piece.push(write(entry)) < LINES_AT_ONCE) continue;
    yield piece.join("");
    piece = [];
  }
  if (piece.length > 0) yield piece.join("");
}
