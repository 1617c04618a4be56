/** A race's photos scrolled from the first to the last as a thumb throws them, beside an empty page of that height. */

import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { openBrowser, SCREENS } from "../../tests/harness/browser.ts";
import { type RunningServer, startServer } from "../../tests/harness/server.ts";
import { storeWall } from "../../tests/harness/stored-wall.ts";
import { drawScene } from "../../tests/pictures/scene.ts";
import { median, percentile } from "../entry/figures.ts";
import { QUIET } from "../entry/installation.ts";
import { below, count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";

const EVENT = { orgId: "bench", eventId: "bench-10k" };
const STAGE = "bench";
const PICTURES = 12;
/** A strong throw, which slows as on a phone; the next one follows while eyes can still make out photos. */
const THROWN_PIXELS_PER_MS = 6;
const THROWN_AGAIN_BELOW = 1;
const SLOWING_MS = 325;
const LONGEST_FRAME_MS = 50;
/** What a page stumbles at in most runs, within a thousand pixels of the same place, is its own and not the host's. */
const STRETCH_PIXELS = 1000;
const READY_WITHIN_MS = 60_000;

type Screen = keyof typeof SCREENS;
type Sizes = { photos: number; runs: number };
/** The processor's time says the same on a machine that has other things to do. */
type Scrolled = {
  framesMs: number[];
  /** Where the page was at each. */
  framesAt: number[];
  mostTiles: number;
  heightPixels: number;
  /** Of the photos in sight while a throw is at its slowest, how many are there. */
  seenShare: number;
  cpuMsPerFrame: number;
  /** Of the machine's time, what its host gave to others: then even an empty page stumbles. */
  stolenShare: number;
};

export async function measureScrolling({ photos, runs, screens }: Sizes & { screens: Screen[] }): Promise<Row[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), "snaprace-bench-pages-"));
  await storeWall({ dataFolder, stage: STAGE, event: EVENT, photos, pictures: await drawPictures() });
  progress(`${count(photos)} photos stored`);
  const server = await startServer({ dataFolder, ...QUIET, SNAPRACE_STAGE: STAGE, SNAPRACE_WORKERS: "off" });
  const browser = await openBrowser();
  try {
    await publishEvent(server, dataFolder);
    const rows: Row[] = [];
    for (const screen of screens) rows.push(...(await measureOn(browser, server, screen, { photos, runs })));
    return rows;
  } finally {
    await browser.close();
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** Drawn small: what is shown of them is a thumbnail. Some are upright. */
async function drawPictures(): Promise<Buffer[]> {
  const pictures: Buffer[] = [];
  for (let seed = 1; seed <= PICTURES; seed += 1) {
    const { jpeg } = await drawScene({ seed, kind: "plain", width: 800 });
    const isUpright = seed % 4 === 0;
    pictures.push(isUpright ? await sharp(jpeg).resize(480, 640, { fit: "cover" }).jpeg().toBuffer() : jpeg);
  }
  return pictures;
}

async function publishEvent({ url }: RunningServer, dataFolder: string): Promise<void> {
  const tokens = createAccessTokens(readSecret(dataFolder), { now: Date.now, revokedBefore: () => 0 });
  const rig = { userId: "rig", operator: true, organizations: [], photographers: [], session: false, tokenId: "rig" };
  const headers = { authorization: `Bearer ${tokens.issue(rig, 3_600_000)}`, "content-type": "application/json" };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  };
  await post("/admin/organizations", { orgId: EVENT.orgId, name: "Bench" });
  const event = { eventId: EVENT.eventId, name: "Bench 10K", date: "2090-04-18", timeZone: "Asia/Seoul" };
  await post(`/admin/organizations/${EVENT.orgId}/events`, { ...event, published: true });
}

async function measureOn(
  browser: Browser,
  { url }: RunningServer,
  screen: Screen,
  { photos, runs }: Sizes,
): Promise<Row[]> {
  const context = await browser.newContext({ ...SCREENS[screen], baseURL: url });
  const all: { wall: Scrolled; floor: Scrolled }[] = [];
  for (let run = 1; run <= runs; run += 1) {
    const page = await context.newPage();
    await page.goto(`/events/${EVENT.eventId}/photos`);
    await page.locator("img[data-loaded]").first().waitFor({ timeout: READY_WITHIN_MS });
    const wall = await scrollThrough(page);
    await page.goto("about:blank");
    await page.evaluate(`document.body.style.height = "${wall.heightPixels}px"`);
    all.push({ wall, floor: await scrollThrough(page) });
    progress(
      `${screen}, run ${run}: longest frames ${told(wall)} ms over ${count(wall.heightPixels)} pixels, ` +
        `${told(all.at(-1)?.floor ?? wall)} on an empty page; the host took ${percent(wall.stolenShare)} of the time`,
    );
    await page.close();
  }
  await context.close();
  return rowsOf(all, screen, { photos, runs });
}

