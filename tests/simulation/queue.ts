/** The queue port of one process in a simulation. */

import { Consumers } from "../../src/platform/consumers.ts";
import { checkBodies, failuresOf, retryDelayMs } from "../../src/platform/messages.ts";
import type { Handler, Message, Queue, QueueSettings } from "../../src/platform/ports.ts";
import { Problem } from "../../src/platform/problem.ts";
import { currentRequestId } from "../../src/platform/request-context.ts";
import type { MessageStore } from "./message-store.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { Weather } from "./weather.ts";
import type { Wire } from "./wire.ts";

export type QueueParts = {
  store: MessageStore;
  settings: QueueSettings;
  scheduler: Scheduler;
  weather: Weather;
  wire: Wire;
};

export function queueOf(process: Process, parts: QueueParts): Queue {
  const { store, wire, scheduler, weather } = parts;
  const consumers = new Consumers();
  const ask = <T>(label: string, effect: () => T, changes = true): Promise<T> =>
    wire.ask(process, { label: () => `${store.name} ${label}`, effect, changes });
  return {
    async send(bodies) {
      checkBodies(bodies);
      if (bodies.length === 0) return;
      const requestId = currentRequestId();
      await ask(`send ${bodies.join(", ")}`, () => {
        const sent =
          bodies.length > 1 && weather.strikes("partly-sent")
            ? scheduler.random.between(1, bodies.length - 1)
            : bodies.length;
        store.send(bodies.slice(0, sent), requestId);
        if (sent < bodies.length) throw new Problem("unavailable", "queue.busy", "Some were not sent. Send all again.");
      });
    },
    consume(handler, { batchSize = 10, concurrency = 1 } = {}) {
      return consumers.start(concurrency, (stopping) => consumeUntil(stopping, process, parts, handler, batchSize));
    },
    peekDead: (limit) => ask("peekDead", () => store.dead().slice(0, limit), false),
    redrive: (ids) => ask(`redrive ${ids ?? "all"}`, () => store.redrive(ids)),
    depth: () => ask("depth", () => store.depth(), false),
  };
}

async function consumeUntil(
  stopping: AbortSignal,
  process: Process,
  parts: QueueParts,
  handler: Handler,
  batchSize: number,
): Promise<void> {
  while (!stopping.aborted) {
    const messages = await receive(stopping, process, parts, batchSize);
    if (messages.length > 0) await handle(process, parts, handler, messages);
  }
}

function receive(stopping: AbortSignal, process: Process, parts: QueueParts, limit: number): Promise<Message[]> {
  const { store, scheduler, weather } = parts;
  return new Promise((resolve) => {
    stopping.addEventListener("abort", () => resolve([]), { once: true });
    const isThere = () => process.alive && !stopping.aborted;
    const take = (messages: Message[]) => {
      const label = () =>
        `${process.name} receives ${messages.map(({ id, receives }) => `${id} (${receives})`).join(", ")}`;
      scheduler.after(weather.latencyMs(), label, () => {
        if (process.alive) resolve(messages);
        return process.alive;
      });
    };
    store.receive({ isThere, limit, take });
  });
}

/** What can't be settled now becomes visible by itself and is handled once more. */
async function handle(process: Process, parts: QueueParts, handler: Handler, messages: Message[]): Promise<void> {
  const { store, settings, wire } = parts;
  const failures = await failuresOf(handler, messages);
  const finished = messages.filter(({ id }) => !failures.has(id));
  const failed = messages.flatMap(({ id, receives }) => {
    const failure = failures.get(id);
    return failure
      ? [{ id, receives, reason: failure.reason, retryInMs: retryDelayMs(failure, receives, settings) }]
      : [];
  });
  const label = () =>
    `${store.name} finished ${finished.map(({ id }) => id).join(", ") || "none"}; failed ${failed.map(({ id, reason }) => `${id} (${reason})`).join(", ") || "none"}`;
  const effect = () => {
    store.finish(finished);
    store.fail(failed);
  };
  await wire.ask(process, { label, effect, changes: true }).catch(() => {});
}
