/** What entry does when the registry says that an event changed or is gone. */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { absent, any, atMost, exists } from "../platform/conditions.ts";
import type { Failure, Handler, Item } from "../platform/ports.ts";
import { RegistryMessage } from "../registry/events.ts";
import { applySettings } from "./config.ts";
import type { Entry } from "./entry.ts";
import { activeKey, type BlockItem, configKey, eventPartition } from "./items.ts";
import { readStanding } from "./line.ts";
import { entrantsFile, proofFile } from "./lottery.ts";
import { settleLine } from "./settle.ts";
import { failAsGone } from "./worker.ts";

const DELETES_AT_ONCE = 99;
const GRAVESTONE_SECONDS = 30 * 86_400;

export function followRegistry(entry: Entry): Handler {
  return async (messages) => {
    const failures: Failure[] = [];
    for (const { id, body } of messages) {
      try {
        await follow(entry, RegistryMessage.parse(JSON.parse(body)));
      } catch (error) {
        failures.push({ id, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return failures;
  };
}

async function follow(entry: Entry, message: RegistryMessage): Promise<void> {
  if (message.type === "event.changed") {
    const config = await applySettings(entry, message.eventId);
    entry.configs.forget(message.eventId);
    // There may be more places now.
    if (config) await settleLine(entry, message.eventId);
  }
  if (message.type === "event.removed") await removeEntry(entry, message);
}

/**
 * The line goes, and the locks with it; requests stay with their entrants until they expire, those without a result as
 * failed. A gravestone stays: a process that read the registry before must not raise the event from the dead.
 */
async function removeEntry(entry: Entry, removed: { eventId: string; revision: number }): Promise<void> {
  const { eventId } = removed;
  const { table, draws } = entry;
  // Made again under the same id, it is another event: the registry then knows it.
  if (await entry.facts.eventForEntry(eventId)) return;
  if (!(await bury(entry, removed))) return;
  await draws.delete([entrantsFile(eventId), proofFile(eventId)]);
  await table.write([{ delete: activeKey(eventId) }]);
  entry.configs.forget(eventId);
}

/** Answers false when the event is made anew meanwhile. */
async function bury(entry: Entry, { eventId, revision }: { eventId: string; revision: number }): Promise<boolean> {
  const { table, clock } = entry;
  const ttl = Math.floor(clock.now() / 1000) + GRAVESTONE_SECONDS;
  const gravestone = { ...configKey(eventId), removed: true, revision, ttl };
  const isBuried = { check: configKey(eventId), if: exists("removed") };
  const partition = eventPartition(eventId);
  try {
    await table.write([{ put: gravestone, if: any(absent("PK"), atMost("revision", revision)) }]);
    for (;;) {
      const { items } = await table.query({ partition, limit: DELETES_AT_ONCE });
      const rest = items.filter(({ SK }) => SK !== gravestone.SK);
      if (rest.length === 0) return true;
      await failStanding(entry, eventId, rest);
      await table.write([isBuried, ...rest.map(({ PK, SK }) => ({ delete: { PK, SK } }))]);
    }
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Whoever stands in these blocks: an index may not show all of them yet, the line does. */
async function failStanding(entry: Entry, eventId: string, items: Item[]): Promise<void> {
  const blocks = items.filter(({ SK }) => SK.startsWith("TICKET#")) as BlockItem[];
  const standing = await readStanding({ table: entry.table, eventId, kind: "TICKET" }, blocks);
  for (const { request } of standing) if (request) await failAsGone(entry, request);
}
