/** Looks whether an event's places went in the order of its line, by walking along all of it. */

import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { EventId } from "../platform/ids.ts";
import { findCapacity, readConfig } from "./config.ts";
import type { Entry } from "./entry.ts";
import type { BlockItem, CapacityItem, ConfigItem, RequestItem } from "./items.ts";
import { blockBehind, type Line, readBlocks, readStanding, type Standing } from "./line.ts";
import { lineOf } from "./settle.ts";

const POSITIONS_AT_ONCE = 500;
const MOST_VOIDED_SHOWN = 100;
const LAGS_LOOKED_AT = 1000;
/** While a line moves, looking along it may take a tenth of the time at most. */
const PAUSE_FACTOR = 10;
const MOST_KEPT = 200;

const Count = z.int().min(0);
const Ms = z.int().min(0).meta({ description: "Milliseconds." });

export const Fairness = z
  .object({
    eventId: EventId,
    inversions: Count.meta({
      description: "Requests that got no place although one that stood behind them did. 0, or something is wrong.",
    }),
    voidedTickets: z
      .array(z.int())
      .meta({ description: `The first ${MOST_VOIDED_SHOWN} tickets that nobody came for.` }),
    voidedCount: Count,
    oldestUnsettledTicket: z.int().nullable().meta({
      description: "The first in line without a result. In a lottery only from the announcement on.",
    }),
    oldestUnsettledAgeMs: Ms.nullable().meta({ description: "How long it has been waiting." }),
    settleLagMs: z
      .object({ median: Ms, max: Ms })
      .nullable()
      .meta({
        description: `From ticket to result, of the last ${LAGS_LOOKED_AT} that were settled. None in a lottery.`,
      }),
    checkedRequests: Count,
    checkedAt: z.int().meta({ description: "When the line was walked along, in milliseconds since 1970." }),
  })
  .meta({ id: "EntryFairness" });
export type Fairness = z.infer<typeof Fairness>;

type Checked = Omit<Fairness, "eventId" | "oldestUnsettledTicket" | "oldestUnsettledAgeMs">;
type Kept = { version: number; until: number; checked: Promise<Checked> };

/** Whoever asks while a walk is under way shares it; it is not done again while the line stays as it is. */
export function createFairness(entry: Entry): { read(eventId: string): Promise<Fairness> } {
  const kept = new Map<string, Kept>();

  const check = (eventId: string, config: ConfigItem, capacity: CapacityItem): Promise<Checked> => {
    const known = kept.get(eventId);
    if (known && (known.version === capacity.version || entry.clock.now() < known.until)) return known.checked;
    if (kept.size >= MOST_KEPT) kept.clear();
    const startedAt = entry.clock.now();
    const checked = checkLine(entry, eventId, config, capacity.head);
    const walk: Kept = { version: capacity.version, until: Number.POSITIVE_INFINITY, checked };
    kept.set(eventId, walk);
    const forget = () => void (kept.get(eventId) === walk && kept.delete(eventId));
    const rest = ({ checkedAt }: Checked) => {
      walk.until = checkedAt + PAUSE_FACTOR * (checkedAt - startedAt);
    };
    checked.then(rest, forget);
    return checked;
  };

  return {
    read: async (eventId) => {
      const config = await readConfig(entry, eventId);
      const capacity = (await findCapacity(entry, eventId)) as CapacityItem;
      const checked = await check(eventId, config, capacity);
      return { eventId, ...checked, ...(await findOldest(entry, eventId, config)) };
    },
  };
}

/** Everybody before `head`: what stands there changes only together with the line's version. */
async function checkLine(entry: Entry, eventId: string, config: ConfigItem, head: number): Promise<Checked> {
  const { table } = entry;
  const line = lineOf(entry, eventId, config);
  const tally = createTally();
  const byTicket: Line = { table, eventId, kind: "TICKET" };
  for await (const blocks of walk(byTicket, line?.kind === "TICKET" ? head : Number.POSITIVE_INFINITY)) {
    tally.addVoided(blocks);
    if (line?.kind === "TICKET") tally.add(await readStanding(line, blocks));
  }
  if (line?.kind === "RANK") {
    for await (const blocks of walk(line, head)) tally.add(await readStanding(line, blocks));
  }
  const { losers, lastWinner, ...counted } = tally.read();
  // Who was without a place when the walk came by may have got one before the walk came to those behind them.
  const inversions = line && losers > 0 ? await countLosers(line, lastWinner) : 0;
  return { ...counted, inversions, checkedAt: entry.clock.now() };
}

