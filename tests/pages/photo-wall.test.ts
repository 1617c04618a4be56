/** Many photos: all of them can be reached, and only those near the window are in the document. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import sharp from "sharp";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { openBrowser, SCREENS } from "../harness/browser.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { storeWall } from "../harness/stored-wall.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";
import { tile, ulidsIn, untilLoaded } from "./photo-tiles.ts";

const EVENT = { orgId: "han", eventId: "han-10k" };
const PHOTOS = 450;
const MOST_TILES = 150;
const ADDRESS = `/events/${EVENT.eventId}/photos`;

describe("a wall of photos", { concurrency: false }, () => {
  const cleanups: (() => Promise<unknown>)[] = [];
  let browser: Browser;
  let server: RunningServer;
  before(async () => {
    const dataFolder = await temporaryFolder({ after: (clean) => cleanups.push(clean) });
    const pictures = await Promise.all([plain(600, 400), plain(400, 600), plain(640, 360)]);
    await storeWall({ dataFolder, stage: "wall", event: EVENT, photos: PHOTOS, pictures });
    const settings = { SNAPRACE_STAGE: "wall", SNAPRACE_WORKERS: "off", LOG_LEVEL: "silent" };
    server = await startServer({ dataFolder, ...settings });
    cleanups.unshift(() => server.stop());
    browser = await openBrowser();
    cleanups.unshift(() => browser.close());
    await publish(server.url, dataFolder);
  });
  after(async () => {
    for (const clean of cleanups) await clean();
  });

  test("is scrolled to its end, page by page", async () => {
    const page = await open(browser, server.url);
    await page.goto(ADDRESS);
    const [newest] = await untilTiles(page);
    const seen = new Set<string>();
    let most = 0;
    for (let before = -1; seen.size < PHOTOS && seen.size !== before; ) {
      before = seen.size;
      // More than once at the end: a page of photos may still be on its way.
      for (let tries = 0; tries < 40 && seen.size === before; tries += 1) {
        const tiles = await ulidsIn(page);
        most = Math.max(most, tiles.length);
        for (const ulid of tiles) seen.add(ulid);
        await page.mouse.wheel(0, 900);
        await page.waitForTimeout(50);
      }
    }
    assert.equal(seen.size, PHOTOS);
    assert.ok(most < MOST_TILES, `${most} tiles at once`);
    await page.keyboard.press("Control+Home");
    await page.evaluate(() => scrollTo(0, 0));
    await page.locator(`[data-ulid="${newest}"]`).waitFor();
    await page.context().close();
  });

  test("thrown past, it asks for few pictures; at rest, what is in sight is there", async () => {
    const page = await open(browser, server.url);
    let asked = 0;
    page.on("request", (request) => {
      if (request.resourceType() === "image") asked += 1;
    });
    await page.goto(ADDRESS);
    await untilLoaded(page, 10);
    const before = asked;
    const passed = (await page.evaluate(THROW)) as number;
    assert.ok(passed > 200, `${passed} photos passed`);
    assert.ok(asked - before < passed / 2, `${asked - before} pictures were asked for, of ${passed}`);
    await page.waitForFunction(() => {
      const inSight = [...document.querySelectorAll("a[data-ulid]")].filter((tile) => {
        const { top, bottom } = tile.getBoundingClientRect();
        return bottom > 0 && top < innerHeight;
      });
      return inSight.length > 5 && inSight.every((tile) => tile.querySelector("img[data-loaded]"));
    });
    await page.context().close();
  });

  test("has an address for a photo that the list has not come to yet", async () => {
    const page = await open(browser, server.url);
    const all = await fetch(`${server.url}/api${ADDRESS}?bib=1000`);
    const { items } = (await all.json()) as { items: { ulid: string }[] };
    const oldest = items.at(-1)?.ulid;
    await page.goto(`${ADDRESS}?photo=${oldest}`);
    const viewer = page.getByRole("dialog", { name: "Photo" });
    await viewer.getByText("1 of 1").waitFor();
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
    await page.waitForURL(`**${ADDRESS}`);
    await page.context().close();
  });

  test("is walked through in front beyond the first page", async () => {
    const page = await open(browser, server.url);
    await page.goto(ADDRESS);
    await untilTiles(page);
    await tile(page, 0).click();
    const viewer = page.getByRole("dialog", { name: "Photo" });
    await viewer.getByText("1 of 100+").waitFor();
    for (let place = 2; place <= 104; place += 1) {
      await page.keyboard.press("ArrowRight");
      if (place % 20 === 0 || place > 98) await viewer.getByText(new RegExp(`^${place} of \\d+\\+$`)).waitFor();
    }
    const ulid = new URL(page.url()).searchParams.get("photo");
    await page.keyboard.press("Escape");
    await viewer.waitFor({ state: "detached" });
    await page.locator(`[data-ulid="${ulid}"]:focus`).waitFor();
    await page.context().close();
  });
});

/** To the end of the list, faster than eyes follow; answers how many photos were in the document on the way. */
const THROW = `new Promise((done) => {
  const passed = new Set();
  let last = performance.now(), atEnd = 0;
  const step = (now) => {
    for (const tile of document.querySelectorAll("a[data-ulid]")) passed.add(tile.getAttribute("data-ulid"));
    const before = scrollY;
    scrollBy(0, 8 * (now - last));
    last = now;
    atEnd = scrollY === before ? atEnd + 1 : 0;
    if (atEnd < 3) requestAnimationFrame(step);
    else done(passed.size);
  };
  requestAnimationFrame(step);
})`;

async function open(browser: Browser, baseURL: string): Promise<Page> {
  const context = await browser.newContext({ ...SCREENS.desktop, baseURL });
  return context.newPage();
}

async function untilTiles(page: Page): Promise<string[]> {
  await tile(page, 0).waitFor();
  return ulidsIn(page);
}

async function publish(url: string, dataFolder: string): Promise<void> {
  const tokens = createAccessTokens(readSecret(dataFolder), { now: Date.now, revokedBefore: () => 0 });
  const holder = { userId: "o", operator: true, organizations: [], photographers: [], session: false, tokenId: "t" };
  const headers = { authorization: `Bearer ${tokens.issue(holder, 3_600_000)}`, "content-type": "application/json" };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${url}/api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    assert.equal(answer.status, 201, await answer.text());
  };
  await post("/admin/organizations", { orgId: EVENT.orgId, name: "Han River Runners" });
  const event = { name: "Han River 10K", date: "2090-05-01", timeZone: "Asia/Seoul", published: true };
  await post(`/admin/organizations/${EVENT.orgId}/events`, { ...event, eventId: EVENT.eventId });
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: "#5b7f95" } })
    .jpeg()
    .toBuffer();
