/** What every queue engine promises: at least once, in no promised order, never lost. */

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Consumer, Failure, Message, Queue, QueueSettings } from "../ports.ts";
import { currentRequestId, newRequestId, withRequestId } from "../request-context.ts";
import { refusedWith } from "./refused.ts";
import type { Subject } from "./subject.ts";

const SETTINGS: QueueSettings = { visibilityMs: 30_000, maxReceives: 3 };
const PATIENCE_MS = 20_000;

export function testQueue(name: string, open: () => Promise<Subject>): void {
  describe(`queue: ${name}`, () => {
    let subject: Subject;
    const consumers = new Set<Consumer>();
    before(async () => {
      subject = await open();
    });
    after(async () => {
      await Promise.all([...consumers].map((consumer) => consumer.stop()));
      await subject?.close();
    });
    const bench: Bench = {
      queue: (settings = SETTINGS) => subject.queue(settings),
      consume: (queue, handler, options) => {
        const consumer = queue.consume(handler, options);
        consumers.add(consumer);
        return consumer;
      },
    };
    testDelivery(bench);
    testLateAnswers(bench);
    testFailure(bench);
    testDeadLetters(bench);
    testRefusals(bench);
  });
}

type Bench = {
  queue(settings?: QueueSettings): Promise<Queue>;
  consume(
    queue: Queue,
    handler: (messages: Message[]) => Promise<Failure[]>,
    options?: { batchSize?: number; concurrency?: number },
  ): Consumer;
};

