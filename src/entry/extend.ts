/** A race that is moved to a later day: what would have expired with the old day lives on with the new one. */

import { hasHeld } from "../platform/condition-failed.ts";
import { all, exists, is } from "../platform/conditions.ts";
import type { Entry } from "./entry.ts";
import {
  type BlockItem,
  type ConfigItem,
  configKey,
  lineTtl,
  lockKey,
  lockTtl,
  type RequestItem,
  requestKey,
  requestTtl,
} from "./items.ts";
import { type Line, readBlocksOverGaps, readStanding } from "./line.ts";

/** Block by block from where it was left, so that it can be killed and go on. */
export async function extendLives(entry: Entry, eventId: string, config: ConfigItem): Promise<void> {
  const { table } = entry;
  const tickets: Line = { table, eventId, kind: "TICKET" };
  for await (const block of readBlocksOverGaps(tickets, config.extendFrom as number)) {
    await extendBlock(entry, config, block);
    for (const { request } of await readStanding(tickets, [block])) if (request) await extend(entry, config, request);
    const extendFrom = block.first + block.count;
    if (!(await isUnchanged(entry, eventId, config, { set: { extendFrom } }))) return;
  }
  const ranks: Line = { table, eventId, kind: "RANK" };
  for await (const block of readBlocksOverGaps(ranks, 1)) await extendBlock(entry, config, block);
  await isUnchanged(entry, eventId, config, { remove: ["extendFrom"] });
}

async function extendBlock({ table }: Entry, config: ConfigItem, { PK, SK }: BlockItem): Promise<void> {
  await hasHeld(table.write([{ update: { PK, SK }, set: { ttl: lineTtl(config) }, if: exists("PK") }]));
}

async function extend({ table }: Entry, config: ConfigItem, request: RequestItem): Promise<void> {
  const { eventId, userId, requestId, requestedAt } = request;
  const ttl = requestTtl(config, requestedAt);
  await hasHeld(table.write([{ update: requestKey(requestId), set: { ttl }, if: exists("PK") }]));
  const lock = { update: lockKey(eventId, userId), set: { ttl: lockTtl(config) }, if: is("requestId", requestId) };
  await hasHeld(table.write([lock]));
}

/** Another change meanwhile begins it anew. */
async function isUnchanged(
  { table }: Entry,
  eventId: string,
  { revision }: ConfigItem,
  change: { set?: { extendFrom: number }; remove?: string[] },
): Promise<boolean> {
  const asRead = all(is("revision", revision), exists("extendFrom"));
  return hasHeld(table.write([{ update: configKey(eventId), ...change, if: asRead }]));
}
