/**
 * From RECEIVED to QUEUED: into the queue first, then a ticket. Requests of one process that come at the same time go
 * together, so that a burst shares a few writes: while some are under way, the next ones gather.
 */

import { ConditionFailed } from "../platform/condition-failed.ts";
import { all, is } from "../platform/conditions.ts";
import type { Fresh } from "../platform/fresh.ts";
import { Problem } from "../platform/problem.ts";
import type { EntryParts } from "./entry.ts";
import { type ConfigItem, logPut, type RequestItem, requestKey } from "./items.ts";
import { participationRequested } from "./message.ts";
import { busy, claimTickets, MOST_AT_ONCE, type Numbered, takeTickets, voidTickets } from "./tickets.ts";

const GROUPS_UNDER_WAY = 3;
const MOST_IN_GROUP = 10 * MOST_AT_ONCE;
const SEND_TRIES = 3;
const NUMBER_TRIES = 5;
const FIRST_PAUSE_MS = 50;
const BUSY_FROM = 32;
const MOST_REMEMBERED = 20_000;

export type LineUp = {
  /** Resolves when the request is QUEUED. `sent`: its message is in the queue already. */
  add(request: RequestItem, options?: { sent: boolean }): Promise<RequestItem>;
  /** The request's way, if this process is just leading it. */
  underWay(requestId: string): Promise<RequestItem> | undefined;
  /** So many are on their way through this process that other work should leave them the machine. */
  isBusy(): boolean;
  /** This process itself made it QUEUED not long ago, so that nobody needs to look. */
  hasQueued(requestId: string): boolean;
};

type Member = {
  request: RequestItem;
  sent: boolean;
  resolve(request: RequestItem): void;
  reject(error: unknown): void;
};

export function createLineUp(parts: EntryParts, configs: Fresh<ConfigItem>): LineUp {
  const lines = new Map<string, { waiting: Member[]; groups: number }>();
  const underWay = new Map<string, Promise<RequestItem>>();
  /** The last time given out by this process, so that it rarely tries one that is too early. */
  const lastQueuedAt = new Map<string, number>();

  const queued = new Set<string>();

  const goOn = (eventId: string) => {
    const line = lines.get(eventId);
    if (!line || line.groups >= GROUPS_UNDER_WAY) return;
    const group = line.waiting.splice(0, MOST_IN_GROUP);
    if (group.length === 0) {
      if (line.groups === 0) lines.delete(eventId);
      return;
    }
    line.groups += 1;
    void queueGroup(parts, configs, lastQueuedAt, eventId, group).finally(() => {
      line.groups -= 1;
      goOn(eventId);
    });
    goOn(eventId);
  };

  return {
    underWay: (requestId) => underWay.get(requestId),
    isBusy: () => underWay.size > BUSY_FROM,
    hasQueued: (requestId) => queued.has(requestId),
    add: (request, { sent } = { sent: false }) => {
      const { eventId, requestId } = request;
      // A second click may have taken the request up while the first still waited for its own write.
      const known = underWay.get(requestId);
      if (known) return known;
      const way = new Promise<RequestItem>((resolve, reject) => {
        const line = lines.get(eventId) ?? { waiting: [], groups: 0 };
        lines.set(eventId, line);
        const remember = (done: RequestItem) => {
          if (queued.size >= MOST_REMEMBERED) queued.clear();
          queued.add(requestId);
          resolve(done);
        };
        line.waiting.push({ request, sent, resolve: remember, reject });
      }).finally(() => underWay.delete(requestId));
      underWay.set(requestId, way);
      goOn(eventId);
      return way;
    },
  };
}

async function queueGroup(
  parts: EntryParts,
  configs: Fresh<ConfigItem>,
  lastQueuedAt: Map<string, number>,
  eventId: string,
  group: Member[],
): Promise<void> {
  try {
    const config = await configs.read(eventId);
    const sent = await sendGroup(parts, group);
    // In the order of their ids, which is that of the index by which organizers see the line.
    sent.sort((a, b) => (a.request.requestId < b.request.requestId ? -1 : 1));
    await numberGroup(parts, config, lastQueuedAt, sent);
  } catch (error) {
    for (const member of group) member.reject(error);
  }
}

/** Answers those whose message is in the queue; the others have failed. */
async function sendGroup(parts: EntryParts, group: Member[]): Promise<Member[]> {
  const unsent = group.filter((member) => !member.sent);
  if (unsent.length === 0) return group;
  const bodies = unsent.map(({ request }) => participationRequested(request));
  for (let tries = 1; ; tries += 1) {
    try {
      await parts.requests.send(bodies);
      return group;
    } catch (error) {
      if (tries < SEND_TRIES) {
        await parts.clock.sleep(FIRST_PAUSE_MS * tries);
        continue;
      }
      parts.onError(error);
      await refuseAll(parts, unsent, notQueued(error));
      return group.filter((member) => member.sent);
    }
  }
}

function notQueued(cause: unknown): Problem {
  const sentence = "Your request could not be put in line just now. Nothing is lost: try again in a moment.";
  return new Problem("unavailable", "participation.not-queued", sentence, { cause, retryInMs: 1000 });
}

