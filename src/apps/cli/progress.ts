/** Shows how far a long command is: a bar that redraws itself on a terminal, now and then a line anywhere else. */

import { widthOf } from "./table.ts";

const REDRAW_MS = 100;
const LINE_MS = 3000;
const MOST_BAR = 30;
const LEAST_BAR = 5;

export type Progress = {
  /** Cheap enough to be called for every row. `after` is what else there is to tell. */
  show(label: string, done: number, total?: number, after?: string): void;
  /** Takes the bar away, so that what follows stands on a line of its own. */
  end(): void;
};

export type ProgressSettings = {
  /** Nothing is shown to scripts. */
  silent: boolean;
  stream: { isTTY?: boolean; columns?: number; write(text: string): unknown };
  now?: () => number;
  /** How to write an amount; numbers by themselves if not told. */
  amount?: (value: number) => string;
};

export function createProgress(settings: ProgressSettings): Progress {
  const { silent, stream, now = () => performance.now(), amount = (value) => value.toLocaleString("en") } = settings;
  if (silent) return { show: () => {}, end: () => {} };
  const describe: Describe = (label, done, total, after = "") =>
    `${label}: ${amount(done)}${total === undefined ? "" : ` of ${amount(total)}`}${after}`;
  return stream.isTTY ? createBar(stream, now, describe) : createLines(stream, now, describe);
}

type Describe = (label: string, done: number, total?: number, after?: string) => string;

function createBar(stream: ProgressSettings["stream"], now: () => number, describe: Describe): Progress {
  let drawnAt = Number.NEGATIVE_INFINITY;
  return {
    show: (label, done, total, after) => {
      // The end is always shown, since what comes after it may take a while.
      if (now() - drawnAt < REDRAW_MS && done !== total) return;
      drawnAt = now();
      stream.write(`\r\u001b[K${barLine(describe(label, done, total, after), done, total, stream.columns || 80)}`);
    },
    end: () => {
      if (drawnAt !== Number.NEGATIVE_INFINITY) stream.write("\r\u001b[K");
      drawnAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** One column stays free, since some terminals wrap when the last one is written. */
function barLine(text: string, done: number, total: number | undefined, columns: number): string {
  const room = columns - 1;
  const bar = Math.min(MOST_BAR, room - widthOf(text) - 3);
  if (total === undefined || bar < LEAST_BAR) return cut(text, room);
  const full = total === 0 ? bar : Math.min(bar, Math.round((done / total) * bar));
  return `[${"#".repeat(full)}${"-".repeat(bar - full)}] ${text}`;
}

function cut(text: string, room: number): string {
  let shown = text;
  while (widthOf(shown) > room) shown = shown.slice(0, -1);
  return shown;
}

/** What is done before the first line is due needs none. */
function createLines(stream: ProgressSettings["stream"], now: () => number, describe: Describe): Progress {
  let writtenAt = now();
  return {
    show: (label, done, total, after) => {
      if (now() - writtenAt < LINE_MS) return;
      writtenAt = now();
      stream.write(`${describe(label, done, total, after)}\n`);
    },
    end: () => {},
  };
}
