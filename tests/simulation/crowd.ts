/** What people and organizers do in a simulated world: they click, click again, give places back, change their minds. */

import type { Entry } from "../../src/entry/entry.ts";
import { Problem } from "../../src/platform/problem.ts";
import type { EntrySettings } from "../../src/registry/events.ts";
import { demand } from "./broken.ts";
import { isExpected } from "./life.ts";
import { type Deed, EVENT_ID } from "./plan.ts";
import type { World } from "./world.ts";

/** People who got no answer, or were told to try again, do so now and then. */
const PATIENCE_MS = 6000;
const MOST_TRIES = 4;
const ORGANIZER_PAUSE_MS = 1500;

export function planDeeds(world: World): void {
  for (const { afterMs, deed } of world.plan.deeds) {
    world.scheduler.plan(
      afterMs,
      () => `the world: ${JSON.stringify(deed)}`,
      () => perform(world, deed),
    );
  }
}

const userOf = (person: number): string => `person-${person}`;

function perform(world: World, deed: Deed): void {
  const { module } = world;
  switch (deed.kind) {
    case "click":
      click(world, deed.person, 1);
      return;
    case "cancel":
      cancel(world, deed.person);
      return;
    case "resize":
      resize(world, deed.by);
      return;
    case "move":
      move(world, deed.byMs);
      return;
    case "announce":
      attempt(world, "isApi", (entry) => module.announceNow(entry, EVENT_ID));
      return;
    case "pause":
      attempt(world, "isApi", (entry) => module.pauseEntry(entry, EVENT_ID));
      return;
    case "close":
      attempt(world, "isApi", (entry) => module.closeEntry(entry, EVENT_ID));
      return;
    case "open":
      attempt(world, "isApi", (entry) => module.openEntry(entry, EVENT_ID));
      return;
    case "redrive":
      attempt(world, "isApi", async (entry) => world.happened("redriven", await entry.requests.redrive()));
      return;
    case "junk":
      attempt(world, "isApi", (entry) => entry.requests.send([world.random.pick(JUNK)]));
      return;
    case "look":
      attempt(world, "isApi", (entry) => look(world, entry));
      return;
    case "remove":
      remove(world);
      return;
    case "beacon":
      giveBeacon(world);
  }
}

const requested = (requestId: string, eventId: string) =>
  JSON.stringify({ type: "participation.requested", requestId, eventId });
const JUNK = [
  "no message at all",
  "{}",
  requested("01JD2QX5Y8V6M3T9K7R4W1ZP0N", EVENT_ID),
  requested("01JD2QX5Y8V6M3T9K7R4W1ZP0N", "an-event-that-is-gone"),
];

/** Answers may never come: whoever was asked may have died. */
function attempt(world: World, kind: "isApi" | "isWorker", work: (entry: Entry) => Promise<unknown>): Promise<boolean> {
  const life = world.someLife(kind);
  if (!life) return Promise.resolve(false);
  return work(life.entry).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof Problem && isExpected(error, world.isRemoved))) world.failure ??= error;
      return false;
    },
  );
}

function click(world: World, person: number, tries: number): void {
  let answered = false;
  const again = () => {
    if (answered || tries >= MOST_TRIES || world.random.chance(0.3)) return;
    answered = true;
    click(world, person, tries + 1);
  };
  world.scheduler.plan(PATIENCE_MS, () => `person ${person} is still waiting`, again);
  const life = world.someLife("isApi");
  if (!life) return;
  world.arrives(person);
  const asked = { eventId: EVENT_ID, userId: userOf(person) };
  world.module.requestParticipation(life.entry, asked).then(
    ({ request: { requestId, ticket } }) => {
      answered = true;
      noting(world, () => world.acknowledge(person, { requestId, ticket }));
    },
    (error: unknown) => {
      if (!(error instanceof Problem && isExpected(error, world.isRemoved))) world.failure ??= error;
      else if (error.kind === "unavailable") world.scheduler.plan(1000, () => `person ${person} tries again`, again);
      else answered = true;
    },
  );
}

