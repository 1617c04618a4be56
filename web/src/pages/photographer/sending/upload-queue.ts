/** A photographer's uploads to one event: what pages show of them, and what one can do about them. */

import { createBoard, type FileBoard } from "./file-board.ts";
import { type Found, mayRead, readHandles } from "./find-files.ts";
import { type FileState, hasArrived, idOf, type QueuedFile, queuedFile, restored } from "./queued-file.ts";
import { refusalOf } from "./refuse-file.ts";
import type { Target } from "./send-file.ts";
import { createSpeed } from "./speed.ts";
import { stayAwake } from "./stay-awake.ts";
import { openMemory, type UploadMemory } from "./upload-memory.ts";
import {
  addToLine,
  createPump,
  leaveOut,
  type PumpStatus,
  pause,
  recall,
  resume,
  statusOf,
  type UploadPump,
} from "./upload-pump.ts";

/** Pages are drawn so often at most, however many files are on their way. */
const SHOW_EVERY_MS = 150;

export type QueueView = {
  rows: readonly QueuedFile[];
  counts: { readonly [state in FileState]: number };
  totalBytes: number;
  doneBytes: number;
  bytesPerSecond: number;
  status: PumpStatus;
  error: unknown;
  /** What is missing can be opened again by a click. */
  canReopen: boolean;
};

export type UploadQueue = {
  subscribe(listen: () => void): () => void;
  /** A new object after each change; its rows are the same objects. */
  read(): QueueView;
  add(found: Found): { added: number; skipped: number };
  /** Call it on a click: the browser asks its person whether the folder may be read again. */
  reopen(): Promise<void>;
  pause(): void;
  resume(): void;
  retry(row: QueuedFile): void;
  retryFailed(): void;
  remove(row: QueuedFile): void;
  /** Takes away what has arrived, or all. */
  clear(which: "arrived" | "all"): void;
};

const queues = new Map<string, UploadQueue>();

const scopeOf = ({ eventId, photographerId = "" }: Target) => `${eventId}/${photographerId}`;

/** Goes on while other pages are looked at. */
export function uploadQueue(target: Target): UploadQueue {
  const scope = scopeOf(target);
  const queue = queues.get(scope) ?? createQueue(target, openMemory(scope));
  queues.set(scope, queue);
  return queue;
}

/** The one that was begun since the page was loaded. */
export function openQueue(target: Target): UploadQueue | undefined {
  return queues.get(scopeOf(target));
}

/** One of several may be sending. */
function watchAll(): void {
  stayAwake([...queues.values()].some((queue) => ["running", "lost"].includes(queue.read().status)));
}

type Parts = { memory: UploadMemory; board: FileBoard; pump: UploadPump; handles: FileSystemHandle[] };

function createQueue(target: Target, memory: UploadMemory): UploadQueue {
  const screen = createScreen(() => viewOf(parts, screen.speed));
  const board = createBoard(memory, screen.changed);
  const parts: Parts = { memory, board, pump: createPump(target, board, screen.changed), handles: [] };
  void restore(parts);
  return {
    subscribe: screen.subscribe,
    read: screen.read,
    add: (found) => {
      parts.handles = [...parts.handles, ...found.handles];
      remember(parts);
      return enqueue(parts, found);
    },
    reopen: async () => {
      if (await mayRead(parts.handles, true)) await enqueueHandles(parts);
    },
    pause: () => {
      pause(parts.pump);
      remember(parts);
    },
    resume: () => {
      resume(parts.pump);
      remember(parts);
    },
    retry: (row) => again(parts, [row]),
    retryFailed: () => again(parts, those(board, "failed")),
    remove: (row) => {
      remove(parts, [row]);
      // Others waited in its shadow.
      again(
        parts,
        those(board, "duplicate").filter(({ sameAs }) => sameAs === row.path),
      );
    },
    clear: (which) => {
      remove(
        parts,
        board.rows().filter((row) => which === "all" || hasArrived(row)),
      );
      if (which === "all") parts.handles = [];
      remember(parts);
    },
  };
}

const those = (board: FileBoard, state: FileState) => board.rows().filter((row) => row.state === state);

function viewOf({ board, pump, handles }: Parts, speed: ReturnType<typeof createSpeed>): QueueView {
  const status = statusOf(pump);
  const { counts, bytes } = board;
  if (status === "running") speed.sample(bytes.done);
  else speed.stop();
  const figures = { totalBytes: bytes.total, doneBytes: bytes.done, bytesPerSecond: speed.perSecond() };
  return { rows: board.rows(), counts, ...figures, status, error: pump.error, canReopen: handles.length > 0 };
}

/** Shows what changed a little later, together with what else changed till then. */
function createScreen(look: () => QueueView) {
  const listeners = new Set<() => void>();
  let view: QueueView | undefined;
  let isDue = false;
  const show = () => {
    isDue = false;
    view = look();
    for (const listen of listeners) listen();
    watchAll();
    // The speed falls even if nothing comes.
    if (view.status === "running") changed();
  };
  const changed = () => {
    if (!isDue) setTimeout(show, SHOW_EVERY_MS);
    isDue = true;
  };
  return {
    speed: createSpeed(),
    changed,
    read: () => {
      view ??= look();
      return view;
    },
    subscribe: (listen: () => void) => {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}

/** What was sent or refused before stays so; what failed or is missing gets its file. */
function enqueue({ board, pump }: Parts, { files }: Pick<Found, "files">): { added: number; skipped: number } {
  const added: QueuedFile[] = [];
  let skipped = 0;
  for (const found of files) {
    const before = board.find(idOf(found));
    if (before && before.state !== "missing" && before.state !== "failed") {
      skipped += 1;
      continue;
    }
    const row = before ?? queuedFile(found);
    const reason = refusalOf(found.file);
    const refused = reason && ({ state: "refused", reason } as const);
    if (before) board.change(row, { file: found.file, state: "waiting", ...refused });
    else board.add(Object.assign(row, refused));
    if (!reason) added.push(row);
  }
  addToLine(pump, added);
  return { added: added.length, skipped };
}

async function enqueueHandles(parts: Parts): Promise<void> {
  enqueue(parts, { files: await readHandles(parts.handles).catch(() => []) });
}

async function restore(parts: Parts): Promise<void> {
  const { memory, board, pump } = parts;
  const [files, queue] = await Promise.all([memory.files(), memory.queue()]);
  board.restore(files.map(restored));
  recall(pump, board.rows());
  if (board.counts.missing === 0) return;
  parts.handles = [...(queue?.handles ?? []), ...parts.handles];
  if (queue?.paused) pause(pump);
  if (await mayRead(parts.handles, false)) await enqueueHandles(parts);
}

function again({ board, pump }: Parts, rows: QueuedFile[]): void {
  const ready = rows.filter(({ file, removed }) => file && !removed);
  for (const row of ready) {
    delete row.reason;
    delete row.sameAs;
    board.change(row, { state: "waiting", sentBytes: 0, refusals: 0 });
  }
  addToLine(pump, ready);
}

function remove({ board, pump }: Parts, rows: QueuedFile[]): void {
  board.remove(new Set(rows));
  leaveOut(pump, rows);
}

function remember({ memory, handles, pump }: Parts): void {
  void memory.keepQueue({ handles, paused: pump.isPaused });
}
