/** Counts what was uploaded and how fast, and tells it as progress. */

import type { Progress } from "./progress.ts";
import { mebibytes } from "./wording.ts";

/** Speed is that of the last while: connections come and go. */
const WINDOW_MS = 10_000;
/** Before that, nobody can say how long it takes. */
const FIRST_GUESS_MS = 2000;

export type Meter = {
  checked(bytes: number): void;
  /** Bytes on their way; negative when they must be sent again. */
  sent(bytes: number): void;
  /** Bytes that are there since an earlier run; negative when they are counted anew. */
  found(bytes: number): void;
  /** A file is done with; `unsentBytes` of it need not be sent any more. */
  settled(unsentBytes: number): void;
};

type Totals = { files: number; sizeBytes: number };

export function createMeter(totals: Totals, progress: Progress, now = () => performance.now()): Meter {
  const beganAt = now();
  let checkedBytes = 0;
  let doneBytes = 0;
  let settledFiles = 0;
  let sentBytes = 0;
  let marks: { at: number; sentBytes: number }[] = [{ at: beganAt, sentBytes: 0 }];
  const speed = () => {
    const at = now();
    const last = marks.at(-1);
    if (!last || at - last.at >= WINDOW_MS / 20) marks.push({ at, sentBytes });
    while (marks.length > 2 && at - (marks[1]?.at ?? at) > WINDOW_MS) marks = marks.slice(1);
    const first = marks[0] ?? { at, sentBytes };
    return at - beganAt < FIRST_GUESS_MS || at === first.at
      ? 0
      : ((sentBytes - first.sentBytes) / (at - first.at)) * 1000;
  };
  const show = () => {
    const checking = checkedBytes < totals.sizeBytes ? `, checked ${percent(checkedBytes, totals.sizeBytes)}` : "";
    const label = `${settledFiles.toLocaleString("en")} of ${totals.files.toLocaleString("en")} photos`;
    progress.show(label, doneBytes, totals.sizeBytes, pace(speed(), totals.sizeBytes - doneBytes) + checking);
  };
  return {
    checked: (bytes) => {
      checkedBytes += bytes;
      show();
    },
    sent: (bytes) => {
      sentBytes += bytes;
      doneBytes += bytes;
      show();
    },
    found: (bytes) => {
      doneBytes += bytes;
      show();
    },
    settled: (unsentBytes) => {
      doneBytes += unsentBytes;
      settledFiles += 1;
      show();
    },
  };
}

function pace(bytesPerSecond: number, leftBytes: number): string {
  if (bytesPerSecond <= 0) return "";
  return `, ${mebibytes(bytesPerSecond)}/s, ${duration((leftBytes / bytesPerSecond) * 1000)} left`;
}

function percent(part: number, whole: number): string {
  return `${Math.floor((part / whole) * 100)}%`;
}

/** "12 s", "4 min 12 s", "3 h 5 min". */
export function duration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
