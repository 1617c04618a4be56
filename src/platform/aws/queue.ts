/** A queue on SQS, with a dead-letter queue beside it. */

import type { SQSClient } from "@aws-sdk/client-sqs";
import { Consumers } from "../consumers.ts";
import { checkBodies } from "../messages.ts";
import type { Clock, Consumer, DeadLetter, Handler, Queue, QueueSettings } from "../ports.ts";
import { currentRequestId } from "../request-context.ts";
import { afresh, deadLetterOf } from "./dead-letters.ts";
import { MAX_BATCH, Mailbox, type Received } from "./mailbox.ts";
import { consumeUntil } from "./queue-consumer.ts";

/** Long enough to ask all of SQS's servers; without waiting it asks some, and may miss messages. */
const LOOK_SECONDS = 1;
/** How long dead letters stay hidden from others should we die while looking at them. */
const LOOK_VISIBILITY_SECONDS = 60;
/** A letter that dies again while letters are sent back is left alone, or a redrive might never end. */
const CLOCK_SKEW_MS = 5000;

export class SqsQueue implements Queue {
  readonly #clock: Clock;
  readonly #settings: QueueSettings;
  readonly #onError: (error: unknown) => void;
  readonly #source: Mailbox;
  readonly #dead: Mailbox;
  readonly #consumers = new Consumers();

  constructor(
    client: SQSClient,
    clock: Clock,
    name: string,
    settings: QueueSettings,
    onError: (error: unknown) => void = () => {},
  ) {
    this.#clock = clock;
    this.#settings = settings;
    this.#onError = onError;
    this.#source = new Mailbox(client, clock, name);
    this.#dead = new Mailbox(client, clock, `${name}-dlq`);
  }

  async send(bodies: string[]): Promise<void> {
    checkBodies(bodies);
    const requestId = currentRequestId();
    const attributes = requestId === undefined ? {} : { requestId };
    await this.#source.send(bodies.map((body) => ({ body, attributes })));
  }

  consume(handler: Handler, { batchSize = MAX_BATCH, concurrency = 1 } = {}): Consumer {
    const consuming = {
      source: this.#source,
      dead: this.#dead,
      settings: this.#settings,
      clock: this.#clock,
      onError: this.#onError,
    };
    return this.#consumers.start(concurrency, (stopping) => consumeUntil(stopping, consuming, handler, batchSize));
  }

  async peekDead(limit: number): Promise<DeadLetter[]> {
    const seen: Received[] = [];
    try {
      while (seen.length < limit) {
        const received = await this.#takeDead(limit - seen.length);
        if (received.length === 0) break;
        seen.push(...received);
      }
    } finally {
      await this.#dead.release(seen.map((message) => ({ message, inMs: 0 })));
    }
    return seen.map((received) => deadLetterOf(received, this.#settings));
  }

  async redrive(ids?: string[]): Promise<number> {
    const named = ids && new Set(ids);
    const newestAt = this.#clock.now() + CLOCK_SKEW_MS;
    const others: Received[] = [];
    let sent = 0;
    try {
      for (;;) {
        const received = await this.#takeDead(MAX_BATCH);
        if (received.length === 0) return sent;
        const isWanted = (message: Received) =>
          message.sentAt <= newestAt && (!named || named.has(deadLetterOf(message, this.#settings).id));
        const wanted = received.filter(isWanted);
        others.push(...received.filter((message) => !wanted.includes(message)));
        await this.#source.send(wanted.map(afresh));
        await this.#dead.delete(wanted);
        sent += wanted.length;
      }
    } finally {
      await this.#dead.release(others.map((message) => ({ message, inMs: 0 })));
    }
  }

  async depth(): Promise<{ waiting: number; inFlight: number; dead: number }> {
    const [source, dead] = await Promise.all([this.#source.count(), this.#dead.count()]);
    return { ...source, dead: dead.waiting + dead.inFlight };
  }

  /** @throws a Problem when one of the two queues is not there or can't be asked. */
  async checkReady(): Promise<void> {
    await Promise.all([this.#source.checkReady(), this.#dead.checkReady()]);
  }

  close(): Promise<void> {
    return this.#consumers.stopAll();
  }

  #takeDead(max: number): Promise<Received[]> {
    return this.#dead.receive({ max, waitSeconds: LOOK_SECONDS, visibilitySeconds: LOOK_VISIBILITY_SECONDS });
  }
}
