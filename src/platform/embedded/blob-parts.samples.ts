/** Sends parts to embedded engines without a server between. */

import type { PartsUpload } from "../ports.ts";
import type { EmbeddedEngines } from "./engines.ts";

type Sending = { bucket: string; upload: PartsUpload; part: number; body: Uint8Array<ArrayBuffer> };

export async function sendPart(engines: EmbeddedEngines, { bucket, upload, part, body }: Sending): Promise<void> {
  const grant = { ...upload, part, sizeBytes: body.length, expiresInMs: 60_000 };
  const { method, url } = await engines.blobs(bucket).signPart(grant);
  const headers = { "content-length": String(body.length) };
  await engines.serveBlob(new Request(url, { method, headers, body }));
}