function rowsOf(all: { wall: Scrolled; floor: Scrolled }[], screen: string, { photos, runs }: Sizes): Row[] {
  const of = (measure: string, unit: string, value: (run: (typeof all)[number]) => number): Row =>
    figure(`${measure}, ${screen}, median`, median(all.map(value)), unit);
  const what = `${count(photos)} photos`;
  const longestFrame = median(all.map(({ wall }) => longest(wall)));
  const stretch = `longest frame of any ${count(STRETCH_PIXELS)} pixels in their median`;
  return [
    below(`${what}: longest frame, ${screen}, median of ${runs} runs`, longestFrame, "ms", LONGEST_FRAME_MS),
    of("an empty page as high: longest frame", "ms", ({ floor }) => longest(floor)),
    figure(`${what}: ${stretch}`, longestInMedian(all.map(({ wall }) => wall)), "ms"),
    figure(`an empty page as high: ${stretch}`, longestInMedian(all.map(({ floor }) => floor)), "ms"),
    of(`${what}: frames over ${LONGEST_FRAME_MS} ms`, "frames", ({ wall }) => slowFrames(wall)),
    of("an empty page as high: such frames", "frames", ({ floor }) => slowFrames(floor)),
    of(`${what}: p99 of frames`, "ms", ({ wall }) => p99(wall)),
    of(`${what}: main thread's CPU a frame`, "ms", ({ wall }) => wall.cpuMsPerFrame),
    of("an empty page as high: the same", "ms", ({ floor }) => floor.cpuMsPerFrame),
    of(`${what}: in sight at a throw's end, of these shown`, "", ({ wall }) => wall.seenShare),
    of("the host took of the time", "", ({ wall, floor }) => (wall.stolenShare + floor.stolenShare) / 2),
    of(`${what}: photos in the document at once`, "tiles", ({ wall }) => wall.mostTiles),
  ];
}

/** Of each stretch the longest frame, in the median of the runs; of these the longest. */
function longestInMedian(runs: Scrolled[]): number {
  const stretches = Math.ceil(Math.max(...runs.map(({ heightPixels }) => heightPixels)) / STRETCH_PIXELS);
  const longestIn = ({ framesMs, framesAt }: Scrolled, stretch: number) =>
    Math.max(0, ...framesMs.filter((_, place) => Math.floor((framesAt[place] ?? 0) / STRETCH_PIXELS) === stretch));
  return Math.max(
    ...Array.from({ length: stretches }, (_, stretch) => median(runs.map((run) => longestIn(run, stretch)))),
  );
}

const longest = ({ framesMs }: Scrolled) => Math.max(...framesMs);
const told = ({ framesMs }: Scrolled) =>
  framesMs
    .toSorted((a, b) => b - a)
    .slice(0, 3)
    .map((ms) => ms.toFixed(0))
    .join(", ");
const percent = (share: number) => `${(100 * share).toFixed(1)}%`;
const slowFrames = ({ framesMs }: Scrolled) => framesMs.filter((ms) => ms > LONGEST_FRAME_MS).length;
const p99 = ({ framesMs }: Scrolled) => percentile(Float64Array.from(framesMs).sort(), 0.99);

async function scrollThrough(page: Page): Promise<Scrolled> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const busyMs = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const [before, began] = [await busyMs(), stolenTicks()];
  const scrolled = (await page.evaluate(SCROLL)) as Omit<Scrolled, "cpuMsPerFrame" | "stolenShare">;
  const cpuMsPerFrame = ((await busyMs()) - before) / scrolled.framesMs.length;
  const ended = stolenTicks();
  await cdp.detach();
  return { ...scrolled, cpuMsPerFrame, stolenShare: (ended.stolen - began.stolen) / (ended.all - began.all) };
}

/** Of the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal. */
function stolenTicks(): { stolen: number; all: number } {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n", 1);
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, some) => sum + some, 0) };
}

/** Goes on until the page has been at its end for two seconds: a page of photos may still be on its way. */
const SCROLL = `new Promise((done) => {
  const framesMs = [];
  const framesAt = [];
  let last, speed = 0, atEnd = 0, mostTiles = 0, inSight = 0, seen = 0;
  const look = () => {
    const tiles = [...document.querySelectorAll("a[data-ulid]")];
    mostTiles = Math.max(mostTiles, tiles.length);
    for (const tile of tiles) {
      const { top, bottom } = tile.getBoundingClientRect();
      if (bottom < 0 || top > innerHeight) continue;
      inSight += 1;
      if (tile.querySelector("img[data-loaded]")) seen += 1;
    }
  };
  const step = (now) => {
    if (last !== undefined) {
      framesMs.push(now - last);
      framesAt.push(scrollY);
    }
    last = now;
    // By frames, not by time, so that all runs pass the same places.
    speed *= ${Math.exp(-1000 / 60 / SLOWING_MS)};
    if (speed < ${THROWN_AGAIN_BELOW}) {
      look();
      speed = ${THROWN_PIXELS_PER_MS};
    }
    const before = scrollY;
    scrollBy(0, Math.round((speed * 1000) / 60));
    atEnd = scrollY === before ? atEnd + 1 : 0;
    if (atEnd < 120) requestAnimationFrame(step);
    else done({ framesMs, framesAt, mostTiles, seenShare: inSight && seen / inSight, heightPixels: document.documentElement.scrollHeight });
  };
  requestAnimationFrame(step);
})`;
