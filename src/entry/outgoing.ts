/** Messages to the registry: written in the transaction of the change they tell of, sent after it, then removed. */

import type { Put } from "../platform/ports.ts";
import type { EntryParts } from "./entry.ts";
import type { EntryMessage } from "./events.ts";
import { type ConfigItem, eventPartition, lineTtl, outgoingKey } from "./items.ts";

const AT_ONCE = 25;

/** At most one for each change of the line: its version names it. */
export function outgoingPut(config: ConfigItem, message: EntryMessage, version: number): Put {
  return { put: { ...outgoingKey(message.eventId, version), message, ttl: lineTtl(config) } };
}

/** Sends what waits. Killed after sending, it sends again: the registry takes each place once. */
export async function carryOutgoing(
  { table, messages }: Pick<EntryParts, "table" | "messages">,
  eventId: string,
): Promise<void> {
  const waiting = { partition: eventPartition(eventId), sort: { beginsWith: "OUTGOING#" }, limit: AT_ONCE };
  for (;;) {
    const { items } = await table.query(waiting);
    if (items.length === 0) return;
    await messages.send(items.map(({ message }) => JSON.stringify(message)));
    await table.write(items.map(({ PK, SK }) => ({ delete: { PK, SK } })));
  }
}
