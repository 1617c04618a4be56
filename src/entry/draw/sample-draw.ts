/** Draws for tests: entrants with request ids, their order, and the proof as text. */

import { commitmentOf, drawOrder, type Entrant, entrantHash, entrantsSha256 } from "./draw.ts";
import { type ProofFacts, proofText } from "./proof.ts";

export type SampleDraw = {
  facts: ProofFacts;
  entrants: (Entrant & { requestId: string })[];
  /** Tickets in the order of ranks. */
  order: number[];
  proof: string;
};

type Wish = Partial<Pick<ProofFacts, "eventId" | "capacityTotal" | "seed" | "beacon">> & { entrantCount: number };

/** Every third ticket is void, so that tickets and positions can't be taken for one another. */
export async function sampleDraw({ entrantCount, ...wish }: Wish): Promise<SampleDraw> {
  const { eventId = "han-river-10k", seed = "5e".repeat(32), capacityTotal = 3, beacon = null } = wish;
  const entrants = Array.from({ length: entrantCount }, (_, index) => {
    const requestId = `01JD2QX5Y8${String(index + 1).padStart(16, "0")}`;
    return { ticket: index + 1 + Math.floor(index / 2), hash: entrantHash(eventId, requestId), requestId };
  });
  const facts = {
    eventId,
    capacityTotal,
    commitment: commitmentOf(eventId, seed),
    committedAt: Date.UTC(2027, 0, 4, 9),
    seed,
    beacon,
    frozenAt: Date.UTC(2027, 1, 1, 9),
    drawnAt: Date.UTC(2027, 1, 1, 9, 0, 2),
    entrantCount,
    entrantsSha256: entrantsSha256(entrants),
  };
  const order = drawOrder(entrants, seed, beacon?.value ?? null).map(({ ticket }) => ticket);
  return { facts, entrants, order, proof: await textOf(proofText(facts, entrants, order)) };
}

export async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece;
  return text;
}
