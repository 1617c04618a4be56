/** Loops that take messages from SQS, hand them to the handler, and settle each as it went. */

import { failuresOf, retryDelayMs } from "../messages.ts";
import type { Clock, Handler, QueueSettings } from "../ports.ts";
import { deadLetter, messageOf } from "./dead-letters.ts";
import { type Mailbox, type Received, wholeSeconds } from "./mailbox.ts";
import { pauseMs } from "./retry.ts";

/** The longest SQS allows: an idle queue then costs three calls a minute. Stopping cuts it short. */
const WAIT_SECONDS = 20;
const RECEIVE_BACKOFF = { firstMs: 200, maxMs: 10_000 };

export type Consuming = {
  source: Mailbox;
  dead: Mailbox;
  settings: QueueSettings;
  clock: Clock;
  onError: (error: unknown) => void;
};

/** Takes batches one after the other until told to stop; an error is reported, never fatal. */
export async function consumeUntil(
  stopping: AbortSignal,
  { source, dead, settings, clock, onError }: Consuming,
  handler: Handler,
  batchSize: number,
): Promise<void> {
  const visibilitySeconds = wholeSeconds(settings.visibilityMs);
  let failures = 0;
  while (!stopping.aborted) {
    try {
      const ask = { max: batchSize, waitSeconds: WAIT_SECONDS, visibilitySeconds, signal: stopping };
      const received = await source.receive(ask);
      failures = 0;
      if (received.length > 0) await handle(received, { source, dead, settings, clock, onError }, handler);
    } catch (error) {
      if (stopping.aborted) return;
      onError(error);
      failures += 1;
      await clock.sleep(pauseMs(failures, RECEIVE_BACKOFF), stopping);
    }
  }
}

async function handle(received: Received[], consuming: Consuming, handler: Handler): Promise<void> {
  const { source, dead, settings, onError } = consuming;
  const failures = await failuresOf(handler, received.map(messageOf));
  const finished: Received[] = [];
  const hopeless: Received[] = [];
  const letters: ReturnType<typeof deadLetter>[] = [];
  const releases: { message: Received; inMs: number }[] = [];
  for (const message of received) {
    const failure = failures.get(message.id);
    if (!failure) finished.push(message);
    else if (message.receives < settings.maxReceives) {
      releases.push({ message, inMs: retryDelayMs(failure, message.receives, settings) });
    } else {
      hopeless.push(message);
      letters.push(deadLetter(message, failure.reason));
    }
  }
  // What can't be settled now becomes visible by itself and is handled once more.
  await Promise.all([
    source.delete(finished).catch(onError),
    source.release(releases).catch(onError),
    bury().catch(onError),
  ]);

  async function bury(): Promise<void> {
    await dead.send(letters);
    await source.delete(hopeless);
  }
}
