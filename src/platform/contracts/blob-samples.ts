/** Objects and grants for the blobs suites. */

import assert from "node:assert/strict";
import type { UploadGrant } from "../ports.ts";

export const JPEG = { contentType: "image/jpeg" };

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function grantOf(grant: Partial<UploadGrant>): UploadGrant {
  return { key: "a", sizeBytes: 5, contentType: "image/jpeg", expiresInMs: 60_000, ...grant };
}

export async function bytesOf(body: AsyncIterable<Uint8Array> | undefined): Promise<Buffer> {
  assert.ok(body, "there is an object");
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export async function textOf(body: AsyncIterable<Uint8Array> | undefined): Promise<string> {
  return (await bytesOf(body)).toString();
}