/** Who is left without a ticket has their message in the queue: if they don't ask again, a worker gives it. */
async function numberGroup(
  parts: EntryParts,
  config: ConfigItem,
  lastQueuedAt: Map<string, number>,
  group: Member[],
): Promise<void> {
  let left = group;
  for (let tries = 1; left.length > 0; tries += 1) {
    try {
      left = await numberOnce(parts, config, lastQueuedAt, left);
    } catch (error) {
      if (error instanceof Problem && error.kind === "conflict") {
        await refuseAll(parts, left, error);
        return;
      }
      if (tries >= NUMBER_TRIES) throw error;
    }
    if (left.length === 0) return;
    left = await stillWaiting(parts, left);
    if (tries >= NUMBER_TRIES && left.length > 0) throw busy();
    if (tries > 1) await parts.clock.sleep(FIRST_PAUSE_MS * tries);
  }
}

/** Answers those that need another ticket. */
async function numberOnce(
  parts: EntryParts,
  config: ConfigItem,
  lastQueuedAt: Map<string, number>,
  group: Member[],
): Promise<Member[]> {
  const eventId = (group[0] as Member).request.eventId;
  const notBefore = (lastQueuedAt.get(eventId) ?? 0) + 1;
  const { first, queuedAt } = await takeTickets(parts, config, { eventId, count: group.length, notBefore });
  lastQueuedAt.set(eventId, queuedAt);
  const numbered = group.map((member, index) => ({ member, ticket: first + index, queuedAt }));
  const chunks: (typeof numbered)[] = [];
  for (let from = 0; from < numbered.length; from += MOST_AT_ONCE) {
    chunks.push(numbered.slice(from, from + MOST_AT_ONCE));
  }
  const left = await Promise.all(chunks.map((chunk) => claimChunk(parts, config, chunk)));
  return left.flat();
}

type NumberedMember = { member: Member; ticket: number; queuedAt: number };

async function claimChunk(parts: EntryParts, config: ConfigItem, chunk: NumberedMember[]): Promise<Member[]> {
  const numbered: Numbered[] = chunk.map(({ member, ticket, queuedAt }) => ({
    request: member.request,
    ticket,
    queuedAt,
  }));
  try {
    await claimTickets(parts, config, numbered);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) parts.onError(error);
    else if (error.failures.every(({ action }) => action > 0)) return claimOneByOne(parts, config, chunk, error);
    return chunk.map(({ member }) => member);
  }
  for (const { member, ticket, queuedAt } of chunk) {
    member.resolve({ ...member.request, status: "QUEUED", ticket, queuedAt });
  }
  return [];
}

/** Some requests of the chunk got a ticket elsewhere: theirs from here is void at once, the others keep theirs. */
async function claimOneByOne(
  parts: EntryParts,
  config: ConfigItem,
  chunk: NumberedMember[],
  { failures }: ConditionFailed,
): Promise<Member[]> {
  const taken = new Set(failures.map(({ action }) => action - 1));
  const eventId = (chunk[0] as NumberedMember).member.request.eventId;
  const unused = chunk.filter((_, index) => taken.has(index)).map(({ ticket }) => ticket);
  // Should this fail, the line voids them a little later.
  await voidTickets(parts, config, { eventId, tickets: unused }).catch(parts.onError);
  const others = chunk.filter((_, index) => !taken.has(index));
  const left = await Promise.all(others.map((each) => claimChunk(parts, config, [each])));
  return [...chunk.filter((_, index) => taken.has(index)).map(({ member }) => member), ...left.flat()];
}

/** Without those who have a ticket after all, from elsewhere or by a late write, or who were refused elsewhere. */
async function stillWaiting({ table }: EntryParts, members: Member[]): Promise<Member[]> {
  const items = await table.batchGet(members.map(({ request }) => requestKey(request.requestId)));
  return members.filter((member, index) => {
    const item = items[index] as RequestItem | undefined;
    if (item?.ticket !== undefined) member.resolve(item);
    else if (item?.status !== "RECEIVED") member.reject(busy());
    else return true;
    return false;
  });
}

async function refuseAll(parts: EntryParts, members: Member[], problem: Problem): Promise<void> {
  await Promise.all(members.map((member) => refuse(parts, member, problem).catch(member.reject)));
}

/** RECEIVED to FAILED_FINAL. The same person may try again, and the same request goes on. */
async function refuse(parts: EntryParts, member: Member, problem: Problem): Promise<void> {
  const { request } = member;
  const { requestId } = request;
  const at = Math.max(parts.clock.now(), request.requestedAt);
  const failed = {
    status: "FAILED_FINAL",
    uiResult: "FAILED",
    resultCode: problem.kind === "conflict" ? "FAILED_VALIDATION" : "FAILED_INGEST_ENQUEUE",
    failureClass: "RETRYABLE",
    errorCode: problem.code,
    errorMessage: problem.message.slice(0, 256),
    finishedAt: at,
  };
  const message = problem.message.slice(0, 256);
  try {
    await parts.table.write([
      {
        update: requestKey(requestId),
        set: failed,
        if: all(is("status", "RECEIVED"), is("requestedAt", request.requestedAt)),
      },
      logPut(requestId, { fromStatus: "RECEIVED", toStatus: "FAILED_FINAL", occurredAt: at, message }),
    ]);
    member.reject(problem);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) return member.reject(error);
    // A worker was faster and put it in line.
    const [left] = await stillWaiting(parts, [member]);
    left?.reject(problem);
  }
}
