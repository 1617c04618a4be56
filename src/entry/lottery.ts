/**
 * A lottery's way after its cutoff: freeze the list of entrants, draw, announce. Every step can be killed and done again:
 * each begins with what is stored, and ends with one conditional write.
 */

import { ConditionFailed, hasHeld } from "../platform/condition-failed.ts";
import { absent, all, exists, is, isNot } from "../platform/conditions.ts";
import type { Action } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { findCapacity, findTickets } from "./config.ts";
import { drawOrder, type Entrant, entrantHash, entrantsSha256 } from "./draw/draw.ts";
import { entrantsText, proofText } from "./draw/proof.ts";
import type { Entry } from "./entry.ts";
import {
  blockKey,
  type ConfigItem,
  capacityKey,
  configKey,
  type DrawItem,
  drawKey,
  lineTtl,
  ticketsKey,
} from "./items.ts";
import { readBlocks } from "./line.ts";
import { voidUnclaimed } from "./settle.ts";
import { MOST_AT_ONCE } from "./tickets.ts";

const WRITES_AT_ONCE = 90;

export const entrantsFile = (eventId: string): string => `${eventId}/entrants.txt`;
export const proofFile = (eventId: string): string => `${eventId}/proof.json`;

type NamedEntrant = Entrant & { requestId: string };

export async function findDraw({ table }: Pick<Entry, "table">, eventId: string): Promise<DrawItem | undefined> {
  return (await table.get(drawKey(eventId))) as DrawItem | undefined;
}

/** Does whatever is due; what waits for a later time, or for the beacon's value, stays as it is. */
export async function leadLottery(entry: Entry, eventId: string, config: ConfigItem): Promise<void> {
  const { clock } = entry;
  if (clock.now() < (config.lotteryCutoffAt as number)) return;
  let draw = await findDraw(entry, eventId);
  if (draw && draw.frozenAt === undefined) draw = await freeze(entry, eventId, config);
  if (draw?.frozenAt !== undefined && !draw.isListed) draw = await publishList(entry, eventId, draw);
  if (draw?.isListed && draw.drawnAt === undefined && !waitsForBeacon(draw)) draw = await fixDraw(entry, eventId);
  if (draw?.drawnAt !== undefined && !draw.isProven) draw = await storeDraw(entry, eventId, config, draw);
  if (draw?.isProven && clock.now() >= (config.announcedAt as number)) await announce(entry, eventId);
}

const waitsForBeacon = ({ beaconSource, beaconValue }: DrawItem) =>
  beaconSource !== undefined && beaconValue === undefined;

/** From here on there are no more tickets. */
async function freeze(entry: Entry, eventId: string, config: ConfigItem): Promise<DrawItem | undefined> {
  const { table, clock } = entry;
  await hasHeld(
    table.write([
      {
        update: configKey(eventId),
        set: { status: "Closed" },
        if: all(exists("status"), isNot("status", "Announced")),
      },
      { update: ticketsKey(eventId), set: { closed: true, frozen: true }, if: exists("next") },
    ]),
  );
  await voidUnclaimed(entry, eventId, config);
  const { entrants, voided } = await readEntrants(entry, eventId);
  const facts = { frozenAt: clock.now(), entrants: entrants.length, entrantsSha256: entrantsSha256(entrants) };
  return record(entry, eventId, [
    { update: drawKey(eventId), set: facts, if: all(exists("seed"), absent("frozenAt")) },
    { update: capacityKey(eventId), set: { voided }, if: exists("version") },
  ]);
}

async function publishList(entry: Entry, eventId: string, draw: DrawItem): Promise<DrawItem | undefined> {
  const { entrants } = await readEntrants(entry, eventId);
  const facts = {
    eventId,
    frozenAt: draw.frozenAt as number,
    entrantCount: draw.entrants as number,
    entrantsSha256: draw.entrantsSha256 as string,
  };
  await putText(entry, entrantsFile(eventId), "text/plain; charset=utf-8", entrantsText(facts, entrants));
  return record(entry, eventId, [{ update: drawKey(eventId), set: { isListed: true }, if: exists("seed") }]);
}

/** All that the draw depends on is settled by this; what follows can be made again and comes out the same. */
async function fixDraw(entry: Entry, eventId: string): Promise<DrawItem | undefined> {
  const capacity = await findCapacity(entry, eventId);
  if (!capacity) return undefined;
  const facts = { drawnAt: entry.clock.now(), capacityTotal: capacity.capacityTotal };
  const isFirst = all(exists("seed"), absent("drawnAt"));
  return record(entry, eventId, [{ update: drawKey(eventId), set: facts, if: isFirst }]);
}