/** Resolves when the check holds, and fails with what it last saw when it never does. */
async function eventually<T>(look: () => Promise<T> | T, holds: (seen: T) => boolean): Promise<T> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > deadline) assert.fail(`never came about; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const fail = (messages: Message[], reason: string, retryInMs = 0): Failure[] =>
  messages.map(({ id }) => ({ id, reason, retryInMs }));

function testDelivery({ queue: open, consume }: Bench): void {
  it("delivers every message sent, one or many, before and after a consumer is there", async () => {
    const queue = await open();
    const wanted = Array.from({ length: 137 }, (_, n) => JSON.stringify({ n, text: "가 <&> \n" }));
    await queue.send(wanted.slice(0, 100));
    const got: Message[] = [];
    const consumer = consume(
      queue,
      async (messages) => {
        got.push(...messages);
        return [];
      },
      { concurrency: 2 },
    );
    for (const body of wanted.slice(100)) await queue.send([body]);
    await eventually(
      () => new Set(got.map(({ body }) => body)).size,
      (count) => count === wanted.length,
    );
    assert.deepEqual(new Set(got.map(({ body }) => body)), new Set(wanted));
    assert.ok(got.every(({ receives, sentAt }) => receives >= 1 && Math.abs(Date.now() - sentAt) < 60_000));
    await eventually(
      () => queue.depth(),
      ({ waiting, inFlight }) => waiting + inFlight === 0,
    );
    await consumer.stop();
  });

  it("keeps batches within the size asked and handlers within the concurrency asked", async () => {
    const queue = await open();
    await queue.send(Array.from({ length: 40 }, (_, n) => `m${n}`));
    let running = 0;
    let most = 0;
    let largest = 0;
    let seen = 0;
    const consumer = consume(
      queue,
      async (messages) => {
        running += 1;
        most = Math.max(most, running);
        largest = Math.max(largest, messages.length);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        seen += messages.length;
        return [];
      },
      { batchSize: 4, concurrency: 3 },
    );
    await eventually(
      () => seen,
      (count) => count >= 40,
    );
    await consumer.stop();
    assert.ok(largest <= 4 && most <= 3, `${largest} in a batch, ${most} at once`);
  });

  it("carries the request id along, and handles a lone message under it", async () => {
    const queue = await open();
    const requestId = newRequestId();
    const seen: unknown[] = [];
    const consumer = consume(queue, async ([message]) => {
      seen.push(message?.requestId, currentRequestId());
      return [];
    });
    await withRequestId(requestId, () => queue.send(["one"]));
    await eventually(
      () => seen.length,
      (count) => count >= 2,
    );
    await consumer.stop();
    assert.deepEqual(seen.slice(0, 2), [requestId, requestId]);
  });

  it("waits on stop for the handler that runs, and takes nothing after it", async () => {
    const queue = await open();
    await queue.send(["slow"]);
    let finished = false;
    let started = false;
    const consumer = consume(queue, async () => {
      started = true;
      await new Promise((resolve) => setTimeout(resolve, 150));
      finished = true;
      return [];
    });
    await eventually(() => started, Boolean);
    await consumer.stop();
    assert.ok(finished);
    await queue.send(["later"]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal((await queue.depth()).waiting, 1);
  });

  it("gives a message again when its time ran out in the middle of work", async () => {
    const queue = await open({ visibilityMs: 1000, maxReceives: 5 });
    await queue.send(["long work"]);
    const receives: number[] = [];
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = consume(
      queue,
      async ([message]) => {
        receives.push(message?.receives ?? 0);
        if (receives.length === 1) await held;
        return [];
      },
      { concurrency: 2 },
    );
    await eventually(
      () => receives.length,
      (count) => count >= 2,
    );
    release();
    await eventually(
      () => queue.depth(),
      ({ waiting, inFlight }) => waiting + inFlight === 0,
    );
    await slow.stop();
    assert.deepEqual(receives.slice(0, 2), [1, 2]);
  });
}

function testLateAnswers({ queue: open, consume }: Bench): void {
  it("keeps a message gone when a former receiver fails it after another one finished it", async () => {
    const queue = await open({ visibilityMs: 1000, maxReceives: 5 });
    await queue.send(["twice"]);
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const receives: number[] = [];
    const consumer = consume(
      queue,
      async (messages) => {
        receives.push(...messages.map((message) => message.receives));
        if (messages[0]?.receives !== 1) return [];
        await held;
        return fail(messages, "too late");
      },
      { concurrency: 2 },
    );
    await eventually(
      () => receives.length,
      (count) => count === 2,
    );
    await eventually(
      () => queue.depth(),
      ({ waiting, inFlight }) => waiting + inFlight === 0,
    );
    release();
    await consumer.stop();
    assert.deepEqual(receives, [1, 2]);
    assert.deepEqual(await queue.depth(), { waiting: 0, inFlight: 0, dead: 0 });
  });

  it("lets later messages overtake one that has to wait", async () => {
    const queue = await open();
    await queue.send(["first"]);
    const handled: string[] = [];
    const consumer = consume(queue, async (messages) => {
      const early = messages.filter(({ body, receives }) => body === "first" && receives === 1);
      if (early.length > 0) await queue.send(["second", "third"]);
      handled.push(...messages.filter((message) => !early.includes(message)).map(({ body }) => body));
      return fail(early, "not yet", 1000);
    });
    await eventually(
      () => handled.length,
      (count) => count === 3,
    );
    await consumer.stop();
    assert.equal(handled.at(-1), "first");
  });
}

function testFailure({ queue: open, consume }: Bench): void {
  it("retries only what the handler did not finish", async () => {
    const queue = await open();
    const bodies = ["a", "b", "c", "d", "e"];
    await queue.send(bodies);
    const tries = new Map<string, number>();
    const consumer = consume(queue, async (messages) => {
      for (const { body } of messages) tries.set(body, (tries.get(body) ?? 0) + 1);
      return fail(
        messages.filter(({ body, receives }) => body === "c" && receives === 1),
        "not yet",
      );
    });
    await eventually(
      () => tries.get("c"),
      (count) => count === 2,
    );
    await eventually(
      () => queue.depth(),
      ({ waiting, inFlight }) => waiting + inFlight === 0,
    );
    await consumer.stop();
    assert.deepEqual(Object.fromEntries(tries), { a: 1, b: 1, c: 2, d: 1, e: 1 });
  });

  it("waits before another try as long as the handler asks", async () => {
    const queue = await open();
    await queue.send(["wait"]);
    const times: number[] = [];
    const consumer = consume(queue, async (messages) => {
      times.push(Date.now());
      return times.length === 1 ? fail(messages, "in a second", 1000) : [];
    });
    await eventually(
      () => times.length,
      (count) => count === 2,
    );
    await consumer.stop();
    assert.ok((times[1] as number) - (times[0] as number) >= 900, `${times}`);
  });
}

function testDeadLetters({ queue: open, consume }: Bench): void {
  it("puts poison aside with its reason, lets the rest through, and brings it back on demand", async () => {
    const queue = await open();
    await queue.send(["good 1", "poison 1", "good 2", "poison 2"]);
    let healed = false;
    const done = new Set<string>();
    const tries = new Map<string, number>();
    const consumer = consume(queue, async (messages) => {
      const bad = messages.filter(({ body }) => body.startsWith("poison") && !healed);
      for (const { body } of bad) tries.set(body, (tries.get(body) ?? 0) + 1);
      for (const message of messages) if (!bad.includes(message)) done.add(message.body);
      return fail(bad, `can't digest ${bad.map(({ body }) => body)}`.slice(0, 14));
    });
    await eventually(
      () => queue.depth(),
      ({ dead, waiting, inFlight }) => dead === 2 && waiting + inFlight === 0,
    );
    assert.deepEqual(done, new Set(["good 1", "good 2"]));
    assert.deepEqual(Object.fromEntries(tries), { "poison 1": SETTINGS.maxReceives, "poison 2": SETTINGS.maxReceives });

    const dead = await eventually(
      () => queue.peekDead(10),
      (letters) => letters.length === 2,
    );
    assert.deepEqual(dead.map(({ body }) => body).sort(), ["poison 1", "poison 2"]);
    assert.ok(dead.every(({ reason, receives }) => reason === "can't digest p" && receives === SETTINGS.maxReceives));
    assert.equal((await queue.peekDead(1)).length, 1);
    await eventually(
      () => queue.depth(),
      ({ dead: count }) => count === 2,
    );

    healed = true;
    const first = dead.find(({ body }) => body === "poison 1");
    assert.ok(first);
    assert.equal(await queue.redrive([first.id, "no-such-id"]), 1);
    await eventually(() => done.has("poison 1"), Boolean);
    assert.equal((await queue.depth()).dead, 1);
    assert.equal(await queue.redrive(), 1);
    await eventually(() => done.has("poison 2"), Boolean);
    await eventually(
      () => queue.depth(),
      (depth) => depth.dead + depth.waiting + depth.inFlight === 0,
    );
    assert.equal(await queue.redrive(), 0);
    await consumer.stop();
  });

  it("fails the whole batch with the error's message when the handler throws", async () => {
    const queue = await open({ visibilityMs: 1000, maxReceives: 1 });
    await queue.send(["x"]);
    const consumer = consume(queue, async () => {
      throw new Error("no such event");
    });
    const dead = await eventually(
      () => queue.peekDead(10),
      (letters) => letters.length === 1,
    );
    assert.equal(dead[0]?.reason, "no such event");
    await consumer.stop();
  });
}

function testRefusals({ queue: open }: Bench): void {
  it("refuses bodies that no queue carries, and then sends none of them", async () => {
    const queue = await open();
    await refusedWith("queue.empty-message", queue.send(["fine", ""]));
    await refusedWith("queue.bad-message", queue.send(["fine", "\u0000"]));
    await refusedWith("queue.message-too-large", queue.send(["fine", "가".repeat(100_000)]));
    assert.deepEqual(await queue.depth(), { waiting: 0, inFlight: 0, dead: 0 });
    await queue.send([]);
  });
}
