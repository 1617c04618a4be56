/** A person asks for a place: one request for each person and event, however often they ask. */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { absent, all, any, atMost, is } from "../platform/conditions.ts";
import { Problem } from "../platform/problem.ts";
import { noEvent } from "./config.ts";
import type { Entry } from "./entry.ts";
import {
  type ConfigItem,
  closingTime,
  lockKey,
  lockTtl,
  logPut,
  type RequestItem,
  requestKey,
  requestTtl,
} from "./items.ts";
import { busy, closed } from "./tickets.ts";

/** Another process may be just leading a RECEIVED request to its ticket; after so long it has died. */
const LEFT_ALONE_MS = 2000;
const LOOK_AGAIN_MS = 50;

export type Participation = { request: RequestItem; duplicate: boolean };

type Ask = { eventId: string; userId: string };

/** A second click while the first is still on its way shares its answer, and costs next to nothing. */
export async function requestParticipation(entry: Entry, ask: Ask): Promise<Participation> {
  const { asking } = entry;
  const { PK } = lockKey(ask.eventId, ask.userId);
  const first = asking.get(PK);
  if (first) return { request: (await first).request, duplicate: true };
  const asked = requestOnce(entry, ask);
  asking.set(PK, asked);
  try {
    return await asked;
  } finally {
    asking.delete(PK);
  }
}

async function requestOnce(entry: Entry, { eventId, userId }: Ask): Promise<Participation> {
  const config = await entry.configs.read(eventId);
  if (!config.published) throw noEvent(eventId);
  const refusal = whyNotNow(config, entry.clock.now());
  if (refusal) return repeatOf(entry, { eventId, userId, refusal });
  const request = newRequest(entry, config, { eventId, userId });
  try {
    await create(entry, config, request);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    return repeatOf(entry, { eventId, userId });
  }
  return { request: await entry.lineUp.add(request), duplicate: false };
}

/** Why nobody can enter at this moment, if so. */
function whyNotNow(config: ConfigItem, now: number): Problem | undefined {
  if (config.status !== "Open" || now >= closingTime(config)) return closed();
  if (config.paused) {
    const sentence = "Entries are paused for the moment. Keep this page open and try again in a minute.";
    return new Problem("conflict", "participation.paused", sentence, { retryInMs: 15_000 });
  }
  if (now >= config.opensAt || config.openedAt !== undefined) return undefined;
  const opensAt = new Date(config.opensAt).toISOString();
  return new Problem("conflict", "participation.not-open", `Entries open at ${opensAt}. Come back then.`, {
    details: { opensAt: config.opensAt },
    retryInMs: config.opensAt - now,
  });
}

function newRequest({ clock, newRequestId }: Entry, config: ConfigItem, { eventId, userId }: Ask): RequestItem {
  const requestId = newRequestId();
  const requestedAt = clock.now();
  const { lotteryCutoffAt, announcedAt } = config;
  return {
    ...requestKey(requestId),
    entityType: "REQUEST",
    requestId,
    eventId,
    userId,
    eventType: config.eventType,
    status: "RECEIVED",
    uiResult: "PENDING",
    requestedAt,
    idempotencyKey: lockKey(eventId, userId).PK,
    ttl: requestTtl(config, requestedAt),
    ...(lotteryCutoffAt !== undefined && { lotteryCutoffAt, uiPhase: "COLLECTING" }),
    ...(announcedAt !== undefined && { announcedAt }),
  } as RequestItem;
}

async function create({ table }: Entry, config: ConfigItem, request: RequestItem): Promise<void> {
  const { eventId, userId, requestId, requestedAt } = request;
  const ttl = lockTtl(config);
  const lock = { ...lockKey(eventId, userId), entityType: "IDEMPOTENCY", requestId, createdAt: requestedAt, ttl };
  // A lock that has expired is no lock, though the engine may not have removed it yet.
  const free = any(absent("PK"), atMost("ttl", Math.floor(requestedAt / 1000)));
  await table.write([{ put: lock, if: free }, { put: request }]);
}

/** The stored request. One that never got its ticket goes on from where it was left, unless nobody can enter now. */
async function repeatOf(
  entry: Entry,
  { eventId, userId, refusal }: Ask & { refusal?: Problem },
): Promise<Participation> {
  const lock = await entry.table.get(lockKey(eventId, userId));
  if (!lock) throw refusal ?? busy();
  const requestId = lock.requestId as string;
  for (;;) {
    const underWay = entry.lineUp.underWay(requestId);
    if (underWay) return { request: await underWay, duplicate: true };
    const request = (await entry.table.get(requestKey(requestId))) as RequestItem | undefined;
    if (!request) throw refusal ?? busy();
    if (request.ticket !== undefined) return { request, duplicate: true };
    if (request.status === "FAILED_FINAL" && request.failureClass !== "RETRYABLE") return { request, duplicate: true };
    if (refusal) throw refusal;
    const isAlone = entry.clock.now() - request.requestedAt >= LEFT_ALONE_MS;
    if (request.status === "RECEIVED" && !isAlone) await entry.clock.sleep(LOOK_AGAIN_MS);
    else return { request: await resume(entry, request), duplicate: true };
  }
}

async function resume(entry: Entry, request: RequestItem): Promise<RequestItem> {
  const revived = request.status === "FAILED_FINAL" ? await revive(entry, request) : request;
  return entry.lineUp.underWay(request.requestId) ?? entry.lineUp.add(revived);
}

/** Nobody ever had a 202 for it, so that trying again may begin it anew. */
async function revive({ table, clock }: Entry, request: RequestItem): Promise<RequestItem> {
  const { requestId, finishedAt = 0 } = request;
  const requestedAt = Math.max(clock.now(), finishedAt + 1);
  const message = "Asked again, after it could not be put in line.";
  try {
    await table.write([
      {
        update: requestKey(requestId),
        set: { status: "RECEIVED", uiResult: "PENDING", requestedAt },
        remove: ["resultCode", "failureClass", "errorCode", "errorMessage", "finishedAt"],
        if: all(
          is("status", "FAILED_FINAL"),
          is("failureClass", "RETRYABLE"),
          is("finishedAt", finishedAt),
          absent("ticket"),
        ),
      },
      logPut(requestId, { fromStatus: "FAILED_FINAL", toStatus: "RECEIVED", occurredAt: requestedAt, message }),
    ]);
  } catch (error) {
    // Whoever was faster led it on.
    if (!(error instanceof ConditionFailed)) throw error;
  }
  return ((await table.get(requestKey(requestId))) as RequestItem | undefined) ?? request;
}
