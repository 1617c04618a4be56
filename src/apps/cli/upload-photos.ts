/** Uploads for `snaprace upload`: looks at the files, asks where to send them, sends several at once, and tells the end. */

import type { UploadAnswer } from "../../photos/request-uploads.ts";
import { Problem } from "../../platform/problem.ts";
import { type Call, print } from "./command.ts";
import { closeAtEnd, isEndingEarly } from "./ending.ts";
import { createProgress } from "./progress.ts";
import { inOrder } from "./read-in-order.ts";
import { checksum, type FoundFiles, findFiles, type UploadFile } from "./upload-files.ts";
import { openMemory } from "./upload-memory.ts";
import { createMeter } from "./upload-meter.ts";
import { createPatience } from "./upload-patience.ts";
import { askFor, type CheckedFile, isOfFile, type Sender, sendFile } from "./upload-sending.ts";
import {
  type Outcome,
  stoppedText,
  type UploadReport,
  uploadJson,
  uploadProblem,
  uploadText,
} from "./upload-wording.ts";
import { mebibytes } from "./wording.ts";

/** The first answer comes soon, and tells of a wrong event before all is read; later ones are for many. */
const FIRST_BATCH = 8;
const LARGEST_BATCH = 500;
const BATCH_GROWTH = 4;
/** Reading is fast enough for any connection. */
const CHECKED_AT_ONCE = 2;

export type UploadOptions = { event: string; photographer?: string; atOnce: number };

type Run = Sender & { files: UploadFile[]; outcomes: Outcome[]; atOnce: number; stop: AbortController };
type Asked = { file: CheckedFile; answer: UploadAnswer };

export async function uploadPhotos(call: Call<[string[]], UploadOptions>): Promise<undefined> {
  const {
    args: [places],
    options,
  } = call;
  const found = await findFiles(places);
  if (found.files.length + found.failed.length === 0) throw noPhotos(places);
  const beganAt = performance.now();
  const { run, end } = await openRun(call, found);
  let isOver = false;
  const uploading = uploadAll(run).finally(end);
  closeAtEnd(async () => {
    run.stop.abort();
    await uploading.catch(() => {});
    if (!isOver && !options.json) process.stderr.write(`${stoppedText(run.outcomes)}\n`);
  });
  const failure = await uploading.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isEndingEarly()) throw failure;
  isOver = true;
  const report: UploadReport = {
    event: options.event,
    outcomes: run.outcomes,
    skipped: found.skipped,
    left: found.files.length + found.failed.length - run.outcomes.length,
    tookMs: performance.now() - beganAt,
    waitsForServer: call.api.serverUrl === undefined,
  };
  const isTold = failure === undefined || run.outcomes.length > 0;
  if (isTold) print({ json: uploadJson(report), text: uploadText(report) }, options);
  const problem = failure ?? uploadProblem(report);
  if (problem) throw problem;
  return undefined;
}

async function openRun({ api, options }: Call<[string[]], UploadOptions>, { files, failed }: FoundFiles) {
  const { event, photographer, atOnce, json } = options;
  const progress = createProgress({ silent: json === true, stream: process.stderr, amount: mebibytes });
  const stop = new AbortController();
  const onWait = ({ message }: Problem) => {
    if (json) return;
    progress.end();
    process.stderr.write(`${message} It is tried again for some minutes.\n`);
  };
  const totals = { files: files.length, sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  const run: Run = {
    ...{ api, event, photographer, atOnce, files, stop, signal: stop.signal },
    memory: await openMemory({ event, photographer }),
    meter: createMeter(totals, progress),
    patience: createPatience({ signal: stop.signal, onWait }),
    outcomes: failed.map(({ file, problem }): Outcome => ({ file, sizeBytes: 0, state: "failed", problem })),
  };
  return { run, end: () => progress.end() };
}

/** While files of one batch are sent, those of the next are read and asked for. */
async function uploadAll(run: Run): Promise<void> {
  const nextBatch = batchesOf(run);
  try {
    let next = nextBatch();
    for (;;) {
      const batch = await next;
      if (!batch) return;
      next = nextBatch();
      // It is told when its turn comes.
      next.catch(() => {});
      for await (const outcome of inOrder(batch, run.atOnce, (asked) => settle(run, asked))) run.outcomes.push(outcome);
    }
  } finally {
    // What else is under way ends, too.
    run.stop.abort();
  }
}

function batchesOf(run: Run): () => Promise<Asked[] | undefined> {
  const first = new Map<string, string>();
  let from = 0;
  let size = FIRST_BATCH;
  return async () => {
    const some = run.files.slice(from, from + size);
    from += size;
    size = Math.min(size * BATCH_GROWTH, LARGEST_BATCH);
    if (some.length === 0) return undefined;
    const fresh: CheckedFile[] = [];
    for await (const checked of inOrder(some, CHECKED_AT_ONCE, (file) => check(run, file))) {
      if (!("sha256" in checked)) tell(run, checked);
      else if (first.has(checked.sha256)) tell(run, duplicate(checked, first.get(checked.sha256) as string));
      else fresh.push(checked);
      if ("sha256" in checked && !first.has(checked.sha256)) first.set(checked.sha256, checked.file);
    }
    if (fresh.length === 0) return [];
    const answers = await run.patience(() => askFor(run, fresh));
    return fresh.map((file, n) => ({ file, answer: answers[n] as UploadAnswer }));
  };
}

async function check(run: Run, file: UploadFile): Promise<CheckedFile | Outcome> {
  try {
    return { ...file, sha256: await checksum(file, run.meter.checked, run.signal) };
  } catch (error) {
    if (!isOfFile(error)) throw error;
    return { file: file.file, sizeBytes: file.sizeBytes, state: "failed", problem: error };
  }
}

function duplicate({ file, sizeBytes }: CheckedFile, of: string): Outcome {
  return { file, sizeBytes, state: "duplicate", of };
}

function tell(run: Run, outcome: Outcome): void {
  run.outcomes.push(outcome);
  run.meter.settled(outcome.sizeBytes);
}

async function settle(run: Run, { file, answer }: Asked): Promise<Outcome> {
  const about = { file: file.file, sizeBytes: file.sizeBytes };
  try {
    const isWanted = answer.state === "upload" || answer.state === "parts";
    const { name: _, ...done } = { name: "", ...(isWanted ? await sendFile(run, file, answer) : answer) };
    run.meter.settled(done.state === "sent" ? 0 : file.sizeBytes);
    return { ...about, ...done };
  } catch (error) {
    if (isOfFile(error)) {
      run.meter.settled(file.sizeBytes);
      return { ...about, state: "failed", problem: error };
    }
    run.stop.abort(error);
    throw error;
  }
}

function noPhotos(places: string[]): Problem {
  return new Problem("missing", "photos.none", `There are no photos in ${places.join(", ")}.`);
}
