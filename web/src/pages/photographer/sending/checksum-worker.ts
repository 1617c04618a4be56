/** Reads files and sums them up beside the page, so that the page stays quick. */

import { subtle as ownSubtle } from "../../../sha256.ts";

export type ChecksumAsk = { id: number; file: File };
export type ChecksumAnswer = { id: number; sha256: string } | { id: number; error: string };

addEventListener("message", async ({ data: { id, file } }: MessageEvent<ChecksumAsk>) => {
  const answer: ChecksumAnswer = await sum(file).then(
    (sha256) => ({ id, sha256 }),
    (error: unknown) => ({ id, error: error instanceof Error ? error.message : "" }),
  );
  postMessage(answer);
});

/** Browsers have their own only on pages of a secure origin. */
async function sum(file: File): Promise<string> {
  const subtle = globalThis.crypto?.subtle ?? ownSubtle;
  const digest = await subtle.digest("SHA-256", new Uint8Array(await file.arrayBuffer()));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
