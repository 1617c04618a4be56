/** The registry as the apps see it: opened once, it gives its routes and what others must know of it. */

import { type Dialect, sql } from "kysely";
import type { AccessFacts } from "../platform/http/access.ts";
import type { CallerParts } from "../platform/http/caller.ts";
import type { Route } from "../platform/http/route.ts";
import type { Engines } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import type { QueueWork } from "../platform/queue-work.ts";
import { openRegistryDatabase, type RegistryDatabase } from "./database.ts";
import { eventForEntry } from "./events/event-for-entry.ts";
import { eventForPhotos, rosterOf } from "./events/event-for-photos.ts";
import { eventRoutes } from "./events/http.ts";
import { type CreditForPhotos, type EventForEntry, type EventForPhotos, registryQueues } from "./events.ts";
import { organizationRoutes } from "./organizations/http.ts";
import { type Receiver, startOutbox } from "./outbox.ts";
import { isAssigned } from "./photographers/assignments.ts";
import { photographerRoutes } from "./photographers/http.ts";
import { creditForPhotos } from "./photographers/photographers.ts";
import type { EntryChange, Registry } from "./registry.ts";
import { registryRows } from "./rows.ts";
import { entrantsWork } from "./runners/entrants.ts";
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
  /**
   * Throws a Problem to refuse a change of an event's entry settings. It is asked in the change's transaction and must
   * not ask the registry: PGlite has one connection, and it would wait for itself.
   */
  checkEntryChange?: (change: EntryChange) => Promise<void>;
};

export type OpenedRegistry = {
  db: RegistryDatabase;
  routes: Route[];
  caller: CallerParts;
  facts: Omit<AccessFacts, "eventOfRequest"> & {
    eventForEntry(eventId: string): Promise<EventForEntry | undefined>;
    eventForPhotos(eventId: string): Promise<EventForPhotos | undefined>;
    rosterOf(eventId: string): Promise<ReadonlySet<string>>;
    creditForPhotos(photographerId: string): Promise<CreditForPhotos | undefined>;
  };
  /** What it does with messages of other contexts. */
  work: QueueWork[];
  /** Carries what waits to be told. It happens by itself while the process is awake; a Lambda is not for long. */
  tick(): Promise<void>;
  /** Everything in it, for a move: what other contexts must hear has been told. */
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
  const outbox = startOutbox({ db, receivers: receiversOn(engines), clock, onError });
  const { carrySoon } = outbox;
  const carryAll = async () => {
    while ((await outbox.carry()) > 0);
  };
  const { checkEntryChange = async () => {} } = parts;
  const registry: Registry = { db, clock, revocations: signIn.revocations, carrySoon, checkEntryChange };
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
      eventForEntry: (eventId) => eventForEntry(db, eventId),
      eventForPhotos: (eventId) => eventForPhotos(db, eventId),
      rosterOf: (eventId) => rosterOf(db, eventId),
      creditForPhotos: (photographerId) => creditForPhotos(db, photographerId),
    },
    work: [entrantsWork({ db, onError })],
    tick: carryAll,
    openRows: async () => {
      await carryAll();
      return registryRows(db);
    },
    checkReady: () => checkReady(db),
    close: async () => {
      await Promise.all([outbox.stop(), housekeeping.stop(), signIn.revocations.stop()]);
      await db.destroy();
    },
  };
}

function receiversOn(engines: Engines): Receiver[] {
  const wanted = Object.values(registryQueues);
  return wanted.map(({ name, settings, types }) => ({ queue: engines.queue(name, settings), types }));
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
