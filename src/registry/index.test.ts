/** The registry as it is opened: it tells the other contexts at once, asks entry before it changes, and takes entrants in. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Context } from "hono";
import { DATABASES, type Database } from "../../tests/harness/program.ts";
import { openBareDatabase } from "../../tests/harness/registry.ts";
import { temporaryFolder } from "../../tests/harness/temporary-folder.ts";
import { entryQueue } from "../entry/events.ts";
import type { Actor } from "../platform/actor.ts";
import { openEmbeddedEngines } from "../platform/embedded/engines.ts";
import { incomingOf } from "../platform/http/on-hono.ts";
import type { Clock, Queue } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { startWork } from "../platform/queue-work.ts";
import { RegistryMessage, registryQueues } from "./events.ts";
import { openRegistry, type RegistryParts } from "./index.ts";

const ENTRY = { eventType: "FIRST_COME", capacityTotal: 10, opensAt: "2090-01-05T01:00:00Z" };
const EVENT = { eventId: "race", name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul", entry: ENTRY };

/** Who sleeps by it sleeps until somebody wakes them: nothing happens just because time passes. */
const stillClock: Clock = {
  now: Date.now,
  sleep: async (_ms, signal) => {
    if (signal?.aborted) return;
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
  },
};

async function open(database: Database, parts: Partial<RegistryParts> = {}) {
  const folder = await temporaryFolder({ after });
  const embedded = await openEmbeddedEngines({ dataFolder: folder, publicUrl: "http://127.0.0.1:8080" });
  const bare = await openBareDatabase(database);
  const registry = await openRegistry({
    dialect: await bare.open(),
    engines: { ...embedded, clock: stillClock },
    secret: embedded.secret,
    publicUrl: "http://127.0.0.1:8080",
    operators: [],
    onError: (error) => assert.fail(String(error)),
    ...parts,
  });
  /** As somebody who may do all of it; who may what is tested elsewhere. */
  const call = async (name: string, params: object, send?: unknown, query: object = {}) => {
    const route = registry.routes.find((each) => `${each.method} ${each.path}` === name);
    assert.ok(route, name);
    const rights = { operator: true, organizations: [], photographers: ["minji"] };
    const actor: Actor = { userId: "op", ...rights, session: false, tokenId: "t", expiresAt: Date.now() + 60_000 };
    const request = incomingOf(new Context(new Request("http://127.0.0.1:8080")));
    return route.handle({ params, query, body: route.body?.parse(send), actor, request, address: () => "" });
  };
  await call("post /admin/organizations", {}, { orgId: "han", name: "Han" });
  const close = async () => {
    await registry.close();
    await embedded.close();
    await bare.close();
  };
  return { registry, engines: embedded, call, close };
}

for (const database of DATABASES) {
  describe(`the registry on ${database}`, () => {
    let opened: Awaited<ReturnType<typeof open>>;
    const refusal = new Problem("conflict", "entry.fixed", "Entries are there already.");
    before(async () => {
      const checkEntryChange = async ({ after }: { after: unknown }) => {
        if (after === null) throw refusal;
      };
      opened = await open(database, { checkEntryChange });
    });
    after(() => opened.close());

    /** The one message that is there, or that comes. */
    const next = async (queue: Queue): Promise<RegistryMessage> => {
      const { promise, resolve } = Promise.withResolvers<RegistryMessage>();
      const consumer = queue.consume(
        async ([message]) => {
          resolve(RegistryMessage.parse(JSON.parse(message?.body ?? "")));
          return [];
        },
        { batchSize: 1 },
      );
      const message = await promise;
      await consumer.stop();
      return message;
    };

    test("tells the other contexts of each change without being looked after", async () => {
      const { engines, call } = opened;
      const queueOf = ({ name, settings }: typeof registryQueues.entry) => engines.queue(name, settings);
      const [forEntry, forPhotos] = [queueOf(registryQueues.entry), queueOf(registryQueues.photos)];
      const event = { eventId: "told" };
      const organization = { orgId: "han" };
      await call("post /admin/organizations/{orgId}/events", organization, { ...EVENT, ...event });
      assert.equal((await next(forEntry)).type, "event.changed");
      await call("patch /admin/events/{eventId}", event, { published: false });
      assert.equal((await next(forEntry)).type, "event.changed");
      await call("patch /admin/organizations/{orgId}", organization, { active: true });
      assert.equal((await next(forEntry)).type, "event.changed");
      await call("post /admin/organizations/{orgId}/photographers", organization, {
        photographerId: "minji",
        name: "Minji",
      });
      await call("patch /photographers/{photographerId}", { photographerId: "minji" }, { displayName: "민지" });
      assert.equal((await next(forPhotos)).type, "photographer.changed");
      await call("delete /admin/events/{eventId}", event, undefined, { confirm: "told" });
      assert.deepEqual([(await next(forEntry)).type, (await next(forPhotos)).type], ["event.removed", "event.removed"]);
      await call("post /admin/organizations", {}, { orgId: "lake", name: "Lake" });
      await call("post /admin/organizations/{orgId}/events", { orgId: "lake" }, { ...EVENT, entry: null, ...event });
      await call("delete /admin/organizations/{orgId}", { orgId: "lake" }, undefined, { confirm: "lake" });
      assert.deepEqual([(await next(forEntry)).type, (await next(forPhotos)).type], ["event.removed", "event.removed"]);
    });

    test("asks who was named to guard entry settings before they change", async () => {
      const { registry, call } = opened;
      const event = { eventId: "guarded" };
      await call("post /admin/organizations/{orgId}/events", { orgId: "han" }, { ...EVENT, ...event });
      const before = await registry.facts.eventForEntry("guarded");
      await assert.rejects(call("patch /admin/events/{eventId}", event, { entry: null, date: "2090-04-19" }), refusal);
      assert.deepEqual(await registry.facts.eventForEntry("guarded"), before);
      await call("patch /admin/events/{eventId}", event, { entry: { ...ENTRY, capacityTotal: 11 } });
      assert.equal((await registry.facts.eventForEntry("guarded"))?.entry?.capacityTotal, 11);
    });

    test("takes entrants in", async () => {
      const { registry, engines, call } = opened;
      await call("post /admin/organizations/{orgId}/events", { orgId: "han" }, EVENT);
      const working = startWork(engines, registry.work);
      const queue = engines.queue(entryQueue.name, entryQueue.settings);
      const places = [{ place: 1, requestId: "request-1", userId: "u_1" }];
      await queue.send([JSON.stringify({ type: "places.given", eventId: "race", places })]);
      for (let held = 1; held > 0; await delay(10)) {
        const { waiting, inFlight } = await queue.depth();
        held = waiting + inFlight;
      }
      await working.stop();
      const rows = await registry.openRows();
      const runners = await Array.fromAsync(rows.rows("event_runners"));
      assert.deepEqual(
        runners.map((row) => row.bib_number),
        ["0001"],
      );
    });
  });
}
