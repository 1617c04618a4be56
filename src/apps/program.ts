/** The whole program behind its HTTP face, however it is reached: over a port, by Lambda, or from the command line. */

import path from "node:path";
import type { Hono } from "hono";
import type { Dialect } from "kysely";
import { type OpenedEntry, openEntry } from "../entry/index.ts";
import { type OpenedPhotos, openPhotos } from "../photos/index.ts";
import { createApi } from "../platform/http/api.ts";
import type { Incoming } from "../platform/http/exchange.ts";
import { apiOnHono } from "../platform/http/on-hono.ts";
import { apiDocument } from "../platform/http/openapi.ts";
import { createRateLimit } from "../platform/http/rate-limit.ts";
import type { Consumer, Letter } from "../platform/ports.ts";
import { openPostgres } from "../platform/postgres.ts";
import { Problem } from "../platform/problem.ts";
import type { QueueWork } from "../platform/queue-work.ts";
import { type OpenedRegistry, openRegistry } from "../registry/index.ts";
import { callerAddress } from "./caller-address.ts";
import type { Config } from "./config.ts";
import { missing, type OpenedEngines, openEngines } from "./engines.ts";
import type { Log } from "./log.ts";
import { createMetrics, type Watched, watch } from "./metrics.ts";
import { createCrossSite } from "./server/cross-site.ts";
import { createApp } from "./server/http.ts";
import { problemAnswer } from "./server/problem-answer.ts";
import { protectiveHeaders } from "./server/protective-headers.ts";
import { createTrace } from "./server/request-trace.ts";
import { createShortWay, type ShortWay } from "./server/short-way.ts";
import { version } from "./version.ts";
import { runWorkers } from "./workers.ts";

const RATE_WINDOW_MS = 10_000;
/** Behind one address there may be a whole race: everybody on the venue's or the carrier's network. */
const PEOPLE_PER_ADDRESS = 10;

export type Program = {
  app: Hono;
  /** Past the app, for a server's plain requests. */
  shortWay: ShortWay;
  opened: OpenedEngines;
  registry: OpenedRegistry;
  entry: OpenedEntry;
  photos: OpenedPhotos;
  /** What is done with messages, queue by queue. */
  work: QueueWork[];
  /** What is due by time, in every context. */
  tick(): Promise<void>;
  /** Does all that in this process until `close`. */
  startWorkers(): void;
  /** Throws a Problem that says what is wrong when the program can't work now. */
  checkReady(): Promise<void>;
  close(): Promise<void>;
};

/** `onLetter` hears of letters that nobody sends, on a machine without a mail server. */
export async function openProgram(config: Config, log: Log, onLetter?: (letter: Letter) => void): Promise<Program> {
  const opened = await openEngines(config, log, onLetter);
  const contexts = await openContexts(config, opened, log).catch(async (error) => {
    await opened.engines.close();
    throw error;
  });
  const { registry, entry, photos } = contexts;
  const routes = [...registry.routes, ...entry.routes, ...photos.routes];
  const checkReady = async () => {
    await opened.engines.checkReady();
    await registry.checkReady();
  };
  const metrics = createMetrics();
  for (const each of [...opened.watched, skippedObjects(photos)]) watch(metrics, each);
  const { clock } = opened.engines;
  const document = apiDocument(routes, { version, publicUrl: config.publicUrl });
  const now = () => clock.now();
  const api = createApi({
    routes,
    caller: registry.caller,
    facts: { ...registry.facts, eventOfRequest: entry.eventOfRequest },
    userLimit: createRateLimit({ requests: config.rateLimit, windowMs: RATE_WINDOW_MS, now }),
    addressLimit: createRateLimit({
      requests: config.rateLimit * PEOPLE_PER_ADDRESS,
      windowMs: RATE_WINDOW_MS,
      now,
    }),
    addressOf: addressReader(config, log),
    refuse: (error) => problemAnswer(error, log),
  });
  const { corsOrigins } = config;
  const trace = createTrace({
    log,
    metrics,
    everyAnswer: protectiveHeaders(config.publicUrl),
    crossSite: createCrossSite(corsOrigins),
  });
  const { serveBlob, embedded } = opened;
  const app = createApp({
    config,
    engines: { clock, checkReady },
    log,
    metrics,
    trace,
    api: apiOnHono(api, { document, corsOrigins }),
    document,
    ...(serveBlob && { serveBlob }),
    ...(embedded?.inbox && hasInboxPage(config) && { inbox: embedded.inbox }),
  });
  const tick = async () => {
    await Promise.all([registry.tick(), entry.tick(), photos.tick()]);
  };
  const work = [...registry.work, ...entry.work, ...photos.work];
  let workers: Consumer | undefined;
  const startWorkers = () => {
    workers ??= runWorkers(opened.engines, { work, tick }, log);
    opened.embedded?.releaseWorkflows();
  };
  const close = async () => {
    entry.endLive();
    await workers?.stop();
    await registry.close();
    await opened.engines.close();
  };
  const shortWay = createShortWay(api, { trace, log });
  return { app, shortWay, opened, ...contexts, work, tick, startWorkers, checkReady, close };
}

