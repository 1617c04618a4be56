/** What is done to all photos of somebody or of an event: how long it takes with a hundred thousand, in how much memory, and that a death in the middle costs nothing. */

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { below, count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import type { JobOrder, Order, Told } from "./jobs-process.ts";

const LOOK_EVERY_MS = 200;
/** What the program takes before it has seen a photo is some 200 of them. */
const MOST_MEGABYTES = 500;
const NAMED = { name: "Minji", asOf: "2026-01-01T00:00:00.000Z" };
const RENAMED = { name: "Minji Kim Photo", asOf: "2026-06-01T00:00:00.000Z" };

/** `credit` is what the registry calls the photographer. */
type Place = { folder: string; photos: number; credit: typeof RENAMED };
type Worker = { child: ChildProcess; ask(order: Order): Promise<Told> };
type Outcome = { seconds: number; peakMegabytes: number; told: Told };

export async function measureJobs(photos: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-jobs-"));
  try {
    const startedAt = performance.now();
    await inProcess({ folder, photos, credit: NAMED }, ({ ask }) => ask({ do: "fill" }));
    progress(`${count(photos)} photos stored in ${count((performance.now() - startedAt) / 1000)} s`);
    const place = { folder, photos, credit: RENAMED };
    const sync = await killedInTheMiddle(place, { do: "sync", ...RENAMED });
    check(sync.told.credits, { [RENAMED.name]: photos });
    const again = await inProcess(place, (worker) =>
      untilFinished(worker, { do: "sync", ...RENAMED, asOf: "2026-06-02T00:00:00.000Z" }),
    );
    check(
      { changed: again.told.job?.changed, last: again.told.lastUpdate },
      { changed: 0, last: sync.told.lastUpdate },
    );
    const reprocess = await killedInTheMiddle(place, { do: "reprocess" });
    check(reprocess.told.uploads, { "DONE 2": photos });
    check({ last: reprocess.told.lastUpdate }, { last: sync.told.lastUpdate });
    const { uploaded, processing, done, failed } = reprocess.told.counts ?? {};
    check({ uploaded, processing, done, failed }, { uploaded: photos, processing: 0, done: photos, failed: 0 });
    const rows = (name: string, { seconds, peakMegabytes }: Outcome) => [
      figure(`${name}, ${count(photos)} photos, killed once: until all were right`, seconds, "s"),
      below(`${name}: memory of the process at its peak`, peakMegabytes, "MB", MOST_MEGABYTES),
    ];
    return [
      ...rows("photographer's new name", sync),
      figure("the same name once more: until nothing was found to change", again.seconds, "s"),
      ...rows("all photos run again, nothing looked at", reprocess),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function check(found: object | undefined, wanted: object): void {
  const [is, should] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`There is ${is} where ${should} was expected.`);
}

/** SIGKILL once half of the photos were seen; another process goes on by itself. */
async function killedInTheMiddle(place: Place, order: JobOrder): Promise<Outcome> {
  const { photos } = place;
  const startedAt = performance.now();
  const first = startWorker(place);
  let told = await first.ask(order);
  while ((told.job?.seen ?? 0) < photos / 2) {
    await delay(LOOK_EVERY_MS);
    told = await first.ask({ do: "tell" });
  }
  if (told.job?.finished) throw new Error("It had ended before it could be killed.");
  const before = told;
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  const killedAt = performance.now();
  const { told: after, peakMegabytes } = await inProcess(place, (worker) =>
    untilFinished(worker, { ...order, isUnderWay: true }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const load = loadavg()[0]?.toFixed(2);
  progress(
    `${order.do}: ${count(before.job?.seen ?? 0)} seen in ${((killedAt - startedAt) / 1000).toFixed(1)} s, killed, ` +
      `${count(after.job?.seen ?? 0)} seen at the end, ${seconds.toFixed(1)} s in all; the machine's load ${load}`,
  );
  return { seconds, peakMegabytes: Math.max(peakMegabytes, before.peakMegabytes), told: after };
}

async function untilFinished({ ask }: Worker, order: JobOrder): Promise<Outcome> {
  const startedAt = performance.now();
  let told = await ask(order);
  while (!told.job?.finished || (await isWorking(ask))) {
    await delay(LOOK_EVERY_MS);
    told = await ask({ do: "tell" });
  }
  const { peakMegabytes } = told;
  return { seconds: (performance.now() - startedAt) / 1000, peakMegabytes, told: await ask({ do: "check" }) };
}

/** The job is over when all is started, and the work when all is done. */
async function isWorking(ask: Worker["ask"]): Promise<boolean> {
  return Boolean((await ask({ do: "counts" })).counts?.processing);
}

async function inProcess<T>(place: Place, use: (worker: Worker) => Promise<T>): Promise<T> {
  const worker = startWorker(place);
  try {
    return await use(worker);
  } finally {
    worker.child.kill("SIGTERM");
    if (worker.child.exitCode === null && worker.child.signalCode === null) await once(worker.child, "exit");
  }
}

function startWorker({ folder, photos, credit }: Place): Worker {
  const script = new URL("./jobs-process.ts", import.meta.url);
  const child = fork(script, [folder, String(photos), credit.name, credit.asOf], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ready = once(child, "message");
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`The process ended with ${code}.`);
  });
  // Whoever asks hears of it, and who has killed it asks no more.
  ended.catch(() => {});
  const ask = async (order: Order): Promise<Told> => {
    await ready;
    const answer = once(child, "message").then(([told]) => told as Told);
    child.send(order);
    return Promise.race([answer, ended]);
  };
  return { child, ask };
}
