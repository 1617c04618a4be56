/** The inbox of one machine without a mail server: letters are kept for a day and shown here, and go nowhere else. */

import { randomBytes } from "node:crypto";
import { checkLetter } from "../letters.ts";
import type { Clock, Letter, Mail, Table } from "../ports.ts";

const PARTITION = "INBOX";
const KEPT_SECONDS = 24 * 60 * 60;

export type Inbox = {
  /** Newest first. */
  list(limit: number): Promise<(Letter & { sentAt: number })[]>;
};

type Parts = {
  clock: Clock;
  /** Opened with the first letter, so that a machine that sends none has no such table. */
  openTable(): Table;
  onLetter(letter: Letter): void;
};

export function openInbox({ clock, openTable, onLetter }: Parts): { mail: Mail; inbox: Inbox } {
  const send = async (letter: Letter) => {
    checkLetter(letter);
    const { to, subject, text } = letter;
    const sentAt = clock.now();
    const ttl = Math.floor(sentAt / 1000) + KEPT_SECONDS;
    await openTable().write([{ put: { PK: PARTITION, SK: sortKey(sentAt), ttl, to, subject, text, sentAt } }]);
    onLetter({ to, subject, text });
  };
  const list = async (limit: number) => {
    const { items } = await openTable().query({ partition: PARTITION, order: "descending", limit });
    return items.map(({ to, subject, text, sentAt }) => ({ to, subject, text, sentAt }) as Letter & { sentAt: number });
  };
  return { mail: { send }, inbox: { list } };
}

/** Two letters of the same millisecond are two. */
function sortKey(sentAt: number): string {
  return `${new Date(sentAt).toISOString()}#${randomBytes(8).toString("hex")}`;
}
