/** A file on its way to the server: what it is, how it stands, and what is remembered of it for after a reload. */

export const FILE_STATES = [
  "waiting",
  "checking",
  "sending",
  "sent",
  "known",
  "duplicate",
  "refused",
  "failed",
  "missing",
] as const;
/** `known` was at the server before, `duplicate` is the same as another file here, `missing` is to be chosen again after a reload. */
export type FileState = (typeof FILE_STATES)[number];

export type Reason = { code: string; message: string };

export type FoundFile = { path: string; file: File };

/** What is left of it when the page is gone. */
export type RememberedFile = {
  /** Of the path, the size and when it was changed: who chooses the file again gets the same. */
  id: string;
  path: string;
  sizeBytes: number;
  state: FileState;
  sha256?: string;
  /** Of an upload in parts that was begun. */
  uploadId?: string;
  /** Its sending was begun: what the server knows then came from here. */
  begun?: boolean;
  reason?: Reason;
  /** The path of the file with the same bytes. */
  sameAs?: string;
};

export type QueuedFile = RememberedFile & { file?: File; sentBytes: number; refusals: number; removed?: boolean };

export function queuedFile({ path, file }: FoundFile): QueuedFile {
  const id = idOf({ path, file });
  return { id, path, file, sizeBytes: file.size, state: "waiting", sentBytes: 0, refusals: 0 };
}

export function idOf({ path, file }: FoundFile): string {
  return `${path}|${file.size}|${file.lastModified}`;
}

export function remembered(row: QueuedFile): RememberedFile {
  const { file: _file, sentBytes: _sent, refusals: _refusals, removed: _removed, ...rest } = row;
  return rest;
}

/** What was not over when the page went, needs its file again. */
export function restored(row: RememberedFile): QueuedFile {
  return { ...row, state: isSettled(row) ? row.state : "missing", sentBytes: 0, refusals: 0 };
}

const SETTLED: ReadonlySet<FileState> = new Set(["sent", "known", "duplicate", "refused", "failed"]);
const ARRIVED: ReadonlySet<FileState> = new Set(["sent", "known", "duplicate"]);

export const isSettled = ({ state }: Pick<QueuedFile, "state">) => SETTLED.has(state);
/** Nothing is left to be done about it. */
export const hasArrived = ({ state }: Pick<QueuedFile, "state">) => ARRIVED.has(state);
