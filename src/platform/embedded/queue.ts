/** A queue on SQLite: durable when sent, handed out at least once, dead after too many tries. */

import { Consumers } from "../consumers.ts";
import { checkBodies, failuresOf, retryDelayMs } from "../messages.ts";
import type { Clock, Consumer, DeadLetter, Handler, Message, Queue, QueueSettings } from "../ports.ts";
import { currentRequestId } from "../request-context.ts";
import type { ReceivedFailure, StoredMessage } from "./queue-writes.ts";
import type { Store } from "./store.ts";

/** How long an idle consumer sleeps at most: it is woken by every message sent, this is for a clock that jumped. */
const MAX_IDLE_MS = 5000;

export class SqliteQueue implements Queue {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #settings: QueueSettings;
  readonly #onError: (error: unknown) => void;
  readonly #consumers = new Consumers();

  constructor(
    store: Store,
    clock: Clock,
    name: string,
    settings: QueueSettings,
    onError: (error: unknown) => void = () => {},
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#name = name;
    this.#settings = settings;
    this.#onError = onError;
  }

  async send(bodies: string[]): Promise<void> {
    checkBodies(bodies);
    if (bodies.length === 0) return;
    const requestId = currentRequestId() ?? null;
    await this.#store.write("sendMessages", { queue: this.#name, bodies, at: this.#clock.now(), requestId });
  }

  consume(handler: Handler, { batchSize = 10, concurrency = 1 } = {}): Consumer {
    return this.#consumers.start(concurrency, (stopping) => this.#consumeLoop(handler, batchSize, stopping));
  }

  close(): Promise<void> {
    return this.#consumers.stopAll();
  }

  async peekDead(limit: number): Promise<DeadLetter[]> {
    const rows = this.#store.read((reader) =>
      reader
        .prepare(
          "SELECT id, body, receives, sent_at AS sentAt, request_id AS requestId, reason FROM messages WHERE queue = ? AND dead = 1 ORDER BY id LIMIT ?",
        )
        .all(this.#name, limit),
    ) as (StoredMessage & { reason: string })[];
    return rows.map((row) => ({ ...messageOf(row), reason: row.reason }));
  }

  async redrive(ids?: string[]): Promise<number> {
    const wanted = ids?.map(Number).filter(Number.isSafeInteger) ?? null;
    return this.#store.write("redriveMessages", { queue: this.#name, now: this.#clock.now(), ids: wanted });
  }

  async depth(): Promise<{ waiting: number; inFlight: number; dead: number }> {
    const counts = this.#store.read((reader) =>
      reader
        .prepare(
          `SELECT count(*) FILTER (WHERE dead = 0 AND visible_at <= ?2) AS waiting,
            count(*) FILTER (WHERE dead = 0 AND visible_at > ?2) AS inFlight,
            count(*) FILTER (WHERE dead = 1) AS dead
          FROM messages WHERE queue = ?1`,
        )
        .get(this.#name, this.#clock.now()),
    );
    return { ...counts } as { waiting: number; inFlight: number; dead: number };
  }

  async #consumeLoop(handler: Handler, batchSize: number, stopping: AbortSignal): Promise<void> {
    const idle = new Idle(this.#store, this.#name, stopping);
    while (!stopping.aborted) {
      idle.expectMessages();
      const received = await this.#receive(batchSize).catch((error) => {
        this.#onError(error);
        return { messages: [], nextAt: null };
      });
      if (received.messages.length > 0) await this.#handle(handler, received.messages);
      else if (received.nextAt === null || received.nextAt > this.#clock.now()) {
        await idle.until((received.nextAt ?? Number.POSITIVE_INFINITY) - this.#clock.now());
      }
    }
    idle.end();
  }

  #receive(limit: number) {
    const now = this.#clock.now();
    const { visibilityMs, maxReceives } = this.#settings;
    const ask = { queue: this.#name, now, visibleAt: now + visibilityMs, limit, maxReceives };
    return this.#store.write("receiveMessages", ask);
  }

  async #handle(handler: Handler, received: StoredMessage[]): Promise<void> {
    const failures = await failuresOf(handler, received.map(messageOf));
    const done = received.filter(({ id }) => !failures.has(String(id)));
    const failed: ReceivedFailure[] = [];
    for (const { id, receives } of received) {
      const failure = failures.get(String(id));
      if (!failure) continue;
      const visibleAt = this.#clock.now() + retryDelayMs(failure, receives, this.#settings);
      failed.push({ id, receives, reason: failure.reason, visibleAt });
    }
    const ask = { queue: this.#name, done, failed, maxReceives: this.#settings.maxReceives };
    // If this fails the messages simply come again, as after a crash.
    await this.#store.write("settleMessages", ask).catch(this.#onError);
  }
}

function messageOf({ id, body, receives, sentAt, requestId }: StoredMessage): Message {
  const message = { id: String(id), body, receives, sentAt };
  return requestId === null ? message : { ...message, requestId };
}

/** Sleeps until a time or until the queue is woken, also when that happened just before going to sleep. */
class Idle {
  #woken = false;
  #wake: () => void = () => {};
  readonly #forget: () => void;

  constructor(store: Store, queue: string, stopping: AbortSignal) {
    const wake = () => {
      this.#woken = true;
      this.#wake();
    };
    this.#forget = store.onWoken(queue, wake);
    stopping.addEventListener("abort", wake);
  }

  /** Call before looking, so that what arrives while looking is noticed. */
  expectMessages(): void {
    this.#woken = false;
  }

  async until(ms: number): Promise<void> {
    if (this.#woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(1, Math.min(ms, MAX_IDLE_MS)));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.#forget();
  }
}
