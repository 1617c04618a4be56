/** Messages to other contexts come with the change they tell of, and arrive whatever happens on the way. */

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { DATABASES } from "../../tests/harness/program.ts";
import { openBareDatabase } from "../../tests/harness/registry.ts";
import { temporaryFolder } from "../../tests/harness/temporary-folder.ts";
import { type EmbeddedEngines, openEmbeddedEngines } from "../platform/embedded/engines.ts";
import type { Clock, Queue } from "../platform/ports.ts";
import { openRegistryDatabase, type RegistryDatabase } from "./database.ts";
import { RegistryMessage, registryQueues } from "./events.ts";
import { announce, type Receiver, startOutbox } from "./outbox.ts";

const message = (n: number): RegistryMessage => ({
  type: "event.removed",
  eventId: `event-${n}`,
  orgId: "org",
  revision: 0,
  occurredAt: new Date(n).toISOString(),
});

/** Sleeps until it is told to wake, and counts how often it was asked to. */
function patientClock(): Clock & { wake(): void; sleeps: number } {
  let wake = () => {};
  return {
    sleeps: 0,
    now: Date.now,
    async sleep(_ms, signal) {
      this.sleeps += 1;
      if (signal?.aborted) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        signal?.addEventListener("abort", () => resolve());
      });
    },
    wake: () => wake(),
  };
}

