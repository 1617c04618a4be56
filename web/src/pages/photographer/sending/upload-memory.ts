/** Remembers the queue in the browser's own database, so that a reload or a crash loses nothing that was done. */

import type { RememberedFile } from "./queued-file.ts";

const DATABASE = "snaprace-uploads";
const FILES = "files";
const QUEUES = "queues";

/** Which folders and files were chosen, where the browser lets them be opened again, and whether sending was paused. */
export type RememberedQueue = { scope: string; handles: FileSystemHandle[]; paused: boolean };

export type UploadMemory = {
  files(): Promise<RememberedFile[]>;
  queue(): Promise<RememberedQueue | undefined>;
  keepFiles(files: RememberedFile[]): Promise<void>;
  forgetFiles(ids: string[]): Promise<void>;
  keepQueue(queue: Omit<RememberedQueue, "scope">): Promise<void>;
};

/** A browser that stores nothing is no reason not to upload: what is there already is known to the server anyway. */
export function openMemory(scope: string): UploadMemory {
  const database = open().catch(() => undefined);
  const inStore = async <Value>(
    store: string,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => IDBRequest<Value> | undefined,
  ): Promise<Value | undefined> => {
    const db = await database;
    if (!db) return undefined;
    try {
      const transaction = db.transaction(store, mode);
      const asked = work(transaction.objectStore(store));
      await over(transaction);
      return asked?.result;
    } catch {
      return undefined;
    }
  };
  const all = IDBKeyRange.bound([scope], [scope, []]);
  return {
    files: async () => (await inStore<RememberedFile[]>(FILES, "readonly", (files) => files.getAll(all))) ?? [],
    queue: () => inStore<RememberedQueue>(QUEUES, "readonly", (queues) => queues.get(scope)),
    keepFiles: async (files) => {
      await inStore(FILES, "readwrite", (store) => {
        for (const file of files) store.put({ scope, ...file });
        return undefined;
      });
    },
    forgetFiles: async (ids) => {
      await inStore(FILES, "readwrite", (store) => {
        for (const id of ids) store.delete([scope, id]);
        return undefined;
      });
    },
    keepQueue: async (queue) => {
      await inStore(QUEUES, "readwrite", (store) => store.put({ scope, ...queue }));
    },
  };
}

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(DATABASE, 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore(FILES, { keyPath: ["scope", "id"] });
      asked.result.createObjectStore(QUEUES, { keyPath: "scope" });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

function over(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onerror = () => reject(transaction.error);
    transaction.onabort = () => reject(transaction.error);
  });
}
