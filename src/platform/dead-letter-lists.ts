/** Lists of dead letters, whatever they are about: whose they are, what is known of them, and their way back. */

import { z } from "zod";
import { encodeCursor } from "./cursor.ts";
import { cutPage, type PageRequest, readCursor } from "./http/paging.ts";
import type { DeadLetter, Page, Queue } from "./ports.ts";
import { Problem } from "./problem.ts";

/** Queues can't be asked for the letters of one event: so many of all are looked at. */
export const MOST_LOOKED_AT = 10_000;
/** What is wrong with a message shows at its beginning. */
export const MOST_BODY_LISTED = 2000;

/** What every letter is shown with. */
export const LetterBasics = z.object({
  id: z.string(),
  queue: z.string().meta({ description: "The queue that carried it." }),
  reason: z.string().meta({ description: "Why it failed the last time." }),
  receives: z.int().meta({ description: "How often it was tried." }),
  sentAt: z.int().meta({ description: "Milliseconds since 1970." }),
  body: z.string().meta({ description: "The message itself." }),
});
export type LetterBasics = z.infer<typeof LetterBasics>;

export type NamedQueue = { name: string; queue: Queue };
export type NamedLetter<Names> = DeadLetter & { from: NamedQueue; names: Names };

/** An event's organizers have what names it; `undefined` is for what no organizer sees. */
export type LetterOwner = { eventId: string | undefined };

export type DeadLetterLists<Shown extends LetterBasics> = {
  /** Oldest first, with the beginning of their bodies. */
  list(owner: LetterOwner, page: PageRequest): Promise<Page<Shown>>;
  read(owner: LetterOwner, id: string): Promise<Shown>;
  /** Those named, or all. Answers how many went. */
  redrive(owner: LetterOwner, ids?: string[]): Promise<number>;
};

export function createDeadLetterLists<Names, Shown extends LetterBasics>(parts: {
  lettersOf(owner: LetterOwner): Promise<NamedLetter<Names>[]>;
  show(letters: NamedLetter<Names>[]): Promise<Shown[]>;
}): DeadLetterLists<Shown> {
  const lettersOf = async (owner: LetterOwner) => (await parts.lettersOf(owner)).sort(compare);
  return {
    list: async (owner, page) => {
      const { items, cursor } = pageOf(await lettersOf(owner), page);
      const shown = await parts.show(items);
      const cut = shown.map((letter) => ({ ...letter, body: letter.body.slice(0, MOST_BODY_LISTED).toWellFormed() }));
      return { items: cut, ...(cursor !== undefined && { cursor }) };
    },
    read: async (owner, id) => {
      const letters = await lettersOf(owner);
      const [letter] = await parts.show(letters.filter((each) => each.id === id));
      if (letter) return letter;
      const sentence = `There is no dead letter ${id}. It may have been sent back: look at the list again.`;
      throw new Problem("missing", "dead-letter.not-found", sentence);
    },
    redrive: async (owner, ids) => {
      const letters = await lettersOf(owner);
      const wanted = ids ? letters.filter(({ id }) => ids.includes(id)) : letters;
      let count = 0;
      for (const [{ queue }, those] of Map.groupBy(wanted, ({ from }) => from)) {
        count += await queue.redrive(those.map(({ id }) => id));
      }
      return count;
    },
  };
}

export async function peekLetters<Names>(
  from: NamedQueue,
  namesIn: (message: { [field: string]: unknown }) => Names,
): Promise<NamedLetter<Names>[]> {
  const letters = await from.queue.peekDead(MOST_LOOKED_AT);
  return letters.map((letter) => ({ ...letter, from, names: namesIn(messageIn(letter.body)) }));
}

export function basicsOf({ id, from, reason, receives, sentAt, body }: NamedLetter<unknown>): LetterBasics {
  return { id, queue: from.name, reason, receives, sentAt, body };
}

/** Also of a message that is wrong in other ways, so that it finds its event's organizers. */
function messageIn(body: string): { [field: string]: unknown } {
  try {
    return z.looseObject({}).safeParse(JSON.parse(body)).data ?? {};
  } catch {
    return {};
  }
}

function pageOf<Letter extends DeadLetter>(all: Letter[], page: PageRequest): Page<Letter> {
  const after = page.cursor === undefined ? undefined : readCursor(page.cursor, ["sentAt", "id"]);
  const rows = after
    ? all.filter((letter) => compare(letter, { id: after.id, sentAt: Number(after.sentAt) }) > 0)
    : all;
  return cutPage(
    rows.slice(0, page.limit + 1),
    page.limit,
    (letter) => letter,
    ({ id, sentAt }) => encodeCursor({ sentAt: String(sentAt), id }),
  );
}

/** Of those sent together: ids that are numbers in the order of numbers. */
function compare(a: { sentAt: number; id: string }, b: { sentAt: number; id: string }): number {
  return a.sentAt - b.sentAt || a.id.length - b.id.length || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
