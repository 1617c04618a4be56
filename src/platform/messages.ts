/** SQS's limits on message bodies, checked in front of both engines so that both refuse alike. */

import { Problem } from "./problem.ts";

export const MAX_MESSAGE_BYTES = 256 * 1024;

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
