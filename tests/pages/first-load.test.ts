/** What a runner's first look costs: kilobytes of script, time until the page is there, and how much it jumps. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { openPages, type PagesScene } from "../harness/pages.ts";
import { raceDayNow } from "../harness/race-day.ts";

const MOST_SCRIPT_BYTES = 150_000;
const LONGEST_PAINT_MS = 1500;
const MOST_SHIFT = 0.05;
/** Other tests run beside this one: the soonest of several loads says what the page itself takes. */
const LOADS = 5;
/** Long after all the others, and before the network counts as idle. */
const LATE_MS = 400;

let scene: PagesScene;
let eventId: string;

before(async () => {
  scene = await openPages();
  const { orgId, organizer } = await scene.makeOrganization();
  eventId = await scene.makeEvent(organizer, orgId, {
    entry: { eventType: "FIRST_COME", capacityTotal: 500, opensAt: "2000-01-01T00:00:00Z" },
  });
  await scene.makeEvent(organizer, orgId, raceDayNow());
});
after(() => scene?.close());

const PAGES = [
  { name: "the races", path: () => "/" },
  { name: "a race", path: () => `/events/${eventId}` },
  { name: "its photos", path: () => `/events/${eventId}/photos` },
  { name: "signing in", path: () => "/sign-in" },
];

for (const { name, path } of PAGES) {
  test(`${name}: little script, soon there, and nothing jumps`, async (t) => {
    const loads: Load[] = [];
    for (let load = 0; load < LOADS; load += 1) loads.push(await firstLoad(path()));
    const best = (of: (load: Load) => number) => Math.min(...loads.map(of));
    const scriptBytes = Math.max(...loads.map((load) => load.scriptBytes));
    t.diagnostic(
      `${name}: ${Math.round(scriptBytes / 1000)} kB of script gzipped, largest paint after ${Math.round(best((load) => load.paintMs))} ms (${loads.map((load) => Math.round(load.paintMs)).join(", ")}), shift ${loads.map((load) => load.shift.toFixed(3)).join(", ")}`,
    );
    assert.ok(scriptBytes < MOST_SCRIPT_BYTES, `${scriptBytes} bytes of script`);
    assert.ok(best((load) => load.paintMs) < LONGEST_PAINT_MS, `${best((load) => load.paintMs)} ms`);
    // What jumps once in a while jumps: here no load may.
    const shift = Math.max(...loads.map((load) => load.shift));
    assert.ok(shift < MOST_SHIFT, `a layout shift of ${shift}`);
  });
}

for (const { name, path } of PAGES) {
  test(`${name}: nothing jumps whichever answer comes late`, async (t) => {
    const answers = (await firstLoad(path())).answers;
    assert.ok(answers.length > 0, "nothing was asked");
    for (const late of answers) {
      const { shift } = await firstLoad(path(), late);
      t.diagnostic(`${late} late: shift ${shift.toFixed(3)}`);
      assert.ok(shift < MOST_SHIFT, `a layout shift of ${shift} when ${late} is late`);
    }
  });
}

type Load = { scriptBytes: number; paintMs: number; shift: number; answers: string[] };

/** `late` is the path of an answer of the API that takes its time. */
async function firstLoad(path: string, late?: string): Promise<Load> {
  const { page, context } = await scene.visit({ screen: "phone" });
  const scripts: Promise<number>[] = [];
  const answers = new Set<string>();
  await page.route("**/api/**", async (route) => {
    const { pathname } = new URL(route.request().url());
    answers.add(pathname);
    if (pathname === late) await delay(LATE_MS);
    await route.continue();
  });
  page.on("response", (answer) => {
    if (answer.url().endsWith(".js")) scripts.push(answer.body().then((bytes) => gzipSync(bytes).length));
  });
  await watchPaints(page);
  await page.goto(path, { waitUntil: "networkidle" });
  const seen = await page.evaluate(() => (globalThis as unknown as { seen: { paintMs: number; shift: number } }).seen);
  assert.ok(seen.paintMs > 0, "nothing was painted");
  const scriptBytes = (await Promise.all(scripts)).reduce((total, bytes) => total + bytes, 0);
  await context.close();
  return { scriptBytes, ...seen, answers: [...answers] };
}

async function watchPaints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { paintMs: 0, shift: 0 };
    Object.assign(globalThis, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.paintMs = entry.startTime;
    }).observe({ type: "largest-contentful-paint" as "mark", buffered: true });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift" as "mark", buffered: true });
  });
}
