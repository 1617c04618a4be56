/** The reference as people read it: in a real browser, wide and narrow, by keyboard, on paper, with and without its script. */

import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { Hono } from "hono";
import type { Browser, Page } from "playwright-core";
import { collectComplaints, keepScreenshot, openBrowser } from "../../../../tests/harness/browser.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createLog } from "../../log.ts";
import { drain, listen } from "../listen.ts";
import { statusPageRoutes } from "../status-page/routes.ts";
import { referencePageRoutes } from "./routes.ts";
import { sampleDocument } from "./sample-document.ts";

const SCREENS = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 375, height: 812 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

/** Every name as long as a name may be, to see what it does to the narrowest page. */
function withLongNames(document: object): object {
  const long = "aVeryLongNameWithoutAnyPlaceToBreakIt".repeat(3);
  const text = JSON.stringify(document).replaceAll("/api/events/", `/api/${long}/`).replaceAll("bibPattern", long);
  const longer = text.replaceAll("event.not-found", long).replaceAll("lakeside-2026", long);
  return JSON.parse(longer.replaceAll('Runner"', `${long}"`));
}

describe("the reference", () => {
  let browser: Browser;
  let url: string;
  let document = sampleDocument;
  let close: () => Promise<void>;

  before(async () => {
    const engines = { clock: systemClock, checkReady: async () => {} };
    const app = new Hono().route(
      "/",
      referencePageRoutes(() => document),
    );
    app.route(
      "/",
      statusPageRoutes({
        hasInbox: true,
        config: { engines: "embedded" },
        engines,
        log: createLog({ level: "silent" }),
      }),
    );
    const server = await listen(app, { host: "127.0.0.1", port: 0 });
    close = () => drain(server, 1000);
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await close?.();
  });

  async function open(options: Parameters<Browser["newPage"]>[0] = SCREENS.desktop): Promise<Page> {
    const page = await browser.newPage(options);
    await page.goto(url);
    return page;
  }

  async function assertFits(page: Page): Promise<void> {
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    // Not innerWidth: on a phone it grows with what does not fit.
    const widthPx = await page.evaluate("document.documentElement.scrollWidth");
    assert.equal(widthPx, page.viewportSize()?.width, "it scrolls sideways");
  }

  for (const [name, screen] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(`on a ${name}, ${colorScheme}`, async () => {
        const page = await browser.newPage({ ...screen, colorScheme });
        const complaints = collectComplaints(page);
        await page.goto(url);
        assert.ok(await page.getByRole("heading", { name: "Create an event" }).isVisible());
        await keepScreenshot(page, `reference-${name}-${colorScheme}`);
        await assertFits(page);
        assert.deepEqual(complaints, []);
        await page.close();
      });
    }
  }

  test("names of any length fit a phone", async (t) => {
    document = withLongNames(sampleDocument);
    t.after(() => {
      document = sampleDocument;
    });
    const page = await open(SCREENS.phone);
    await assertFits(page);
    await page.close();
  });

  test("the contents stand open beside the text, and unfold on a phone", async () => {
    const wide = await open();
    assert.ok(await wide.getByRole("link", { name: "List runners" }).first().isVisible());
    await wide.close();
    const narrow = await open(SCREENS.phone);
    const link = narrow.locator("#contents").getByRole("link", { name: "List runners" });
    assert.equal(await link.isVisible(), false);
    await narrow.getByText("Contents", { exact: true }).click();
    await link.click();
    assert.equal(new URL(narrow.url()).hash, "#listRunners");
    assert.equal(await link.isVisible(), false, "they close after a choice");
    await narrow.close();
  });

  test("the keyboard reaches an operation through the contents", async () => {
    const page = await open();
    for (let presses = 0; presses < 20; presses++) {
      await page.keyboard.press("Tab");
      if ((await page.evaluate("document.activeElement.getAttribute('href')")) === "#createEvent") break;
    }
    await page.keyboard.press("Enter");
    assert.equal(new URL(page.url()).hash, "#createEvent");
    await page.close();
  });

  test("the filter leaves what fits, and gives all back", async () => {
    const page = await open();
    const operations = page.locator("article.operation");
    await page.getByLabel("Filter the operations").fill("PUT runner");
    assert.equal(await operations.filter({ visible: true }).count(), 1);
    assert.ok(await page.locator("#putRunner").isVisible());
    assert.equal(await page.locator("#tag-Events").isVisible(), false);
    assert.ok(await page.getByText("1 of 8 operations").isVisible());
    await page.getByLabel("Filter the operations").fill("");
    assert.equal(await operations.filter({ visible: true }).count(), 8);
    await page.close();
  });

  test("an example is copied as it is", async () => {
    const context = await browser.newContext({
      ...SCREENS.desktop,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("#listRunners").getByRole("button", { name: "Copy" }).first().click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await page.evaluate("navigator.clipboard.readText()");
    assert.equal(copied, "curl 'http://127.0.0.1:8080/api/events/lakeside-2026/runners'");
    await context.close();
  });

  test("without its script it has no filter, and all else", async () => {
    const page = await open({ ...SCREENS.desktop, javaScriptEnabled: false });
    assert.equal(await page.getByLabel("Filter the operations").isVisible(), false);
    assert.equal(await page.getByRole("button").count(), 0);
    await page.locator("#contents").getByRole("link", { name: "List runners" }).click();
    assert.equal(new URL(page.url()).hash, "#listRunners");
    await page.close();
  });

  test("on paper nothing stays folded", async () => {
    const page = await open();
    const field = page.locator("#putRunner details .name").first();
    assert.equal(await field.isVisible(), false);
    await page.emulateMedia({ media: "print" });
    assert.ok(await field.isVisible());
    assert.equal(await page.locator("#contents").isVisible(), false);
    await page.close();
  });
});
