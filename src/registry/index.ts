/** The registry as the apps see it: opened once, it gives its routes and what others must know of it. */

import { type Dialect, sql } from "kysely";
import type { AccessFacts } from "../platform/http/access.ts";
import type { CallerParts } from "../platform/http/caller.ts";
import type { Route } from "../platform/http/route.ts";
import type { Engines } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { openRegistryDatabase, type RegistryDatabase } from "./database.ts";
import { eventRoutes } from "./events/http.ts";
import { registryQueue } from "./events.ts";
import { organizationRoutes } from "./organizations/http.ts";
import { startOutbox } from "./outbox.ts";
import { isAssigned } from "./photographers/assignments.ts";
import { photographerRoutes } from "./photographers/http.ts";
import type { Registry } from "./registry.ts";
import { registryRows } from "./rows.ts";
import { runnerRoutes } from "./runners/http.ts";
import { startHousekeeping } from "./sign-in/housekeeping.ts";
import { signInRoutes } from "./sign-in/http.ts";
import { openSignIn, renewAccess } from "./sign-in/sign-in.ts";

export type RegistryParts = {
  dialect: Dialect;
  engines: Engines;
  secret: Uint8Array;
  publicUrl: string;
  operators: string[];
  onError(error: unknown): void;
};

export type OpenedRegistry = {
  db: RegistryDatabase;
  routes: Route[];
  caller: CallerParts;
  facts: AccessFacts;
  /** Everything in it, for a move; what other contexts must hear has been told. */
  openRows(): Promise<ReturnType<typeof registryRows>>;
  checkReady(): Promise<void>;
  close(): Promise<void>;
};

export async function openRegistry(parts: RegistryParts): Promise<OpenedRegistry> {
  const { engines, publicUrl, onError } = parts;
  const { clock, mail } = engines;
  const db = await openRegistryDatabase(parts.dialect);
  const { secret, operators } = parts;
  const signIn = await openSignIn({ db, clock, mail, secret, publicUrl, operators, onError });
  const housekeeping = startHousekeeping(db, clock, onError);
  const queue = engines.queue(registryQueue.name, registryQueue.settings);
  const outbox = startOutbox({ db, queue, clock, onError });
  const registry: Registry = { db, clock, revocations: signIn.revocations };
  return {
    db,
    routes: [
      ...signInRoutes(signIn),
      ...organizationRoutes(registry),
      ...eventRoutes(registry),
      ...photographerRoutes(registry),
      ...runnerRoutes(registry),
    ],
    caller: { tokens: signIn.tokens, renew: renewAccess(signIn), publicUrl },
    facts: {
      organizationOf: (eventId) => organizationOf(db, eventId),
      isAssigned: (eventId, photographerIds) => isAssigned(registry, eventId, photographerIds),
    },
    openRows: async () => {
      while ((await outbox.carry()) > 0);
      return registryRows(db);
    },
    checkReady: () => checkReady(db),
    close: async () => {
      await Promise.all([outbox.stop(), housekeeping.stop(), signIn.revocations.stop()]);
      await db.destroy();
    },
  };
}

async function checkReady(db: RegistryDatabase): Promise<void> {
  await sql`select 1`.execute(db).catch((error) => {
    if (error instanceof Problem) throw error;
    const sentence = "The registry's database does not answer. Check that PostgreSQL runs and can be reached.";
    throw new Problem("unavailable", "registry.unreachable", sentence, { cause: error });
  });
}

async function organizationOf(db: RegistryDatabase, eventId: string): Promise<string | undefined> {
  const row = await db.selectFrom("events").select("organizer_id").where("event_id", "=", eventId).executeTakeFirst();
  return row?.organizer_id;
}
