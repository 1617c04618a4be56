/** A queue's messages in memory: at least once, in any order, with everything a standard queue may do to them. */

import type { DeadLetter, Message, QueueSettings } from "../../src/platform/ports.ts";
import type { Scheduler } from "./scheduler.ts";
import type { Weather } from "./weather.ts";

type Stored = Message & { visibleAtMs: number; dead: boolean; reason: string };
/** A message is only touched by its last receiver: `receives` tells which one that is. */
export type Receipt = { id: string; receives: number };
type Receiver = { isThere: () => boolean; limit: number; take: (messages: Message[]) => void };

const LONGEST_DELAY_MS = 8000;
const SHORT_VISIBILITY_MS = 400;

export class MessageStore {
  /** In the order they were sent. */
  readonly messages = new Map<string, Stored>();
  readonly #scheduler: Scheduler;
  readonly #weather: Weather;
  readonly #settings: QueueSettings;
  #receivers: Receiver[] = [];
  #sent = 0;
  #handOutAtMs = Number.POSITIVE_INFINITY;
  readonly name: string;
  /** Told of every message that is durable. */
  onSent: (body: string) => void = () => {};

  constructor(name: string, settings: QueueSettings, scheduler: Scheduler, weather: Weather) {
    this.name = name;
    this.#settings = settings;
    this.#scheduler = scheduler;
    this.#weather = weather;
  }

  send(bodies: string[], requestId: string | undefined): void {
    const nowMs = this.#scheduler.nowMs;
    for (const body of bodies) {
      this.#sent += 1;
      const id = `${this.name}-${this.#sent}`;
      const delayMs = this.#weather.strikes("delayed-message")
        ? this.#scheduler.random.between(1, LONGEST_DELAY_MS)
        : 0;
      const message: Stored = {
        id,
        body,
        receives: 0,
        sentAt: nowMs,
        visibleAtMs: nowMs + delayMs,
        dead: false,
        reason: "",
      };
      if (requestId !== undefined) message.requestId = requestId;
      this.messages.set(id, message);
      this.onSent(body);
    }
    this.#expectHandOut();
  }

  /** Waits until there is something; who is not there any more gets nothing. */
  receive(receiver: Receiver): void {
    this.#receivers.push(receiver);
    this.#expectHandOut();
  }

  finish(receipts: Receipt[]): void {
    for (const receipt of receipts) {
      const message = this.#held(receipt);
      if (message && !this.#weather.strikes("delete-lost")) this.messages.delete(message.id);
    }
  }

  fail(failed: (Receipt & { reason: string; retryInMs: number })[]): void {
    for (const { reason, retryInMs, ...receipt } of failed) {
      const message = this.#held(receipt);
      if (!message) continue;
      if (message.receives >= this.#settings.maxReceives) this.#bury(message, reason);
      else message.visibleAtMs = this.#scheduler.nowMs + retryInMs;
    }
    this.#expectHandOut();
  }

  dead(): DeadLetter[] {
    const letters = [...this.messages.values()].filter(({ dead }) => dead);
    return letters.map((letter) => ({ ...messageOf(letter), reason: letter.reason }));
  }

  redrive(ids?: string[]): number {
    const letters = [...this.messages.values()].filter(({ id, dead }) => dead && (!ids || ids.includes(id)));
    for (const letter of letters) {
      // Sent back and then removed: between the two it is in both.
      if (this.#weather.strikes("letter-kept")) this.send([letter.body], letter.requestId);
      else Object.assign(letter, { dead: false, receives: 0, reason: "", visibleAtMs: this.#scheduler.nowMs });
    }
    this.#expectHandOut();
    return letters.length;
  }

  depth(): { waiting: number; inFlight: number; dead: number } {
    const all = [...this.messages.values()];
    const waiting = all.filter((message) => this.#isReady(message)).length;
    const dead = all.filter((message) => message.dead).length;
    return { waiting, inFlight: all.length - waiting - dead, dead };
  }

  #held({ id, receives }: Receipt): Stored | undefined {
    const message = this.messages.get(id);
    return message && !message.dead && message.receives === receives ? message : undefined;
  }

  #isReady(message: Stored): boolean {
    return !message.dead && message.visibleAtMs <= this.#scheduler.nowMs;
  }

  #bury(message: Stored, reason: string): void {
    const { body, requestId } = message;
    Object.assign(message, { dead: true, reason });
    // Set aside and then removed: a crash between the two leaves the message where it was, too.
    if (this.#weather.strikes("letter-kept")) this.send([body], requestId);
  }

  /** One step is pending whenever somebody waits and something is or will be there. */
  #expectHandOut(): void {
    this.#receivers = this.#receivers.filter(({ isThere }) => isThere());
    if (this.#receivers.length === 0) return;
    let nextMs = Number.POSITIVE_INFINITY;
    for (const message of this.messages.values()) if (!message.dead) nextMs = Math.min(nextMs, message.visibleAtMs);
    if (nextMs === Number.POSITIVE_INFINITY) return;
    const atMs = Math.max(nextMs, this.#scheduler.nowMs) + this.#weather.latencyMs();
    if (this.#handOutAtMs <= atMs) return;
    this.#handOutAtMs = atMs;
    this.#scheduler.after(
      atMs - this.#scheduler.nowMs,
      () => `${this.name} hands out`,
      () => {
        if (this.#handOutAtMs !== atMs) return false;
        this.#handOutAtMs = Number.POSITIVE_INFINITY;
        this.#handOut();
        this.#expectHandOut();
        return false;
      },
    );
  }

  #handOut(): void {
    this.#receivers = this.#receivers.filter(({ isThere }) => isThere());
    const ready = this.#scheduler.random.shuffled(
      [...this.messages.values()].filter((message) => this.#isReady(message)),
    );
    if (ready.length === 0 || this.#receivers.length === 0) return;
    const receiver = this.#scheduler.random.pick(this.#receivers);
    const count = this.#scheduler.random.between(1, Math.min(receiver.limit, ready.length));
    const taken = ready.slice(0, count).flatMap((message) => this.#taken(message));
    if (taken.length === 0) return;
    this.#receivers.splice(this.#receivers.indexOf(receiver), 1);
    receiver.take(taken);
  }

  #taken(message: Stored): Message[] {
    if (message.receives >= this.#settings.maxReceives) {
      this.#bury(message, `It was received ${message.receives} times without being finished.`);
      return [];
    }
    message.receives += 1;
    message.visibleAtMs = this.#scheduler.nowMs + this.#visibilityMs();
    return [messageOf(message)];
  }

  #visibilityMs(): number {
    if (this.#weather.strikes("duplicate-message")) return 0;
    if (this.#weather.strikes("visibility-expired")) return this.#scheduler.random.between(1, SHORT_VISIBILITY_MS);
    return this.#settings.visibilityMs;
  }
}

function messageOf({ id, body, receives, sentAt, requestId }: Stored): Message {
  return { id, body, receives, sentAt, ...(requestId !== undefined && { requestId }) };
}
