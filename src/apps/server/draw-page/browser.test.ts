/** The draw page as people use it: in a real browser, wide and narrow, by keyboard, with files, on https and on plain http. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Hono } from "hono";
import type { Browser, Page } from "playwright-core";
import { collectComplaints, keepScreenshot, openBrowser, SCREENS } from "../../../../tests/harness/browser.ts";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { type SampleDraw, sampleDraw } from "../../../entry/draw/sample-draw.ts";
import { systemClock } from "../../../platform/clock.ts";
import { createLog } from "../../log.ts";
import { homePageRoutes } from "../home-page/routes.ts";
import { drain, listen } from "../listen.ts";
import { drawPageRoutes } from "./routes.ts";

const BEACON = { source: "drand quicknet, round 18734211", value: "8badf00d".repeat(8) };

/** An API with one event for each thing that can be the case; its id says which. */
function createScene(draw: SampleDraw) {
  const { facts, proof, order } = draw;
  const promise = { commitment: facts.commitment, committedAt: facts.committedAt, beaconSource: BEACON.source };
  const none = { frozenAt: null, entrants: null, entrantsSha256: null, drawnAt: null, announcedAt: facts.drawnAt };
  const frozen = { frozenAt: facts.frozenAt, entrants: facts.entrantCount, entrantsSha256: facts.entrantsSha256 };
  const published = { eventId: facts.eventId, ...promise, ...none, ...frozen, phase: "ANNOUNCED" };
  const draws: { [eventId: string]: object } = {
    open: { ...published, ...none, phase: "OPEN" },
    frozen: { ...published, phase: "DRAWING" },
    done: published,
    changed: published,
    contradicted: { ...published, commitment: "ab".repeat(32) },
    broken: published,
  };
  const proofs: { [eventId: string]: string } = {
    done: proof,
    contradicted: proof,
    changed: proof.replace(`\n[18,${order[17]}]`, `\n[18,${order[4]}]`),
  };
  const app = new Hono();
  app.get("/api/events/:id", (c) => c.json({ name: "Han River 10K" }));
  app.get("/api/events/:id/draw", (c) => c.json(draws[c.req.param("id")] ?? {}, draws[c.req.param("id")] ? 200 : 404));
  app.get("/api/events/:id/draw/proof.json", (c) => {
    const text = proofs[c.req.param("id")];
    return text ? c.body(text) : c.json({ detail: "The table can't be reached. Try again." }, 503);
  });
  return { app, draws, proofs };
}