/** A broken invariant found while a process was at work ends the run like any other. */
function noting(world: World, check: () => void): void {
  try {
    check();
  } catch (error) {
    world.failure ??= error;
  }
}

function cancel(world: World, person: number): void {
  const told = world.acknowledged.get(person);
  if (!told) return;
  const ask = { requestId: told.requestId, userId: userOf(person) };
  void attempt(world, "isApi", async (entry) => {
    const { resultCode, place } = await world.module.cancelParticipation(entry, ask);
    noting(world, () => {
      demand(
        resultCode === "CANCELLED" && place === undefined,
        "cancelled-is-cancelled",
        () => `${resultCode} ${place}`,
      );
    });
  });
}

function resize(world: World, by: number): void {
  change(world, (entry) => ({ ...entry, capacityTotal: Math.max(0, entry.capacityTotal + by) }));
}

/** The end of entries, earlier or later. */
function move(world: World, byMs: number): void {
  const moved = (at: string) => new Date(Date.parse(at) + byMs).toISOString();
  change(world, (entry) => {
    if (entry.eventType === "LOTTERY") {
      return { ...entry, lotteryCutoffAt: moved(entry.lotteryCutoffAt), announcedAt: moved(entry.announcedAt) };
    }
    const { closesAt, ...rest } = entry;
    if (closesAt !== undefined && byMs > 2000) return rest;
    return { ...rest, closesAt: moved(closesAt ?? new Date(world.scheduler.nowMs).toISOString()) };
  });
}

/** The registry asks whether it may, says it once, and entry is told until it has understood. */
function change(world: World, changed: (entry: EntrySettings) => EntrySettings): void {
  const { event, module } = world;
  void attempt(world, "isApi", async (entry) => {
    const before = event.entry as EntrySettings;
    const after = changed(before);
    await module.checkEntryChange(entry, { eventId: EVENT_ID, before, after });
    // Rows are locked while they change, so that nobody else's change is lost.
    if (event.entry !== before || world.isRemoved) return;
    event.entry = after;
    event.revision += 1;
    untilDone(world, "the change", (one) => module.applySettings(one, EVENT_ID));
  });
}

/** The registry has no such event any more, and says so until entry has cleared up. */
function remove(world: World): void {
  world.isRemoved = true;
  const occurredAt = new Date(world.scheduler.nowMs).toISOString();
  const { orgId, revision } = world.event;
  const body = JSON.stringify({ type: "event.removed", eventId: EVENT_ID, orgId, revision, occurredAt });
  untilDone(world, "the removal", async (entry) => {
    const message = { id: "1", body, receives: 1, sentAt: world.scheduler.nowMs };
    const [failure] = await world.module.followRegistry(entry)([message]);
    if (failure) throw new Problem("unavailable", "simulation.not-yet", failure.reason);
  });
}

function giveBeacon(world: World): void {
  const { entry } = world.event;
  if (entry?.eventType !== "LOTTERY" || entry.beaconSource === undefined) return;
  untilDone(world, "beacon", (one) => world.module.drawNow(one, EVENT_ID, "six"));
}

function untilDone(world: World, label: string, work: (entry: Entry) => Promise<unknown>): void {
  let done = false;
  const tryOnce = () => {
    if (done) return;
    void attempt(world, "isApi", work).then((succeeded) => {
      done ||= succeeded;
    });
    world.scheduler.plan(ORGANIZER_PAUSE_MS, () => `the organizer looks at ${label}`, tryOnce);
  };
  tryOnce();
}

/** An index may lag behind; but what it shows is in the order of the line, and real. */
async function look(world: World, entry: Entry): Promise<void> {
  const tickets: number[] = [];
  for await (const { requestId, ticket } of world.module.readEventRequests(entry, EVENT_ID)) {
    const stored = world.requestRules.requests.get(requestId);
    noting(world, () => demand(stored?.ticket === ticket, "index-is-real", () => `${requestId} with ticket ${ticket}`));
    tickets.push(ticket as number);
  }
  const inOrder = tickets.every((ticket, index) => index === 0 || (tickets[index - 1] as number) < ticket);
  noting(world, () => demand(inOrder, "index-in-line-order", () => tickets.join(", ")));
}
