/**
 * Settles an event's line from its head on: places go in the order of the line, whoever of the workers does it and
 * whatever message woke it. Each step is one transaction, conditional on the line being as it was read.
 */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { findCapacity, findConfig, findTickets } from "./config.ts";
import type { Entry } from "./entry.ts";
import type { BlockItem, CapacityItem, ConfigItem } from "./items.ts";
import { blockBehind, type Line, readBlocks, readStanding } from "./line.ts";
import { carryOutgoing } from "./outgoing.ts";
import { promoteNext } from "./promote.ts";
import { settleActions, startActions } from "./settle-actions.ts";
import { MOST_AT_ONCE, voidTickets } from "./tickets.ts";

/** A ticket is claimed within milliseconds of being given out; after so long its owner has died. */
const VOID_AFTER_MS = 1000;
/** Left behind by a process that is long gone, whatever the clocks say: nobody needs to wait for it again. */
const OLD_GAP_MS = 5000;
const LOOK_AGAIN_MS = 50;
const MOST_VOIDED_AT_ONCE = 99;
const MOST_CONFLICTS = 50;
const BURST_PAUSE_MS = 50;

type Gap = { at: number; upTo: number; since: number };

/** Settles everybody who stands in line now. Answers false when other workers are so busy with it that some may be left. */
export function settleLine(entry: Entry, eventId: string): Promise<boolean> {
  const running = entry.settling.get(eventId);
  // Who comes while it runs may have come too late for it: they share the round after it.
  const settled = running
    ? running.catch(() => false).then(() => entry.settling.get(eventId) ?? startSettling(entry, eventId))
    : startSettling(entry, eventId);
  return settled;
}

function startSettling(entry: Entry, eventId: string): Promise<boolean> {
  const settled = settleAll(entry, eventId).finally(() => {
    if (entry.settling.get(eventId) === settled) entry.settling.delete(eventId);
  });
  entry.settling.set(eventId, settled);
  return settled;
}

async function settleAll(entry: Entry, eventId: string): Promise<boolean> {
  let gap: Gap | undefined;
  await carryOutgoing(entry, eventId);
  for (let conflicts = 0; ; ) {
    // In a burst, getting everybody in line goes first; who has a ticket loses nothing by a moment.
    if (entry.lineUp.isBusy()) await entry.clock.sleep(BURST_PAUSE_MS);
    const config = await findConfig(entry, eventId);
    const capacity = await findCapacity(entry, eventId);
    // Its event was removed under it: whoever still waits hears of that by their message.
    if (!config || !capacity) return false;
    const line = lineOf(entry, eventId, config);
    if (!line) return true;
    try {
      const step = await settleStep(entry, line, config, capacity, gap);
      if (step === "done") break;
      gap = typeof step === "object" ? step : undefined;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Another worker was faster; what it did is read anew.
      conflicts += 1;
      if (conflicts > MOST_CONFLICTS) return false;
    }
  }
  await carryOutgoing(entry, eventId);
  return true;
}

/** A lottery has no line before it is announced. */
export function lineOf({ table }: Pick<Entry, "table">, eventId: string, config: ConfigItem): Line | undefined {
  if (config.eventType === "FIRST_COME") return { table, eventId, kind: "TICKET" };
  return config.status === "Announced" ? { table, eventId, kind: "RANK" } : undefined;
}

/** One transaction's worth; or nothing to do; or a gap to wait at. */
async function settleStep(
  entry: Entry,
  line: Line,
  config: ConfigItem,
  capacity: CapacityItem,
  gap: Gap | undefined,
): Promise<"moved" | "done" | Gap> {
  if (capacity.capacityRemaining > 0 && capacity.reserveFrom < capacity.head) {
    await promoteNext(entry, line, config, capacity);
    return "moved";
  }
  const blocks = await nextBlocks(line, capacity.head);
  if (blocks.length === 0) return waitAtGap(entry, line, config, capacity.head, gap);
  await settleBlocks(entry, line, config, capacity, blocks);
  entry.live.moved(line.eventId);
  return "moved";
}

async function settleBlocks(
  entry: Entry,
  line: Line,
  config: ConfigItem,
  capacity: CapacityItem,
  blocks: BlockItem[],
): Promise<void> {
  const { table, clock } = entry;
  const { eventId } = line;
  const end = blocks.reduce((position, { count }) => position + count, capacity.head);
  let standing = await readStanding(line, blocks);
  let current = capacity;
  if (capacity.startedTo < end) {
    const started = startActions({ eventId, capacity, standing, end, now: clock.now() });
    await table.write(started.actions);
    ({ capacity: current, standing } = started);
  }
  const voided = blocks.filter((block) => block.voided).length;
  await table.write(settleActions({ line, config, capacity: current, standing, end, voided, now: clock.now() }));
}

async function nextBlocks(line: Line, head: number): Promise<BlockItem[]> {
  const blocks: BlockItem[] = [];
  let positions = 0;
  for await (const block of readBlocks(line, head)) {
    positions += block.count;
    if (positions > MOST_AT_ONCE) break;
    blocks.push(block);
  }
  return blocks;
}

/** Nobody claimed the ticket at the head. If it was given out, its owner gets a moment before it is void. */
async function waitAtGap(
  entry: Entry,
  line: Line,
  config: ConfigItem,
  head: number,
  gap: Gap | undefined,
): Promise<"moved" | "done" | Gap> {
  const { clock } = entry;
  const { eventId } = line;
  if (line.kind === "RANK") return "done";
  const counter = await findTickets(entry, eventId);
  if (!counter || head >= counter.next) return "done";
  // All tickets below the counter had been given out by then, so that each has had the whole time.
  const current = gap?.at === head ? gap : { at: head, upTo: counter.next, since: clock.now() };
  const behind = await blockBehind(line, head);
  const givenBefore = behind?.queuedAt ?? counter.queuedAt;
  const isOld = clock.now() - givenBefore >= OLD_GAP_MS;
  if (!isOld && clock.now() - current.since < VOID_AFTER_MS) {
    await clock.sleep(LOOK_AGAIN_MS);
    return current;
  }
  const end = Math.min(behind?.first ?? counter.next, current.upTo, head + MOST_VOIDED_AT_ONCE);
  const tickets = Array.from({ length: Math.max(end - head, 0) }, (_, index) => head + index);
  if (tickets.length > 0) await voidTickets(entry, config, { eventId, tickets });
  return "moved";
}

/** Once a counter is closed: afterwards every ticket it gave out is claimed or void. */
export async function voidUnclaimed(entry: Entry, eventId: string, config: ConfigItem): Promise<void> {
  const line: Line = { table: entry.table, eventId, kind: "TICKET" };
  let position = 1;
  for (let gap: Gap | undefined; ; ) {
    for await (const { first, count } of readBlocks(line, position)) position = first + count;
    const step = await waitAtGap(entry, line, config, position, gap);
    if (step === "done") return;
    gap = typeof step === "object" ? step : undefined;
  }
}
