/** What the writer does for queues. A receive is written down before the message is handed out, so that it counts. */

import type { DatabaseSync } from "node:sqlite";

export type StoredMessage = {
  id: number;
  body: string;
  receives: number;
  sentAt: number;
  requestId: string | null;
};

/** A message is only touched by its last receiver: `receives` tells which one that is. */
export type Receipt = { id: number; receives: number };
export type ReceivedFailure = Receipt & { reason: string; visibleAt: number };

const COLUMNS = "id, body, receives, sent_at AS sentAt, request_id AS requestId";

export type Send = (ask: { queue: string; bodies: string[]; at: number; requestId: string | null }) => void;

export function queueWrites(db: DatabaseSync, wake: (queue: string) => void) {
  const insert = db.prepare(
    "INSERT INTO messages (queue, body, sent_at, visible_at, request_id) VALUES (?, ?, ?, ?, ?)",
  );
  const ready = db.prepare(
    `SELECT ${COLUMNS} FROM messages WHERE queue = ? AND dead = 0 AND visible_at <= ? ORDER BY visible_at LIMIT ?`,
  );
  const next = db.prepare("SELECT min(visible_at) AS at FROM messages WHERE queue = ? AND dead = 0");
  const take = db.prepare("UPDATE messages SET visible_at = ?, receives = ? WHERE id = ?");
  const bury = db.prepare("UPDATE messages SET dead = 1, reason = ? WHERE id = ?");
  const finish = db.prepare("DELETE FROM messages WHERE id = ? AND receives = ? AND dead = 0");
  const retry = db.prepare("UPDATE messages SET visible_at = ?, reason = ? WHERE id = ? AND receives = ? AND dead = 0");
  const giveUp = db.prepare("UPDATE messages SET dead = 1, reason = ? WHERE id = ? AND receives = ? AND dead = 0");
  const reviveOne = db.prepare(
    "UPDATE messages SET dead = 0, receives = 0, visible_at = ?, reason = NULL WHERE queue = ? AND dead = 1 AND id = ?",
  );
  const reviveAll = db.prepare(
    "UPDATE messages SET dead = 0, receives = 0, visible_at = ?, reason = NULL WHERE queue = ? AND dead = 1",
  );

  function sendMessages(ask: { queue: string; bodies: string[]; at: number; requestId: string | null }): void {
    for (const body of ask.bodies) insert.run(ask.queue, body, ask.at, ask.at, ask.requestId);
    wake(ask.queue);
  }

  return {
    sendMessages,

    /** Answers the messages, and when none is ready, the time the next one will be. */
    receiveMessages(ask: { queue: string; now: number; visibleAt: number; limit: number; maxReceives: number }) {
      const found = ready.all(ask.queue, ask.now, ask.limit) as StoredMessage[];
      const messages: StoredMessage[] = [];
      for (const message of found) {
        if (message.receives >= ask.maxReceives) {
          bury.run(`It was received ${message.receives} times without being finished.`, message.id);
          continue;
        }
        message.receives += 1;
        take.run(ask.visibleAt, message.receives, message.id);
        messages.push(message);
      }
      const nextAt = found.length > 0 ? ask.now : (next.get(ask.queue) as { at: number | null }).at;
      return { messages, nextAt };
    },

    settleMessages(ask: { queue: string; done: Receipt[]; failed: ReceivedFailure[]; maxReceives: number }): void {
      for (const { id, receives } of ask.done) finish.run(id, receives);
      for (const { id, receives, reason, visibleAt } of ask.failed) {
        if (receives >= ask.maxReceives) giveUp.run(reason, id, receives);
        else retry.run(visibleAt, reason, id, receives);
      }
      if (ask.failed.length > 0) wake(ask.queue);
    },

    redriveMessages(ask: { queue: string; now: number; ids: number[] | null }): number {
      wake(ask.queue);
      if (!ask.ids) return Number(reviveAll.run(ask.now, ask.queue).changes);
      return ask.ids.reduce((sum, id) => sum + Number(reviveOne.run(ask.now, ask.queue, id).changes), 0);
    },
  };
}
