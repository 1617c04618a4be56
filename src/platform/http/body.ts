/** Request bodies, read as they come and never beyond their limit. */

import { Problem } from "../problem.ts";
import type { Incoming } from "./exchange.ts";

export async function readText(request: Incoming, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readBytes(request, maxBytes)) chunks.push(chunk);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new Problem("invalid", "input.bad-encoding", "The body is not UTF-8.");
  }
}

export async function* readBytes(request: Incoming, maxBytes: number): AsyncGenerator<Uint8Array> {
  const declared = Number(request.header("content-length") ?? 0);
  if (declared > maxBytes) throw tooLarge(maxBytes);
  let sizeBytes = 0;
  for await (const chunk of request.body() ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

function tooLarge(maxBytes: number): Problem {
  const limit = maxBytes < 1024 * 1024 ? `${maxBytes / 1024} KiB` : `${maxBytes / 1024 / 1024} MiB`;
  return new Problem("too-large", "http.body-too-large", `The body is larger than the ${limit} this takes.`);
}