async function storeDraw(
  entry: Entry,
  eventId: string,
  config: ConfigItem,
  draw: DrawItem,
): Promise<DrawItem | undefined> {
  const { entrants } = await readEntrants(entry, eventId);
  const order = drawOrder(entrants, draw.seed, draw.beaconValue ?? null);
  await storeOrder(entry, eventId, config, order);
  const facts = {
    eventId,
    capacityTotal: draw.capacityTotal as number,
    commitment: draw.commitment,
    committedAt: draw.committedAt,
    seed: draw.seed,
    beacon: draw.beaconValue === undefined ? null : { source: draw.beaconSource as string, value: draw.beaconValue },
    frozenAt: draw.frozenAt as number,
    drawnAt: draw.drawnAt as number,
    entrantCount: draw.entrants as number,
    entrantsSha256: draw.entrantsSha256 as string,
  };
  const tickets = order.map(({ ticket }) => ticket);
  await putText(entry, proofFile(eventId), "application/json", proofText(facts, entrants, tickets));
  return record(entry, eventId, [{ update: drawKey(eventId), set: { isProven: true }, if: exists("seed") }]);
}

/** Whoever was first has decided; what is stored then holds. */
async function record(entry: Entry, eventId: string, actions: Action[]): Promise<DrawItem | undefined> {
  await hasHeld(entry.table.write(actions));
  return findDraw(entry, eventId);
}

/** Settling the line then writes the results, rank by rank. */
async function announce({ table }: Entry, eventId: string): Promise<void> {
  await hasHeld(
    table.write([{ update: configKey(eventId), set: { status: "Announced" }, if: is("status", "Closed") }]),
  );
}

async function readEntrants({ table }: Entry, eventId: string): Promise<{ entrants: NamedEntrant[]; voided: number }> {
  const entrants: NamedEntrant[] = [];
  let voided = 0;
  for await (const { first, requestIds = [], voided: isVoid } of readBlocks({ table, eventId, kind: "TICKET" }, 1)) {
    if (isVoid) voided += 1;
    for (const [index, requestId] of requestIds.entries()) {
      entrants.push({ ticket: first + index, hash: entrantHash(eventId, requestId), requestId });
    }
  }
  return { entrants, voided };
}

/** The same order each time it is made, so that a second worker writes nothing else. */
async function storeOrder({ table }: Entry, eventId: string, config: ConfigItem, order: NamedEntrant[]): Promise<void> {
  let actions: Action[] = [];
  for (let index = 0; index < order.length; index += MOST_AT_ONCE) {
    const requestIds = order.slice(index, index + MOST_AT_ONCE).map(({ requestId }) => requestId);
    const first = index + 1;
    const block = { ...blockKey(eventId, "RANK", first), first, count: requestIds.length, requestIds };
    actions.push({ put: { ...block, ttl: lineTtl(config) } });
    if (actions.length < WRITES_AT_ONCE && index + MOST_AT_ONCE < order.length) continue;
    await table.write(actions);
    actions = [];
  }
}

async function putText({ draws }: Entry, key: string, contentType: string, text: AsyncIterable<string>): Promise<void> {
  await draws.put(key, bytesOf(text), { contentType });
}

async function* bytesOf(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for await (const piece of text) yield encoder.encode(piece);
}

/** The public value named in advance, given once, when nobody can enter any more. */
export async function giveBeaconValue(entry: Entry, eventId: string, beaconValue: string): Promise<void> {
  const draw = await findDraw(entry, eventId);
  if (draw?.beaconSource === undefined) {
    const sentence = "This draw has no beacon: none was named before entries opened. Draw without a value.";
    throw new Problem("conflict", "draw.no-beacon", sentence);
  }
  const tickets = await findTickets(entry, eventId);
  if (!tickets?.closed) throw tooEarly();
  const isFirst = all(exists("seed"), absent("beaconValue"));
  try {
    await entry.table.write([{ update: drawKey(eventId), set: { beaconValue }, if: isFirst }]);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const stored = await findDraw(entry, eventId);
    if (stored?.beaconValue === beaconValue) return;
    throw new Problem("conflict", "draw.beacon-given", "The beacon's value was given before and can't be changed.");
  }
}

export function tooEarly(): Problem {
  return new Problem("conflict", "draw.too-early", "The draw comes after the cutoff, when nobody can enter any more.");
}
