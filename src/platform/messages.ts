/** What both queue engines do alike: refuse the bodies SQS refuses, run a handler over a batch, wait before a retry. */

import type { Failure, Handler, Message, QueueSettings } from "./ports.ts";
import { Problem } from "./problem.ts";
import { withRequestId } from "./request-context.ts";

export const MAX_MESSAGE_BYTES = 256 * 1024;
const FIRST_RETRY_MS = 1000;

// SQS takes only what XML 1.0 takes.
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

export function checkBodies(bodies: string[]): void {
  for (const body of bodies) {
    if (body === "") throw new Problem("invalid", "queue.empty-message", "A message body can't be empty.");
    if (FORBIDDEN.test(body)) {
      throw new Problem("invalid", "queue.bad-message", "A message body has a character that queues can't carry.");
    }
    const sizeBytes = Buffer.byteLength(body);
    if (sizeBytes > MAX_MESSAGE_BYTES) {
      throw new Problem(
        "too-large",
        "queue.message-too-large",
        `A message has ${sizeBytes} bytes; the limit is ${MAX_MESSAGE_BYTES}.`,
      );
    }
  }
}

/** Answers what was not finished, by message id. A message that comes alone is handled under its own request id. */
export async function failuresOf(handler: Handler, messages: Message[]): Promise<Map<string, Failure>> {
  const requestId = messages.length === 1 ? messages[0]?.requestId : undefined;
  try {
    const failures = await withRequestId(requestId, () => handler(messages));
    return new Map(failures.map((failure) => [failure.id, failure]));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return new Map(messages.map(({ id }) => [id, { id, reason }]));
  }
}

/** As long as the handler asked, or twice as long each time, but no longer than a crash would have taken. */
export function retryDelayMs({ retryInMs }: Failure, receives: number, { visibilityMs }: QueueSettings): number {
  return retryInMs ?? Math.min(FIRST_RETRY_MS * 2 ** (receives - 1), visibilityMs);
}
