/** Moves files through their stages: summed up, asked about in batches, sent four at a time. */

import { checksum } from "./checksum.ts";
import type { FileBoard } from "./file-board.ts";
import { createPatience, type Patience } from "./patience.ts";
import { hasArrived, type QueuedFile } from "./queued-file.ts";
import { askFor, type Granted, sendFile, type Target, type UploadAnswer } from "./send-file.ts";
import { FileTrouble, isPassing, isStale } from "./trouble.ts";

const CHECKED_AT_ONCE = 2;
const SENT_AT_ONCE = 4;
/** As many are ready to be sent: more would have URLs that expire before their turn. */
const AHEAD = 300;
/** With fewer that may be sent, others are asked about; and with so many to ask about, at once. */
const LOW = 8;
const ENOUGH = 24;
const MOST_ASKED = 1000;
/** Refused with a new URL, it is not the URL's age. */
const MOST_REFUSALS = 3;

export type UploadPump = {
  target: Target;
  board: FileBoard;
  onChange: () => void;
  patience: Patience;
  line: QueuedFile[];
  checked: QueuedFile[];
  granted: { row: QueuedFile; grant: Granted }[];
  senders: Map<QueuedFile, AbortController>;
  /** By their bytes: others with the same are not sent. */
  firstOf: Map<string, QueuedFile>;
  checking: number;
  isAsking: boolean;
  isPaused: boolean;
  /** Why nothing goes on. */
  error: unknown;
};

export type PumpStatus = "idle" | "running" | "paused" | "lost" | "stopped";

export function createPump(target: Target, board: FileBoard, onChange: () => void): UploadPump {
  const patience = createPatience(() => move(pump));
  const stages = { line: [], checked: [], granted: [], senders: new Map(), firstOf: new Map() };
  const now = { checking: 0, isAsking: false, isPaused: false, error: undefined };
  const pump: UploadPump = { target, board, onChange, patience, ...stages, ...now };
  return pump;
}

export function addToLine(pump: UploadPump, rows: QueuedFile[]): void {
  for (const row of rows) pump.line.push(row);
  move(pump);
}

/** Known from before: other files with the same bytes are not sent. */
export function recall(pump: UploadPump, rows: readonly QueuedFile[]): void {
  for (const row of rows) if (row.sha256 && hasArrived(row) && !row.sameAs) pump.firstOf.set(row.sha256, row);
}

export function pause(pump: UploadPump): void {
  pump.isPaused = true;
  for (const stop of pump.senders.values()) stop.abort();
  pump.onChange();
}

/** Also tries again what could not go on. */
export function resume(pump: UploadPump): void {
  pump.isPaused = false;
  pump.error = undefined;
  move(pump);
}

/** Forgets those that were taken off the list. */
export function leaveOut(pump: UploadPump, rows: QueuedFile[]): void {
  for (const row of rows) pump.senders.get(row)?.abort();
  pump.line = pump.line.filter(({ removed }) => !removed);
  pump.checked = pump.checked.filter(({ removed }) => !removed);
  pump.granted = pump.granted.filter(({ row }) => !row.removed);
}

export function statusOf(pump: UploadPump): PumpStatus {
  if (pump.error !== undefined) return "stopped";
  const { line, checked, granted, senders, checking, isAsking } = pump;
  const underWay = line.length + checked.length + granted.length + senders.size + checking;
  if (underWay === 0 && !isAsking) return "idle";
  if (pump.isPaused) return "paused";
  return pump.patience.isTried() ? "lost" : "running";
}

function move(pump: UploadPump): void {
  if (!pump.isPaused && pump.error === undefined && !pump.patience.isWaiting()) {
    while (pump.checking < CHECKED_AT_ONCE && pump.checked.length + pump.granted.length < AHEAD) {
      const row = pump.line.shift();
      if (!row) break;
      if (!row.removed) void check(pump, row);
    }
    if (!pump.isAsking && wantsToAsk(pump)) void ask(pump);
    while (pump.senders.size < SENT_AT_ONCE) {
      const next = pump.granted.shift();
      if (!next) break;
      if (!next.row.removed) void send(pump, next.row, next.grant);
    }
  }
  pump.onChange();
}

