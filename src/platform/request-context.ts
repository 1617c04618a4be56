/** The request id that travels through every hop: HTTP, queue messages, workflow runs, logs. */

import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";

const requests = new AsyncLocalStorage<string>();

/**
 * 32 hex digits, so that it is a valid trace id for W3C `traceparent` and for X-Ray too. Node keeps randomness for UUIDs
 * in stock; asking for bytes each time took 15 µs.
 */
export function newRequestId(): string {
  return randomUUID().replaceAll("-", "");
}

export function isRequestId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

export function currentRequestId(): string | undefined {
  return requests.getStore();
}

export function withRequestId<T>(requestId: string | undefined, work: () => T): T {
  return requests.run(requestId ?? newRequestId(), work);
}
