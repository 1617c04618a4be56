/** All files of a queue with their counts and bytes, kept up with each change, and remembered a moment later. */

import { FILE_STATES, type FileState, isSettled, type QueuedFile, remembered } from "./queued-file.ts";
import type { UploadMemory } from "./upload-memory.ts";

const REMEMBER_EVERY_MS = 300;

export type FileBoard = ReturnType<typeof createBoard>;

export function createBoard(memory: UploadMemory, onChange: () => void) {
  let rows: QueuedFile[] = [];
  const byId = new Map<string, QueuedFile>();
  const counts = Object.fromEntries(FILE_STATES.map((state) => [state, 0])) as { [state in FileState]: number };
  const bytes = { total: 0, done: 0 };
  const remember = createRemembering(memory);

  const count = (row: QueuedFile, by: 1 | -1) => {
    counts[row.state] += by;
    bytes.total += by * row.sizeBytes;
    bytes.done += by * (isSettled(row) ? row.sizeBytes : row.sentBytes);
  };
  const add = (row: QueuedFile) => {
    rows.push(row);
    byId.set(row.id, row);
    count(row, 1);
  };
  return {
    counts,
    bytes,
    rows: () => rows,
    find: (id: string) => byId.get(id),
    /** Those that were remembered are so already. */
    restore: (restored: QueuedFile[]) => {
      for (const row of restored) if (!byId.has(row.id)) add(row);
      onChange();
    },
    add: (row: QueuedFile) => {
      add(row);
      remember.keep(row);
      onChange();
    },
    /** How far it is changes too often to be remembered. */
    change: (row: QueuedFile, change: Partial<QueuedFile>, { keep = true } = {}) => {
      if (row.removed) return;
      count(row, -1);
      Object.assign(row, change);
      count(row, 1);
      if (keep) remember.keep(row);
      onChange();
    },
    remove: (gone: ReadonlySet<QueuedFile>) => {
      for (const row of gone) {
        if (!row.removed) count(row, -1);
        row.removed = true;
        byId.delete(row.id);
      }
      rows = rows.filter((row) => !gone.has(row));
      remember.forget([...gone]);
      onChange();
    },
  };
}

/** Many changes are written together. */
function createRemembering(memory: UploadMemory) {
  const kept = new Set<QueuedFile>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const write = () => {
    clearTimeout(timer);
    timer = undefined;
    const files = [...kept].filter(({ removed }) => !removed).map(remembered);
    kept.clear();
    if (files.length > 0) void memory.keepFiles(files);
  };
  addEventListener("pagehide", write);
  return {
    keep: (row: QueuedFile) => {
      kept.add(row);
      timer ??= setTimeout(write, REMEMBER_EVERY_MS);
    },
    forget: (rows: QueuedFile[]) => {
      write();
      void memory.forgetFiles(rows.map(({ id }) => id));
    },
  };
}
