/** Parts of a page that can't be loaded: because the pages were built anew, or because there is no connection. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { openPages, type PagesScene } from "../harness/pages.ts";

let scene: PagesScene;
before(async () => {
  scene = await openPages();
});
after(() => scene?.close());

/** The page is there, and what it would load from now on is not. */
async function openOutdated(page: Page): Promise<void> {
  await page.goto("/", { waitUntil: "networkidle" });
  await page.evaluate(() => Object.assign(globalThis, { isFirst: true }));
  await page.route("**/assets/**", (route) => route.fulfill({ status: 404 }));
}

/** Loaded by the bundler's own code, as every part of the pages is; TanStack's router has a way of its own with pages. */
const failToLoad = (page: Page) => page.evaluate(() => void window.dispatchEvent(new Event("vite:preloadError")));
const isFirst = (page: Page) => page.evaluate(() => "isFirst" in globalThis);

test("it loads itself anew when the server has other pages", async () => {
  const { page, context } = await scene.visit({ screen: "phone" });
  await openOutdated(page);
  await page.route("/", async (route) => {
    if (!route.request().isNavigationRequest())
      return route.fulfill({ body: "<script src=/assets/other.js></script>" });
    // What it gets then is all there.
    await page.unroute("**/assets/**");
    await route.continue();
  });
  const loaded = page.waitForEvent("load");
  await failToLoad(page);
  await loaded;
  assert.equal(await isFirst(page), false);
  await page.getByRole("heading", { name: "Races", exact: true }).waitFor();
  await context.close();
});

test("without a connection another page says so, and comes by itself when it is back", async () => {
  const { page, context } = await scene.visit({ screen: "phone" });
  await page.goto("/", { waitUntil: "networkidle" });
  await context.setOffline(true);
  await page.getByRole("link", { name: "Sign in" }).click();
  const nothing = page.getByRole("heading", { name: "No connection" });
  await nothing.waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForTimeout(300);
  assert.ok(await nothing.isVisible(), "trying again in vain leaves the page as it is");
  await context.setOffline(false);
  await page.getByLabel("E-mail address").waitFor();
  await context.close();
});

test("it stays when the server has the same pages, or can't be reached", async () => {
  const { page, context } = await scene.visit({ screen: "phone" });
  await openOutdated(page);
  const asked = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/");
  await failToLoad(page);
  await asked;
  await page.route("/", (route) => route.abort());
  const failed = page.waitForEvent("requestfailed");
  await failToLoad(page);
  await failed;
  await page.waitForTimeout(300);
  assert.equal(await isFirst(page), true);
  await context.close();
});
