/** What organizers do with an event's entry by hand: open, pause, close, draw, announce. */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { absent, all, exists, is, isNot } from "../platform/conditions.ts";
import { Problem } from "../platform/problem.ts";
import { readConfig } from "./config.ts";
import type { Entry } from "./entry.ts";
import { activeKey, type ConfigItem, configKey, ticketsKey } from "./items.ts";
import { findDraw, giveBeaconValue, leadLottery, tooEarly } from "./lottery.ts";
import { settleLine } from "./settle.ts";

/** Opens at once, also before its time; ends a pause; opens again what was closed. */
export async function openEntry(entry: Entry, eventId: string): Promise<void> {
  const { table, clock } = entry;
  const config = await readConfig(entry, eventId);
  await refuseAfterCutoff(entry, eventId, config);
  const now = clock.now();
  if ((config.closesAt ?? Number.POSITIVE_INFINITY) <= now) {
    const sentence = "The time at which entries close has passed. Set a later `closesAt` first.";
    throw new Problem("conflict", "entry.past-closing", sentence);
  }
  await change(
    entry,
    eventId,
    table.write([
      {
        update: configKey(eventId),
        set: { status: "Open", ...(now < config.opensAt && { openedAt: now }) },
        remove: ["paused", "closedByTime"],
        if: is("status", config.status),
      },
      { update: ticketsKey(eventId), remove: ["closed"], if: all(exists("next"), absent("frozen")) },
      { put: { ...activeKey(eventId), eventId } },
    ]),
  );
}

/** Nobody can enter until it is opened again; who stands in line is settled. */
export async function pauseEntry(entry: Entry, eventId: string): Promise<void> {
  const config = await readConfig(entry, eventId);
  if (config.status !== "Open") {
    throw new Problem("conflict", "entry.closed", "Entries are closed, so there is nothing to pause. Open them first.");
  }
  await change(
    entry,
    eventId,
    entry.table.write([{ update: configKey(eventId), set: { paused: true }, if: is("status", "Open") }]),
  );
}

/** Nobody gets a ticket any more, not even who has just asked for one. */
export async function closeEntry(entry: Entry, eventId: string, closedByTime = false): Promise<void> {
  const { status } = await readConfig(entry, eventId);
  if (status === "Announced") return;
  await change(
    entry,
    eventId,
    entry.table.write([
      {
        update: configKey(eventId),
        set: { status: "Closed", ...(closedByTime && { closedByTime }) },
        remove: closedByTime ? ["paused"] : ["paused", "closedByTime"],
        if: all(exists("status"), isNot("status", "Announced")),
      },
      { update: ticketsKey(eventId), set: { closed: true }, if: exists("next") },
    ]),
  );
}

/** After the cutoff the draw makes itself, unless it needs the value of a beacon, which comes with this. */
export async function drawNow(entry: Entry, eventId: string, beaconValue?: string): Promise<void> {
  const config = await readConfig(entry, eventId);
  checkLottery(config);
  if (entry.clock.now() < (config.lotteryCutoffAt as number)) throw tooEarly();
  if (beaconValue !== undefined) {
    await closeEntry(entry, eventId);
    await giveBeaconValue(entry, eventId, beaconValue);
  }
  await leadLottery(entry, eventId, config);
  const draw = await findDraw(entry, eventId);
  if (draw?.isProven) return;
  const sentence = `The draw waits for its beacon: ${draw?.beaconSource}. Give its value as \`beaconValue\`.`;
  throw new Problem("conflict", "draw.needs-beacon", sentence);
}

/** Announces what is due; never before its time. */
export async function announceNow(entry: Entry, eventId: string): Promise<void> {
  const config = await readConfig(entry, eventId);
  checkLottery(config);
  const at = config.announcedAt as number;
  if (entry.clock.now() < at) {
    const sentence = `The results are announced at ${new Date(at).toISOString()}. Set an earlier \`announcedAt\` first.`;
    throw new Problem("conflict", "draw.not-due", sentence);
  }
  await drawNow(entry, eventId);
  await settleLine(entry, eventId);
}

function checkLottery({ eventType }: ConfigItem): void {
  if (eventType === "LOTTERY") return;
  throw new Problem("conflict", "draw.first-come", "Places of this event go first-come: there is no draw.");
}

async function refuseAfterCutoff(entry: Entry, eventId: string, config: ConfigItem): Promise<void> {
  if (config.eventType !== "LOTTERY") return;
  const draw = await findDraw(entry, eventId);
  if (draw?.frozenAt === undefined && entry.clock.now() < (config.lotteryCutoffAt as number)) return;
  const sentence = "The cutoff has passed and the list of entrants is frozen: nobody can enter any more.";
  throw new Problem("conflict", "entry.frozen", sentence);
}

async function change({ configs }: Entry, eventId: string, write: Promise<void>): Promise<void> {
  const changed = write.finally(() => configs.forget(eventId));
  await changed.catch((error) => {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Problem("conflict", "entry.changed", "Somebody changed this at the same moment. Look, and try again.");
  });
}
