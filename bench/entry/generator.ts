/**
 * The load generator, a process of its own: sends each click when it is due, however late the answers to others are,
 * and repeats what was cut off as a phone would. It gets its plan from the process that started it.
 */

import { setTimeout as delay } from "node:timers/promises";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { orderClicks } from "./clicks.ts";
import { type Connection, openConnection } from "./connection.ts";
import { type FromGenerator, type LoadPlan, type LoadResult, type ToGenerator, userOf } from "./load-plan.ts";

const HOST = "127.0.0.1";
const TOKEN_LIFETIME_MS = 3_600_000;
/** The server asks to try again with these. */
const TRY_AGAIN = new Set([429, 500, 502, 503]);
const RETRY_MS = 200;
const CONNECT_MS = 100;

let plan: LoadPlan | undefined;
let requests: Buffer[] = [];
process.on("message", async (message: ToGenerator) => {
  if (message.type === "plan") {
    plan = message.plan;
    requests = buildRequests(plan);
    tell({ type: "ready" });
  } else if (plan) {
    tell({ type: "done", result: await run(plan, requests) });
  }
});
process.on("disconnect", () => process.exit());

function tell(message: FromGenerator): void {
  process.send?.(message);
}

/** Before the start: signing takes as long as serving. */
function buildRequests({ secret, people, userPrefix, path, port }: LoadPlan): Buffer[] {
  const tokens = createAccessTokens(Buffer.from(secret, "hex"), { now: Date.now, revokedBefore: () => 0 });
  const nobody = { operator: false, organizations: [], photographers: [], session: false };
  return Array.from({ length: people }, (_, person) => {
    const userId = userOf(userPrefix, person);
    const token = tokens.issue({ ...nobody, userId, tokenId: userId }, TOKEN_LIFETIME_MS);
    const head = `POST ${path} HTTP/1.1\r\nhost: ${HOST}:${port}\r\nauthorization: Bearer ${token}\r\n`;
    return Buffer.from(`${head}content-length: 0\r\n\r\n`, "latin1");
  });
}

function emptyResult(persons: Int32Array, ratePerSecond: number | undefined): LoadResult {
  const count = persons.length;
  const dueMs = new Float64Array(count);
  if (ratePerSecond !== undefined) for (let n = 0; n < count; n += 1) dueMs[n] = (n * 1000) / ratePerSecond;
  return {
    startedAt: 0,
    persons,
    dueMs,
    lateMs: new Float64Array(count).fill(-1),
    answeredMs: new Float64Array(count),
    statuses: new Int16Array(count),
    retries: new Int16Array(count),
    triedAgain: {},
    bodies: new Array(count).fill(""),
    cpuMs: 0,
  };
}

/** Which click goes next, those to be sent again first, and what became of each. */
function createLine(result: LoadResult, isOpenLoop: boolean, finish: () => void) {
  const { dueMs, lateMs, retries, persons, triedAgain } = result;
  const again: { click: number; at: number }[] = [];
  let next = 0;
  let left = persons.length;
  const takeBack = (click: number, now: number) => {
    retries[click] = (retries[click] as number) + 1;
    again.push({ click, at: now + RETRY_MS });
  };
  return {
    take: (now: number): number | undefined => {
      if (again[0] && again[0].at <= now) return again.shift()?.click;
      if (next >= persons.length || (isOpenLoop && (dueMs[next] as number) > now)) return undefined;
      if (!isOpenLoop) dueMs[next] = now;
      lateMs[next] = now - (dueMs[next] as number);
      return next++;
    },
    takeBack,
    answered: (click: number, status: number, body: string, now: number) => {
      result.statuses[click] = status;
      if (TRY_AGAIN.has(status)) {
        triedAgain[status] = (triedAgain[status] ?? 0) + 1;
        return takeBack(click, now);
      }
      result.answeredMs[click] = now;
      result.bodies[click] = body;
      left -= 1;
      if (left === 0) finish();
    },
  };
}

/** Opens the connections at once, and sends over them from `start` on. */
function openSender(asked: LoadPlan, built: Buffer[], result: LoadResult) {
  const { promise: done, resolve: finish } = Promise.withResolvers<void>();
  const line = createLine(result, asked.ratePerSecond !== undefined, finish);
  const idle: Connection[] = [];
  let startedAt = Number.POSITIVE_INFINITY;
  const now = () => performance.now() - startedAt;
  const pump = () => {
    while (idle.length > 0 && now() >= 0) {
      // A connection that broke while idle is here once more than it can be used.
      const click = idle.at(-1)?.isIdle() ? line.take(now()) : -1;
      if (click === undefined) return;
      const connection = idle.pop();
      if (click !== -1) connection?.send(click, built[result.persons[click] as number] as Buffer);
    }
  };
  const listener = {
    idle: (connection: Connection) => {
      idle.push(connection);
      pump();
    },
    answered: (click: number, status: number, body: string) => line.answered(click, status, body, now()),
    broken: (click: number) => line.takeBack(click, now()),
  };
  const at = { host: HOST, port: asked.port };
  const connections = Array.from({ length: asked.connections }, () => openConnection(at, listener));
  return {
    done,
    start: () => {
      startedAt = performance.now();
      result.startedAt = performance.timeOrigin + startedAt;
      return setInterval(pump, 1);
    },
    close: () => connections.map((connection) => connection.close()),
  };
}

async function run(asked: LoadPlan, built: Buffer[]): Promise<LoadResult> {
  const result = emptyResult(orderClicks(asked.people, asked.seed), asked.ratePerSecond);
  const sender = openSender(asked, built, result);
  await delay(CONNECT_MS);
  const before = process.cpuUsage();
  const ticking = sender.start();
  await Promise.race([sender.done, delay(asked.giveUpAfterMs)]);
  clearInterval(ticking);
  const used = process.cpuUsage(before);
  result.cpuMs = (used.user + used.system) / 1000;
  sender.close();
  return result;
}
