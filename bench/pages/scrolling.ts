/** A race's photos scrolled from the first to the last, as fast as a thumb throws them, beside an empty page of that height. */

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
const STEP_PIXELS = 120;
const LONGEST_FRAME_MS = 50;
const READY_WITHIN_MS = 60_000;

type Sizes = { photos: number; runs: number };
/** The processor's time says the same on a machine that has other things to do. */
type Scrolled = { framesMs: number[]; mostTiles: number; heightPixels: number; cpuMsPerFrame: number };

export async function measureScrolling({ photos, runs }: Sizes): Promise<Row[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), "snaprace-bench-pages-"));
  await storeWall({ dataFolder, stage: STAGE, event: EVENT, photos, pictures: await drawPictures() });
  progress(`${count(photos)} photos stored`);
  const server = await startServer({ dataFolder, ...QUIET, SNAPRACE_STAGE: STAGE, SNAPRACE_WORKERS: "off" });
  const browser = await openBrowser();
  try {
    await publishEvent(server, dataFolder);
    const rows: Row[] = [];
    for (const screen of ["desktop", "phone"] as const)
      rows.push(...(await measureOn(browser, server, screen, { photos, runs })));
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
  screen: keyof typeof SCREENS,
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
      `${screen}, run ${run}: longest frame ${longest(wall).toFixed(1)} ms over ${count(wall.heightPixels)} pixels`,
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
  return [
    below(`${what}: longest frame, ${screen}, median of ${runs} runs`, longestFrame, "ms", LONGEST_FRAME_MS),
    of("an empty page as high: longest frame", "ms", ({ floor }) => longest(floor)),
    of(`${what}: frames over ${LONGEST_FRAME_MS} ms`, "frames", ({ wall }) => slowFrames(wall)),
    of("an empty page as high: such frames", "frames", ({ floor }) => slowFrames(floor)),
    of(`${what}: p99 of frames`, "ms", ({ wall }) => p99(wall)),
    of(`${what}: main thread's CPU a frame`, "ms", ({ wall }) => wall.cpuMsPerFrame),
    of("an empty page as high: the same", "ms", ({ floor }) => floor.cpuMsPerFrame),
    of(`${what}: photos in the document at once`, "tiles", ({ wall }) => wall.mostTiles),
  ];
}

const longest = ({ framesMs }: Scrolled) => Math.max(...framesMs);
const slowFrames = ({ framesMs }: Scrolled) => framesMs.filter((ms) => ms > LONGEST_FRAME_MS).length;
const p99 = ({ framesMs }: Scrolled) => percentile(Float64Array.from(framesMs).sort(), 0.99);

async function scrollThrough(page: Page): Promise<Scrolled> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const busyMs = async () => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
  const before = await busyMs();
  const scrolled = (await page.evaluate(SCROLL)) as Omit<Scrolled, "cpuMsPerFrame">;
  const cpuMsPerFrame = ((await busyMs()) - before) / scrolled.framesMs.length;
  await cdp.detach();
  return { ...scrolled, cpuMsPerFrame };
}

/** Goes on until the page has been at its end for two seconds: a page of photos may still be on its way. */
const SCROLL = `new Promise((done) => {
  const framesMs = [];
  let last, atEnd = 0, mostTiles = 0;
  const step = (now) => {
    if (last !== undefined) framesMs.push(now - last);
    last = now;
    const before = scrollY;
    scrollBy(0, ${STEP_PIXELS});
    atEnd = scrollY === before ? atEnd + 1 : 0;
    if (framesMs.length % 20 === 0) mostTiles = Math.max(mostTiles, document.querySelectorAll("a[data-ulid]").length);
    if (atEnd < 120) requestAnimationFrame(step);
    else done({ framesMs, mostTiles, heightPixels: document.documentElement.scrollHeight });
  };
  requestAnimationFrame(step);
})`;
