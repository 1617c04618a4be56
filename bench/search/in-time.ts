/** How long a page takes on this machine, with few photos stored and with many, in turns. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import { percentile } from "../entry/figures.ts";
import { below, count, figure } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { ASKS, type AskName, openSubject, PAGE, type Subject } from "./asks.ts";
import type { Sizes } from "./settings.ts";
import { storePhotos } from "./stored-photos.ts";

const EVENT = { orgId: "han-river", eventId: "han-river-10k" };
const WARM_UP = 200;
const ROUNDS = 20;
const ASKS_A_ROUND = 100;
const MOST_MS: { [name in AskName]?: number } = { bib: 5, gallery: 10, "gallery, in its middle": 10, photographer: 10 };
/** Index trees of a thousand times as many items are a level or two higher, and less of them stays in memory. */
const MOST_TIMES = 2;

export async function measureTime({ few, many }: Sizes): Promise<Row[]> {
  const subjects = [await openStored(few), await openStored(many)] as const;
  try {
    const rows: Row[] = [];
    for (const name of ASKS) rows.push(...(await compare(name, subjects[0].subject, subjects[1].subject)));
    return rows;
  } finally {
    for (const { close } of subjects) await close();
  }
}

async function openStored(photos: number): Promise<{ subject: Subject; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-search-"));
  const engines = await openEmbeddedEngines({ dataFolder: folder, publicUrl: "http://127.0.0.1:8080" });
  const table = engines.table("PhotoService-bench");
  const close = async () => {
    await engines.close();
    await rm(folder, { recursive: true, force: true });
  };
  await storePhotos(table, EVENT, photos);
  return { subject: await openSubject(EVENT, photos, { table, blobs: engines.blobs("snaprace-photos") }), close };
}

type Taken = { wallMs: number[]; cpuUs: number };

async function compare(name: AskName, few: Subject, many: Subject): Promise<Row[]> {
  const taken = new Map<Subject, Taken>([few, many].map((subject) => [subject, { wallMs: [], cpuUs: 0 }]));
  for (const subject of taken.keys()) await askRepeatedly(name, subject, 0, WARM_UP);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [subject, all] of taken) {
      const { wallMs, cpuUs } = await askRepeatedly(name, subject, round * ASKS_A_ROUND, ASKS_A_ROUND);
      all.wallMs.push(...wallMs);
      all.cpuUs += cpuUs;
    }
  }
  const [small, large] = [...taken.values()].map(summary) as [Summary, Summary];
  const most = MOST_MS[name];
  const [withFew, withMany] = [few, many].map(({ photos }) => `${name}, ${count(photos)} photos`);
  const p99 = `${withMany}: p99`;
  return [
    figure(`${withFew}: p50`, small.p50, "ms"),
    figure(`${withFew}: p99`, small.p99, "ms"),
    figure(`${withMany}: p50`, large.p50, "ms"),
    most === undefined ? figure(p99, large.p99, "ms") : below(p99, large.p99, "ms", most),
    figure(`${withMany}: CPU`, large.cpuMs, "ms"),
    below(`${name}: CPU with many / with few`, large.cpuMs / small.cpuMs, "×", MOST_TIMES),
  ];
}

type Summary = { p50: number; p99: number; cpuMs: number };

/** The processor's time says the same on a machine that has other things to do. */
function summary({ wallMs, cpuUs }: Taken): Summary {
  const sorted = Float64Array.from(wallMs).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), cpuMs: cpuUs / 1000 / wallMs.length };
}

async function askRepeatedly(name: AskName, subject: Subject, from: number, asks: number): Promise<Taken> {
  const wallMs: number[] = [];
  const before = process.threadCpuUsage();
  for (let turn = from; turn < from + asks; turn += 1) {
    const startedAt = performance.now();
    const found = await subject.ask(name, turn);
    wallMs.push(performance.now() - startedAt);
    if (name !== "near misses" && found !== PAGE) throw new Error(`A page of ${name} had ${found} photos.`);
  }
  const { user, system } = process.threadCpuUsage(before);
  return { wallMs, cpuUs: user + system };
}