function wantsToAsk({ checked, granted, checking, senders }: UploadPump): boolean {
  if (checked.length === 0 || granted.length >= LOW) return false;
  const isMoreComing = checking > 0 && checked.length < ENOUGH;
  return !isMoreComing || granted.length + senders.size === 0;
}

async function check(pump: UploadPump, row: QueuedFile): Promise<void> {
  const { board, firstOf } = pump;
  pump.checking += 1;
  try {
    if (row.sha256 === undefined) {
      board.change(row, { state: "checking" }, { keep: false });
      board.change(row, { sha256: await checksum(row.file as File) });
    }
    const first = firstOf.get(row.sha256 as string);
    if (first && first !== row && !first.removed) board.change(row, { state: "duplicate", sameAs: first.path });
    else if (!row.removed) {
      firstOf.set(row.sha256 as string, row);
      board.change(row, { state: "waiting" }, { keep: false });
      pump.checked.push(row);
    }
  } catch (trouble) {
    fail(pump, row, trouble);
  }
  pump.checking -= 1;
  move(pump);
}

async function ask(pump: UploadPump): Promise<void> {
  pump.isAsking = true;
  const rows = pump.checked.splice(0, MOST_ASKED).filter(({ removed }) => !removed);
  try {
    const answers = rows.length > 0 ? await askFor(pump.target, rows) : [];
    pump.patience.worked();
    for (const [n, row] of rows.entries()) answered(pump, row, answers[n]);
  } catch (trouble) {
    pump.checked.unshift(...rows);
    if (isPassing(trouble)) pump.patience.failed();
    else pump.error = trouble;
  }
  pump.isAsking = false;
  move(pump);
}

function answered({ board, granted }: UploadPump, row: QueuedFile, answer: UploadAnswer | undefined): void {
  if (row.removed || answer === undefined) return;
  if (answer.state === "known") board.change(row, { state: row.begun ? "sent" : "known" });
  else if (answer.state === "refused") board.change(row, { state: "refused", reason: answer.problem });
  else {
    if (answer.state === "parts") board.change(row, { uploadId: answer.parts.uploadId });
    granted.push({ row, grant: answer });
  }
}

async function send(pump: UploadPump, row: QueuedFile, grant: Granted): Promise<void> {
  const { board, senders, patience, target } = pump;
  const stop = new AbortController();
  senders.set(row, stop);
  board.change(row, { state: "sending", begun: true });
  const onProgress = (bytes: number) =>
    board.change(row, { sentBytes: Math.min(bytes, row.sizeBytes) }, { keep: false });
  try {
    await sendFile(target, row.file as File, grant, { signal: stop.signal, onProgress });
    patience.worked();
    board.change(row, { state: "sent", sentBytes: row.sizeBytes });
  } catch (trouble) {
    if (!row.removed) unsent(pump, row, { trouble, isStopped: stop.signal.aborted });
  }
  senders.delete(row);
  move(pump);
}

type Unsent = { trouble: unknown; isStopped: boolean };

/** Perhaps it arrived, and only the answer was lost: it is asked about again. */
function unsent(pump: UploadPump, row: QueuedFile, { trouble, isStopped }: Unsent): void {
  const isRefused = !isStopped && isStale(trouble);
  const isPast = isRefused && row.refusals >= MOST_REFUSALS;
  if (isPast) fail(pump, row, new FileTrouble("upload.url-refused"));
  else if (isStopped || isRefused || isPassing(trouble)) {
    if (!isStopped && !isRefused) pump.patience.failed();
    const refusals = row.refusals + (isRefused ? 1 : 0);
    pump.board.change(row, { state: "waiting", sentBytes: 0, refusals }, { keep: false });
    pump.checked.unshift(row);
  } else fail(pump, row, trouble);
}

function fail({ board }: UploadPump, row: QueuedFile, trouble: unknown): void {
  const { code = "upload.failed", message = "" } = trouble as Partial<FileTrouble>;
  board.change(row, { state: "failed", reason: { code, message } });
}