for (const database of DATABASES) {
  describe(`the outbox on ${database}`, () => {
    let bare: Awaited<ReturnType<typeof openBareDatabase>>;
    let db: RegistryDatabase;
    let engines: EmbeddedEngines;
    let queue: Queue;
    before(async () => {
      bare = await openBareDatabase(database);
      db = await openRegistryDatabase(await bare.open());
      const dataFolder = await temporaryFolder({ after });
      engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1:8080" });
    });
    after(async () => {
      await engines.close();
      await db.destroy();
      await bare.close();
    });
    let queues = 0;
    beforeEach(() => {
      queues += 1;
      queue = engines.queue(`Messages-${queues}`, registryQueues.photos.settings);
    });

    const tell = (...numbers: number[]) =>
      db.transaction().execute((transaction) => announce(transaction, numbers.map(message)));
    const waiting = async () => (await db.selectFrom("outbox").selectAll().execute()).length;
    const until = async (holds: () => boolean | Promise<boolean>) => {
      while (!(await holds())) await delay(10);
    };
    /** All that came, in its order, until nothing is left. */
    const receiveFrom = async (source: Queue) => {
      const received: RegistryMessage[] = [];
      const consumer = source.consume(async (messages) => {
        received.push(...messages.map(({ body }) => RegistryMessage.parse(JSON.parse(body))));
        return [];
      });
      await until(async () => {
        const depth = await source.depth();
        return depth.waiting + depth.inFlight === 0;
      });
      await consumer.stop();
      return received;
    };
    const receive = async () => (await receiveFrom(queue)).map(({ occurredAt }) => Date.parse(occurredAt));
    const start = (parts: { receivers?: Receiver[]; onError?(error: unknown): void } = {}) => {
      const clock = patientClock();
      const onError = (error: unknown) => assert.fail(String(error));
      const receivers: Receiver[] = [{ queue, types: ["event.removed"] }];
      return { clock, outbox: startOutbox({ db, receivers, clock, onError, ...parts }) };
    };
    /** What two receivers want: the second fails as often as it is told to, after it has got what was sent. */
    const openTwo = (failures = 0) => {
      const other = engines.queue(`Others-${queues}`, registryQueues.entry.settings);
      let left = failures;
      const failing = {
        send: async (bodies: string[]) => {
          await other.send(bodies);
          if (left-- > 0) throw new Error("the other queue fails");
        },
      } as Queue;
      const receivers: Receiver[] = [
        { queue, types: registryQueues.photos.types },
        { queue: failing, types: registryQueues.entry.types },
      ];
      return { other, receivers };
    };

    test("a change that is rolled back announces nothing", async () => {
      const change = db.transaction().execute(async (transaction) => {
        await announce(transaction, [message(1)]);
        const organization = { organizer_id: "o", name: "o", subdomain: "o", branding: "{}" };
        await transaction.insertInto("organizers").values([organization, organization]).execute();
      });
      await assert.rejects(change, { code: "23505" });
      assert.equal(await waiting(), 0);
      await tell();
      assert.equal(await waiting(), 0);
      await tell(1);
      assert.equal(await waiting(), 1);
      const { outbox } = start();
      await until(async () => (await waiting()) === 0);
      await outbox.stop();
      assert.deepEqual(await receive(), [1]);
    });

    test("what was announced while nobody carried arrives, in its order, and is there no more", async () => {
      const numbers = Array.from({ length: 250 }, (_, n) => n);
      await tell(...numbers);
      const { clock, outbox } = start();
      // More than one load, without a pause in between.
      await until(() => clock.sleeps > 0);
      assert.deepEqual([clock.sleeps, await waiting()], [1, 0]);
      await tell(250);
      clock.wake();
      await until(() => clock.sleeps > 1);
      assert.equal(await waiting(), 0);
      await outbox.stop();
      assert.deepEqual(await receive(), [...numbers, 250]);
    });

    test("a crash between sending and forgetting sends again, and loses nothing", async () => {
      await tell(1, 2);
      const errors: unknown[] = [];
      const crash = new Error("crash");
      const crashing = {
        send: async (bodies: string[]) => {
          await queue.send(bodies);
          if (errors.length === 0) throw crash;
        },
      } as Queue;
      const receivers: Receiver[] = [{ queue: crashing, types: ["event.removed"] }];
      const { clock, outbox } = start({ receivers, onError: (error) => errors.push(error) });
      await until(() => clock.sleeps === 1);
      assert.deepEqual([errors, await waiting()], [[crash], 2]);
      await tell(3);
      clock.wake();
      await until(() => clock.sleeps === 2);
      await outbox.stop();
      assert.equal(await waiting(), 0);
      assert.deepEqual(await receive(), [1, 2, 1, 2, 3]);
    });

    test("every receiver gets what it wants to hear, and nothing else", async () => {
      const occurredAt = new Date(0).toISOString();
      const changed: RegistryMessage = { type: "event.changed", eventId: "event", occurredAt };
      const photographer = { photographerId: "minji", handle: null, displayName: "Minji" };
      const credit: RegistryMessage = { type: "photographer.changed", ...photographer, occurredAt };
      const { other, receivers } = openTwo();
      await db.transaction().execute((transaction) => announce(transaction, [changed, credit, message(0)]));
      const { clock, outbox } = start({ receivers });
      await until(() => clock.sleeps > 0);
      await outbox.stop();
      assert.equal(await waiting(), 0);
      assert.deepEqual(await receiveFrom(queue), [credit, message(0)]);
      assert.deepEqual(await receiveFrom(other), [changed, message(0)]);
    });

    test("is forgotten only when every receiver has it", async () => {
      await tell(1);
      const { other, receivers } = openTwo(1);
      const errors: unknown[] = [];
      const { clock, outbox } = start({ receivers, onError: (error) => errors.push(error) });
      await until(() => clock.sleeps === 1);
      assert.deepEqual([errors.length, await waiting()], [1, 1]);
      clock.wake();
      await until(() => clock.sleeps === 2);
      await outbox.stop();
      assert.equal(await waiting(), 0);
      assert.deepEqual(await receive(), [1, 1]);
      assert.deepEqual(await receiveFrom(other), [message(1), message(1)]);
    });

    test("a nudge has it carried before the next look, also while it is carrying", async () => {
      let sends = 0;
      let nudge = () => {};
      const late = {
        send: async (bodies: string[]) => {
          await queue.send(bodies);
          sends += 1;
          if (sends > 1) return;
          // Announced when the carrier has looked already: without the nudge it would go to sleep over it.
          await tell(2);
          nudge();
        },
      } as Queue;
      const { clock, outbox } = start({ receivers: [{ queue: late, types: ["event.removed"] }] });
      nudge = outbox.carrySoon;
      await until(() => clock.sleeps === 1);
      await tell(1);
      outbox.carrySoon();
      await until(async () => sends === 2 && (await waiting()) === 0);
      await outbox.stop();
      assert.deepEqual(await receive(), [1, 2]);
    });

    test("two carriers at once may send twice, and lose nothing", async () => {
      const numbers = Array.from({ length: 150 }, (_, n) => n);
      await tell(...numbers);
      const [one, other] = [start(), start()];
      await Promise.all([one, other].map(({ clock }) => until(() => clock.sleeps > 0)));
      await Promise.all([one, other].map(({ outbox }) => outbox.stop()));
      assert.equal(await waiting(), 0);
      assert.deepEqual(
        [...new Set(await receive())].sort((a, b) => a - b),
        numbers,
      );
    });
  });
}
