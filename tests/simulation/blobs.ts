/** The blobs port of one process in a simulation, as far as entry uses it. */

import type { BlobHead, Blobs } from "../../src/platform/ports.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { Wire } from "./wire.ts";

export type BlobStore = Map<string, { head: BlobHead; bytes: Uint8Array }>;

export function blobsOf(process: Process, store: BlobStore, scheduler: Scheduler, wire: Wire): Blobs {
  const missing = async () => {
    throw new Error("There is no such call in a simulation.");
  };
  return {
    async put(key, body, { contentType, metadata = {} }) {
      const pieces: Uint8Array[] = [];
      if (body instanceof Uint8Array) pieces.push(body);
      else for await (const piece of body) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const effect = () => {
        const head = {
          key,
          sizeBytes: bytes.length,
          etag: `${scheduler.steps}`,
          createdAt: scheduler.nowMs,
          contentType,
          metadata,
        };
        store.set(key, { head, bytes });
        return head;
      };
      return wire.ask(process, { label: () => `put blob ${key}`, effect, changes: true });
    },

    get: (key) =>
      wire.ask(process, {
        label: () => `get blob ${key}`,
        effect: () => {
          const found = store.get(key);
          return found && { head: found.head, body: once(found.bytes) };
        },
      }),

    head: (key) => wire.ask(process, { label: () => `head blob ${key}`, effect: () => store.get(key)?.head }),
    getWhole: missing,
    list: missing,
    delete: (keys) => {
      const effect = () => keys.forEach((key) => void store.delete(key));
      return wire.ask(process, { label: () => `delete blobs ${keys.join(", ")}`, effect, changes: true });
    },
    signUpload: missing,
    signDownload: missing,
    beginParts: missing,
    signPart: missing,
    listParts: missing,
    completeParts: missing,
    abandonParts: missing,
  };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