function skippedObjects({ skipped }: OpenedPhotos): Watched<never> {
  const help = "Objects put into the bucket that are no photos of an event, since the start.";
  return { name: "snaprace_photos_skipped", help, labels: [], read: async () => [{ labels: {}, value: skipped() }] };
}

/** Behind a proxy that nobody told us of, all callers share one address and its limits; the log says so, once. */
function addressReader({ trustedProxies }: Config, log: Log): (request: Incoming) => string {
  let isWarned = false;
  return (request) => {
    if (trustedProxies === 0 && !isWarned && request.header("x-forwarded-for") !== undefined) {
      isWarned = true;
      log.warn("Requests come through a proxy: set SNAPRACE_TRUSTED_PROXIES, or all callers count as one.");
    }
    return callerAddress(request, trustedProxies);
  };
}

/** Not where the server can be reached from elsewhere: others could read everybody's codes. */
export function hasInboxPage({ host, publicUrl }: Config): boolean {
  const names = ["127.0.0.1", "localhost", "::1", "[::1]"];
  return names.includes(host) && names.includes(new URL(publicUrl).hostname);
}

async function openContexts(
  config: Config,
  { engines, secret }: OpenedEngines,
  log: Log,
): Promise<{ registry: OpenedRegistry; entry: OpenedEntry; photos: OpenedPhotos }> {
  await stopIfMisconfigured(engines.checkReady());
  const failed = (context: string) => (error: unknown) =>
    log.error({ err: error }, `${context} failed in the background`);
  const { publicUrl, operators } = config;
  const registry = await openRegistry({
    dialect: await openDialect(config),
    engines,
    secret,
    publicUrl,
    operators,
    onError: failed("registry"),
    // Each asks the other; nobody asks before both are there.
    checkEntryChange: (change) => entry.checkChange(change),
  });
  const hasLive = config.workers && config.engines === "embedded";
  const entry = openEntry({ engines, facts: registry.facts, hasLive, onError: failed("entry") });
  const photos = openPhotos({
    engines,
    facts: registry.facts,
    stage: config.stage,
    onSkip: (skipped) => log.warn(skipped, "an object is no photo of an event"),
    onError: failed("photos"),
  });
  return { registry, entry, photos };
}

/** What only an operator can mend stops the start; what may pass by itself is left to /readyz. */
async function stopIfMisconfigured(checked: Promise<void>): Promise<void> {
  await checked.catch((error: unknown) => {
    if (error instanceof Problem && error.kind === "misconfigured") throw error;
  });
}

async function openDialect({ databaseUrl, engines, dataFolder }: Config): Promise<Dialect> {
  if (databaseUrl) return openPostgres(databaseUrl);
  if (engines === "aws") throw missing("DATABASE_URL", "the URL of a PostgreSQL 15 or later");
  const { openPglite } = await import("../platform/embedded/postgres.ts");
  return openPglite(path.join(dataFolder, "registry"));
}