async function countLosers(line: Line, before: number): Promise<number> {
  let count = 0;
  for await (const blocks of walk(line, before)) {
    const standing = await readStanding(line, blocks);
    count += standing.filter(({ position, request }) => position < before && hasLost(request)).length;
  }
  return count;
}

/** The blocks up to a position, some at a time; others get their turn in between. */
async function* walk(line: Line, upTo: number): AsyncGenerator<BlockItem[]> {
  let blocks: BlockItem[] = [];
  let positions = 0;
  for await (const block of readBlocks(line, 1)) {
    if (block.first >= upTo) break;
    blocks.push(block);
    positions += block.count;
    if (positions < POSITIONS_AT_ONCE) continue;
    yield blocks;
    await nextTurn();
    [blocks, positions] = [[], 0];
  }
  if (blocks.length > 0) yield blocks;
}

const hasLost = (request: RequestItem | undefined): boolean =>
  request?.resultCode === "REJECTED_CAPACITY" || request?.resultCode === "REJECTED_LOTTERY_LOSE";

function createTally() {
  const voidedTickets: number[] = [];
  const lags: number[] = [];
  let [voidedCount, checkedRequests, lagCount, losersSeen, losers, lastWinner] = [0, 0, 0, 0, 0, 0];
  const addOne = ({ position, request }: Standing) => {
    checkedRequests += 1;
    if (hasLost(request)) losersSeen += 1;
    if (request?.status === "SUCCEEDED") [losers, lastWinner] = [losersSeen, position];
    const lag = request && lagOf(request);
    if (lag !== undefined) lags[lagCount++ % LAGS_LOOKED_AT] = lag;
  };
  return {
    addVoided: (blocks: BlockItem[]) => {
      for (const { first } of blocks.filter(({ voided }) => voided)) {
        voidedCount += 1;
        if (voidedTickets.length < MOST_VOIDED_SHOWN) voidedTickets.push(first);
      }
    },
    add: (standing: Standing[]) => standing.forEach(addOne),
    read: () => ({
      voidedTickets,
      voidedCount,
      checkedRequests,
      settleLagMs: spread(lags),
      losers,
      lastWinner,
    }),
  };
}

/** Places that were given back, or given on much later, tell nothing of how quickly the line moves. */
function lagOf({ eventType, queuedAt, finishedAt, cancelledAt, promotedAt }: RequestItem): number | undefined {
  if (eventType === "LOTTERY" || queuedAt === undefined || finishedAt === undefined) return undefined;
  return cancelledAt === undefined && promotedAt === undefined ? finishedAt - queuedAt : undefined;
}

function spread(lags: number[]): Fairness["settleLagMs"] {
  if (lags.length === 0) return null;
  const sorted = lags.toSorted((a, b) => a - b);
  return { median: sorted[Math.floor(sorted.length / 2)] as number, max: sorted.at(-1) as number };
}

type Oldest = Pick<Fairness, "oldestUnsettledTicket" | "oldestUnsettledAgeMs">;

/** Read anew each time: where nobody settles, the line stays as it is and only its end grows. */
async function findOldest(entry: Entry, eventId: string, config: ConfigItem): Promise<Oldest> {
  const line = lineOf(entry, eventId, config);
  const { head } = (await findCapacity(entry, eventId)) as CapacityItem;
  const block = line && (await firstClaimed(line, head));
  const [next] = line && block ? await readStanding(line, [block]) : [];
  const { ticket, queuedAt } = next?.request ?? {};
  if (ticket === undefined || queuedAt === undefined)
    return { oldestUnsettledTicket: null, oldestUnsettledAgeMs: null };
  const since = Math.max(queuedAt, config.announcedAt ?? 0);
  return { oldestUnsettledTicket: ticket, oldestUnsettledAgeMs: Math.max(entry.clock.now() - since, 0) };
}

async function firstClaimed(line: Line, from: number): Promise<BlockItem | undefined> {
  let block = await blockBehind(line, from);
  while (block?.voided) block = await blockBehind(line, block.first + block.count);
  return block;
}