describe("the draw page", () => {
  let browser: Browser;
  let draw: SampleDraw;
  let scene: ReturnType<typeof createScene>;
  let port: number;
  let close: () => Promise<void>;

  before(async () => {
    draw = await sampleDraw({ entrantCount: 3000, capacityTotal: 500, beacon: BEACON });
    scene = createScene(draw);
    const engines = { clock: systemClock, checkReady: async () => {} };
    const log = createLog({ level: "silent" });
    scene.app.route("/", drawPageRoutes());
    scene.app.route("/", homePageRoutes({ hasInbox: false, config: { engines: "embedded" }, engines, log }));
    const server = await listen(scene.app, { host: "0.0.0.0", port: 0 });
    close = () => drain(server, 1000);
    port = (server.address() as AddressInfo).port;
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await close?.();
  });

  type Options = Parameters<Browser["newPage"]>[0] & { host?: string };
  async function open(query = "", { host = "127.0.0.1", ...options }: Options = {}): Promise<Page> {
    const page = await browser.newPage({ timezoneId: "Asia/Seoul", ...options });
    await page.goto(`http://${host}:${port}/draw${query}`);
    return page;
  }
  const textOf = async (page: Page, selector: string) => (await page.locator(selector).textContent()) ?? "";
  async function verdictOf(page: Page): Promise<{ state: string | null; heading: string; sentence: string }> {
    await page.locator("#verdict:not([data-state=busy])").waitFor();
    return {
      state: await page.locator("#verdict").getAttribute("data-state"),
      heading: await textOf(page, "#verdict h2"),
      sentence: await textOf(page, "#verdict .sentence"),
    };
  }
  const requestOfRank = (rank: number) =>
    draw.entrants.find(({ ticket }) => ticket === draw.order[rank - 1])?.requestId ?? "";

  for (const [name, screen] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(`on a ${name}, ${colorScheme}, in every state`, async () => {
        for (const eventId of ["done", "changed", "frozen"]) {
          const page = await open(`?event=${eventId}`, { ...screen, colorScheme });
          const complaints = collectComplaints(page);
          await verdictOf(page);
          if (eventId === "done") {
            await page.getByLabel("Your request's number").fill(requestOfRank(18));
            await page.getByRole("button", { name: "Show my rank" }).click();
            await page.getByText("Rank 18 of 3,000").waitFor();
          }
          await keepScreenshot(page, `draw-${eventId}-${name}-${colorScheme}`);
          const widthPx = await page.evaluate("document.documentElement.scrollWidth");
          assert.equal(widthPx, screen.viewport.width, "it scrolls sideways");
          assert.deepEqual(complaints, []);
          await page.close();
        }
      });
    }
  }

  test("an announced draw is verified, with its facts and everybody's rank", async () => {
    const page = await open("?event=done");
    const { state, heading, sentence } = await verdictOf(page);
    assert.deepEqual([state, heading, await page.title()], ["verified", "Verified", "SnapRace · Verified"]);
    assert.match(sentence, /^All 3,000 ranks for 500 places are as they must be\. Your browser took [\d.]+ s/);
    assert.equal(await textOf(page, "#verdict .band"), "Han River 10K");
    const facts = await textOf(page, "#facts");
    for (const value of [draw.facts.commitment, draw.facts.seed, BEACON.source, BEACON.value]) {
      assert.ok(facts.includes(value), value);
    }
    assert.match(facts, /fixed February 1, 2027 at 18:00 GMT\+9/);
    assert.equal(await page.getByRole("link", { name: "Download the proof" }).isVisible(), true);
    assert.equal(await textOf(page, "#elsewhere code"), "node verify-draw.mjs proof-han-river-10k.json");
    const rank = page.locator("#mine .rank");
    const ask = async (requestId: string) => {
      await page.getByLabel("Your request's number").fill(requestId);
      await page.keyboard.press("Enter");
    };
    await ask(requestOfRank(500).toLowerCase());
    await page.getByText(/^Rank 500 of 3,000, with ticket \d+\. That is a place\.$/).waitFor();
    await ask(requestOfRank(501));
    await page.getByText(/^Rank 501 of 3,000, with ticket \d+\. That is number 1 of the reserve\.$/).waitFor();
    await ask("<b>nobody</b>");
    await page.getByText("There is no such request in this draw.").waitFor();
    assert.equal(await rank.getAttribute("data-state"), "none");
    await page.close();
  });

  test("what differs is told with its line, and nobody gets a rank from it", async () => {
    const page = await open("?event=changed");
    const line = 1 + 13 + 1 + 3000 + 1 + 1 + 18;
    assert.deepEqual(await verdictOf(page), {
      state: "differs",
      heading: "Differs",
      sentence: `order (line ${line}): the draw gives rank 18 to ticket ${draw.order[17]}, and the proof says [18,${draw.order[4]}].`,
    });
    assert.equal(await page.locator("#mine").isVisible(), false);
    await page.close();
  });

  test("a proof that is right in itself must also be what the event had published", async () => {
    const page = await open("?event=contradicted");
    const { state, sentence } = await verdictOf(page);
    assert.equal(state, "differs");
    assert.match(sentence, /^commitment: the event published (ab){32}, and its proof says \w{64}\.$/);
    await page.close();
  });

  test("before the announcement it shows what is promised, and looks again when asked", async () => {
    const page = await open("?event=open");
    const before = await verdictOf(page);
    assert.deepEqual([before.state, before.heading], ["waiting", "Not yet"]);
    assert.match(before.sentence, /not fixed yet\. The results come on February 1, 2027 at 18:00 GMT\+9/);
    assert.doesNotMatch(await textOf(page, "#facts"), /SHA-256/);
    const link = page.getByRole("link", { name: "Download the list of entrants" });
    assert.equal(await link.isVisible(), false);
    scene.draws.open = scene.draws.frozen ?? {};
    await page.getByRole("button", { name: "Look again" }).click();
    await page.getByText("The list of entrants is fixed.").waitFor();
    const facts = await textOf(page, "#facts");
    assert.ok(facts.includes(draw.facts.commitment) && facts.includes(draw.facts.entrantsSha256));
    assert.ok(!facts.includes(draw.facts.seed), "the seed is a secret until then");
    assert.equal(await link.getAttribute("href"), "/api/events/han-river-10k/draw/entrants.txt");
    await page.close();
  });

  test("without such a draw, or when the server fails, it says so", async () => {
    const missing = await open("?event=%3Ci%3Enone%2F..");
    assert.deepEqual(await verdictOf(missing), {
      state: "missing",
      heading: "No such draw",
      sentence: "There is no draw of an event <i>none/...",
    });
    await missing.close();
    const failing = await open("?event=broken");
    const { state, sentence } = await verdictOf(failing);
    assert.deepEqual([state, sentence], ["troubled", "The table can't be reached. Try again."]);
    scene.proofs.broken = draw.proof;
    await failing.getByRole("button", { name: "Look again" }).click();
    await failing.getByRole("heading", { name: "Verified" }).waitFor();
    await failing.close();
  });

  test("a file is chosen by keyboard or dropped, and the last one counts", async (t) => {
    const folder = await temporaryFolder(t);
    const [good, none] = [join(folder, "proof.json"), join(folder, "notes.txt")];
    await Promise.all([writeFile(good, draw.proof), writeFile(none, "Dear entrants")]);
    const page = await open("", SCREENS.phone);
    const complaints = collectComplaints(page);
    assert.equal(await page.locator("#verdict").isVisible(), false);
    let wanted = "";
    // Listening all the time: what listens only now and then can miss the chooser.
    page.on("filechooser", (chooser) => void chooser.setFiles(wanted));
    const choose = async (file: string) => {
      wanted = file;
      await page.locator("#file input").focus();
      await page.keyboard.press("Enter");
    };
    await choose(none);
    await page.getByRole("heading", { name: "No proof" }).waitFor();
    assert.match((await verdictOf(page)).sentence, /^This is no proof of a draw\. .*JSON/);
    assert.equal(await page.locator("#facts").isVisible(), false);
    await choose(good);
    await page.getByRole("heading", { name: "Verified" }).waitFor();
    assert.equal(await textOf(page, "#verdict .band"), "han-river-10k");
    await drop(page, "later.json", "{}");
    await page.getByRole("heading", { name: "No proof" }).waitFor();
    assert.match((await verdictOf(page)).sentence, /version: it is missing/);
    assert.equal(await page.locator("#mine").isVisible(), false);
    assert.deepEqual(complaints, []);
    await page.close();
  });

  async function drop(page: Page, name: string, text: string): Promise<void> {
    const file = `new File([${JSON.stringify(text)}], ${JSON.stringify(name)})`;
    const dataTransfer = await page.evaluateHandle(
      `(() => { const data = new DataTransfer(); data.items.add(${file}); return data; })()`,
    );
    await page.dispatchEvent("body", "dragover", { dataTransfer });
    assert.notEqual(await page.locator("#file").getAttribute("data-over"), null);
    await page.dispatchEvent("body", "drop", { dataTransfer });
  }

  test("on plain http, where browsers offer no cryptography, it comes to the same", async (t) => {
    const host = Object.values(networkInterfaces())
      .flat()
      .find((address) => address?.family === "IPv4" && !address.internal)?.address;
    if (!host) return t.skip("this machine has no address of its own");
    for (const [eventId, expected] of [
      ["done", "verified"],
      ["changed", "differs"],
    ]) {
      const page = await open(`?event=${eventId}`, { host });
      assert.equal(await page.evaluate("isSecureContext"), false);
      assert.equal((await verdictOf(page)).state, expected);
      await page.close();
    }
  });

  test("without scripts it offers the one to take along", async () => {
    const page = await open("?event=done", { javaScriptEnabled: false });
    assert.ok(await page.getByRole("link", { name: "Download the script" }).isVisible());
    assert.equal(await page.locator("#file").isVisible(), false);
    await page.close();
  });
});
