/** The pictures that preprocessing has just stored, for the looks that follow at once: they need not be read back. */

import type { BlobHead, Blobs } from "../platform/ports.ts";

/** More than are worked on at the same time; some megabytes each. */
const MOST_KEPT = 8;

type Kept = { etag: string; jpeg: Buffer };

const keptOf = new WeakMap<Blobs, Map<string, Kept>>();

export function keepPicture(blobs: Blobs, { key, etag }: BlobHead, jpeg: Buffer): void {
  const kept = keptOf.get(blobs) ?? new Map<string, Kept>();
  keptOf.set(blobs, kept);
  kept.delete(key);
  kept.set(key, { etag, jpeg });
  for (const [oldest] of kept) {
    if (kept.size <= MOST_KEPT) break;
    kept.delete(oldest);
  }
}

/** Only while the object is there, and is this one: a deleted photo is not looked at. */
export async function keptPicture(blobs: Blobs, key: string): Promise<Buffer | undefined> {
  const known = keptOf.get(blobs)?.get(key);
  if (!known) return undefined;
  return (await blobs.head(key))?.etag === known.etag ? known.jpeg : undefined;
}
