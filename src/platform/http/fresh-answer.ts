/** An answer that says 304 to those who have it already. */

import { createHash } from "node:crypto";
import type { Incoming } from "./exchange.ts";
import type { Answer } from "./route.ts";

/** `beside` is told, but is no reason to send the whole again. */
export function freshAnswer(request: Incoming, body: object, cacheControl: string, beside: object = {}): Answer {
  const etag = `"${createHash("sha1").update(JSON.stringify(body)).digest("base64url")}"`;
  const headers = { etag, "cache-control": cacheControl };
  if (request.header("if-none-match") === etag) return { status: 304, headers };
  return { body: { ...body, ...beside }, headers };
}
