/** An event that takes entries, as its organizer and its entrants see it over HTTP. */

import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Caller, Reply, TestProgram } from "./program.ts";

const PATIENCE_MS = 30_000;
const LOOK_AGAIN_MS = 20;

export const FIRST_COME = { eventType: "FIRST_COME", capacityTotal: 3, opensAt: "2026-01-01T00:00:00Z" };
/** Nobody waits for these times; tests move them. */
export const LOTTERY = {
  ...FIRST_COME,
  eventType: "LOTTERY",
  lotteryCutoffAt: "2090-01-01T00:00:00Z",
  announcedAt: "2090-01-02T00:00:00Z",
};

export type EntryEvent = {
  eventId: string;
  orgId: string;
  organizer: Caller;
  /** Below the event's path among the organizers'. */
  get(path: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  /** Changes the settings and waits until entry knows of it. */
  changeEntry(change: object): Promise<void>;
  /** One after the other, so that tickets go in the order of the names. */
  enter(...userIds: string[]): Promise<string[]>;
};

export async function makeEntryEvent(program: TestProgram, entry: object, more: object = {}): Promise<EntryEvent> {
  const { orgId, organizer } = await program.makeOrganization();
  const eventId = `race-${randomBytes(4).toString("hex")}`;
  const event = { eventId, name: eventId, date: "2090-04-18", timeZone: "Asia/Seoul", entry, ...more };
  await done(organizer("POST", `/admin/organizations/${orgId}/events`, event));
  const path = `/admin/events/${eventId}`;
  const changeEntry = async (change: object) => {
    const { body } = await organizer("GET", path);
    await done(organizer("PATCH", path, { entry: { ...body.entry, ...change } }));
    const wanted: [string, unknown][] = Object.entries({ ...body.entry, ...change });
    await until(async () => {
      const shown = (await organizer("GET", `${path}/entry`)).body;
      return wanted.every(
        ([name, value]) => !(name in shown) || shown[name] === (name.endsWith("At") ? Date.parse(`${value}`) : value),
      );
    });
  };
  const enter = async (...userIds: string[]) => {
    const requestIds: string[] = [];
    for (const userId of userIds) {
      const { body } = await done(program.as({ userId })("POST", `/events/${eventId}/participations`));
      requestIds.push(body.requestId);
    }
    return requestIds;
  };
  return {
    eventId,
    orgId,
    organizer,
    get: (below) => organizer("GET", `${path}${below}`),
    post: (below, body) => organizer("POST", `${path}${below}`, body),
    changeEntry,
    enter,
  };
}

export async function done(answer: Promise<Reply>): Promise<Reply> {
  const reply = await answer;
  if (reply.status >= 300) throw new Error(`${reply.status}: ${JSON.stringify(reply.body)}`);
  return reply;
}

/** Looks until there is something, and answers it; how long that takes is nobody's promise. */
export async function until<T>(look: () => Promise<T>): Promise<Exclude<T, undefined | false>> {
  for (const endAt = Date.now() + PATIENCE_MS; Date.now() < endAt; await delay(LOOK_AGAIN_MS)) {
    const found = await look();
    if (found) return found as Exclude<T, undefined | false>;
  }
  throw new Error(`After ${PATIENCE_MS} ms it was still not so: ${look}`);
}

/** Everybody who entered has a result. */
export async function untilSettled({ get }: EntryEvent): Promise<void> {
  await until(async () => {
    const { byStatus } = (await get("/summary")).body;
    return byStatus.QUEUED + byStatus.PROCESSING === 0;
  });
}
