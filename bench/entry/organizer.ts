/** What the rig asks of SnapRace's API as an organizer: events to enter, and afterwards everything that can be known of them. */

import { setTimeout as delay } from "node:timers/promises";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import type { ListedRequest, ListedRunner, Summary } from "./invariants.ts";

const ORG_ID = "load-rig";
const TOKEN_LIFETIME_MS = 24 * 3_600_000;
const PAGE = 200;
const TRIES = 240;
const TRY_AGAIN_MS = 250;

export type Organizer = {
  /** Open since yesterday. */
  createEvent(eventId: string, capacityTotal: number): Promise<void>;
  summary(eventId: string): Promise<Summary>;
  /** In queue order; with `atLeast`, only the front of the line. */
  requests(eventId: string, atLeast?: number): Promise<ListedRequest[]>;
  runners(eventId: string): Promise<ListedRunner[]>;
  /** The requests in the dead-letter queue. */
  deadLetters(eventId: string): Promise<string[]>;
};

/** Makes the organization too. */
export async function openOrganizer(url: string, secret: Uint8Array): Promise<Organizer> {
  const call = callerOf(url, secret);
  const all = async <T>(path: string, keep: (item: T) => T, atLeast = Number.POSITIVE_INFINITY): Promise<T[]> => {
    const items: T[] = [];
    let cursor = "";
    do {
      const joined = path.includes("?") ? "&" : "?";
      const page = await call(
        "GET",
        `${path}${joined}limit=${PAGE}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      items.push(...(page.items as T[]).map(keep));
      cursor = (page.cursor as string | undefined) ?? "";
    } while (cursor !== "" && items.length < atLeast);
    return items;
  };
  await call("POST", "/admin/organizations", { orgId: ORG_ID, name: "Load rig" });
  return {
    createEvent: async (eventId, capacityTotal) => {
      const opensAt = new Date(Date.now() - 86_400_000).toISOString();
      const entry = { eventType: "FIRST_COME", capacityTotal, opensAt, bibFormat: "000000" };
      const event = { eventId, name: eventId, date: "2090-04-18", timeZone: "Asia/Seoul", entry };
      await call("POST", `/admin/organizations/${ORG_ID}/events`, event);
    },
    summary: async (eventId) => (await call("GET", `/admin/events/${eventId}/summary`)) as unknown as Summary,
    requests: (eventId, atLeast) => all(`/admin/events/${eventId}/requests?order=queue`, keepRequest, atLeast),
    runners: (eventId) => all(`/admin/events/${eventId}/runners`, ({ bib, userId }: ListedRunner) => ({ bib, userId })),
    deadLetters: async (eventId) => {
      const { items } = await call("GET", `/admin/events/${eventId}/dead-letters`);
      return (items as { requestId: string | null }[]).flatMap(({ requestId }) => requestId ?? []);
    },
  };
}

/** A million of them have to fit into memory. */
function keepRequest(request: ListedRequest): ListedRequest {
  const { requestId, userId, status, resultCode, ticket, queuedAt, finishedAt } = request;
  return { requestId, userId, status, resultCode, ticket, queuedAt, finishedAt };
}

type Call = (method: string, path: string, send?: object) => Promise<{ [name: string]: unknown }>;

/** Tries again while the server is away, since some runs kill it. */
function callerOf(url: string, secret: Uint8Array): Call {
  const tokens = createAccessTokens(secret, { now: Date.now, revokedBefore: () => 0 });
  const holder = {
    userId: "rig",
    operator: true,
    organizations: [ORG_ID],
    photographers: [],
    session: false,
    tokenId: "rig",
  };
  const headers = {
    authorization: `Bearer ${tokens.issue(holder, TOKEN_LIFETIME_MS)}`,
    "content-type": "application/json",
  };
  const ask = async (method: string, path: string, send?: object) => {
    const answer = await fetch(`${url}/api${path}`, { method, headers, ...(send && { body: JSON.stringify(send) }) });
    return { status: answer.status, text: await answer.text() };
  };
  return async (method, path, send) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(method, path, send).catch((error: Error) => ({ status: 0, text: error.message }));
      if (answer.status >= 200 && answer.status < 300) return JSON.parse(answer.text);
      const isPassing = answer.status === 0 || answer.status >= 500;
      if (!isPassing || tries === TRIES) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      await delay(TRY_AGAIN_MS);
    }
  };
}
