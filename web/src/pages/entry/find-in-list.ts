/** Looks for an entrant in a frozen list, and whether it is the list whose fingerprint was published. */

export type Listed = { isPublished: boolean; found: { number: number; ticket: number } | undefined };

/** What the file says about itself, before the entrants. */
const HEADER = /^(?:#.*\n)*/;

type Wanted = { eventId: string; requestId: string; entrantsSha256: string | null };

export async function findInList(list: Blob, { eventId, requestId, entrantsSha256 }: Wanted): Promise<Listed> {
  const entrants = (await list.text()).replace(HEADER, "");
  const isPublished = (await sha256(entrants)) === entrantsSha256;
  const at = entrants.indexOf(` ${await sha256(`${eventId}\n${requestId}`)}\n`);
  if (at < 0) return { isPublished, found: undefined };
  const start = entrants.lastIndexOf("\n", at) + 1;
  const number = entrants.slice(0, start).split("\n").length;
  return { isPublished, found: { number, ticket: Number(entrants.slice(start, at)) } };
}

async function sha256(text: string): Promise<string> {
  // On plain http browsers have none of their own.
  const subtle = crypto.subtle ?? (await import("../../sha256.ts")).subtle;
  const digest = new Uint8Array(await subtle.digest("SHA-256", new TextEncoder().encode(text)));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
