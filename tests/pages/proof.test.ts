/** Any proof of a draw that somebody has as a file, checked in the browser: large ones, wrong ones, and on plain http. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { after, before, type TestContext, test } from "node:test";
import type { Page } from "playwright-core";
import { type SampleDraw, sampleDraw } from "../../src/entry/draw/sample-draw.ts";
import { checkPage, openPages, type PagesScene } from "../harness/pages.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

let scene: PagesScene;

before(async () => {
  scene = await openPages();
});
after(() => scene?.close());

test("any proof file, chosen by keyboard or dropped, and the last one counts", async (t) => {
  const draw = await sampleDraw({ entrantCount: 3000, capacityTotal: 500 });
  const folder = await temporaryFolder(t);
  const files = { good: join(folder, "proof.json"), none: join(folder, "notes.txt") };
  await Promise.all([writeFile(files.good, draw.proof), writeFile(files.none, "Dear entrants")]);
  const visit = await scene.visit({ screen: "phone" });
  const { page } = visit;
  await page.goto("/draw");
  let wanted = "";
  // Listening all the time: what listens only now and then can miss the chooser.
  page.on("filechooser", (chooser) => void chooser.setFiles(wanted));
  const choose = async (file: string) => {
    wanted = file;
    await page.locator("input[type=file]").focus();
    await page.keyboard.press("Enter");
  };
  await choose(files.none);
  await page.getByText("This is no complete proof of a draw.").waitFor();
  await choose(files.good);
  await page.getByRole("heading", { name: "Verified" }).waitFor();
  await checkRanks(page, draw);
  await checkPage(visit, "draw-file-phone");
  await drop(page, "<img src=x onerror=alert(1)>.json", "{}");
  await page.getByText("This is no complete proof of a draw.").waitFor();
  await page.getByRole("heading", { name: "<img src=x onerror=alert(1)>.json" }).waitFor();
  await page.getByText("version: it is missing").waitFor();
  assert.equal(await page.getByLabel("Request number").isVisible(), false);
  assert.deepEqual(visit.complaints, []);
  await visit.context.close();
});

async function checkRanks(page: Page, draw: SampleDraw): Promise<void> {
  const requestOf = (rank: number) =>
    draw.entrants.find(({ ticket }) => ticket === draw.order[rank - 1])?.requestId ?? "";
  const ask = async (requestId: string) => {
    await page.getByLabel("Request number").fill(requestId);
    await page.keyboard.press("Enter");
  };
  await ask(requestOf(500).toLowerCase());
  await page.getByText(/^Rank 500 of 3,000, with ticket [\d,]+\. That is a place\.$/).waitFor();
  await ask(requestOf(501));
  await page.getByText(/^Rank 501 of 3,000, with ticket [\d,]+\. That is number 1 of the reserve list\.$/).waitFor();
  await ask("<b>nobody</b>");
  await page.getByText("There is no such request in this draw.").waitFor();
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  const file = `new File([${JSON.stringify(text)}], ${JSON.stringify(name)})`;
  const dataTransfer = await page.evaluateHandle(
    `(() => { const data = new DataTransfer(); data.items.add(${file}); return data; })()`,
  );
  await page.dispatchEvent("body", "dragover", { dataTransfer });
  await page.dispatchEvent("body", "drop", { dataTransfer });
}

test("a hundred thousand entrants are drawn again while the page stays alive", async (t) => {
  const folder = await temporaryFolder(t);
  const draw = await sampleDraw({ entrantCount: 100_000, capacityTotal: 20_000 });
  const file = join(folder, "large.json");
  await writeFile(file, draw.proof);
  const { page, context } = await scene.visit();
  await page.goto("/draw");
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByText("Draw everybody again").waitFor();
  // The page answers meanwhile; were it busy itself, this would wait for the verdict.
  const isWorking = await page.evaluate(
    () => document.querySelector("progress") !== null || document.querySelector("h3") === null,
  );
  assert.ok(isWorking);
  await page.getByText("All 100,000 ranks for 20,000 places are as they must be.").waitFor({ timeout: 90_000 });
  await context.close();
});

test("on plain http, where browsers offer no cryptography, it comes to the same", async (t) => {
  const host = Object.values(networkInterfaces())
    .flat()
    .find((address) => address?.family === "IPv4" && !address.internal)?.address;
  if (!host) return t.skip("this machine has no address of its own");
  const draw = await sampleDraw({ entrantCount: 300 });
  const folder = await temporaryFolder(t);
  const [good, changed] = [join(folder, "good.json"), join(folder, "changed.json")];
  await writeFile(good, draw.proof);
  await writeFile(changed, draw.proof.replace(`\n[18,${draw.order[17]}]`, `\n[18,${draw.order[4]}]`));
  const { page, context } = await scene.visit();
  await page.goto(`http://${host}:${await listenForAll(t)}/draw`);
  assert.equal(await page.evaluate("isSecureContext"), false);
  await page.locator("input[type=file]").setInputFiles(good);
  await page.getByRole("heading", { name: "Verified" }).waitFor();
  await page.locator("input[type=file]").setInputFiles(changed);
  await page.getByText("order (line 335): the draw gives rank 18").waitFor();
  await context.close();
});

/** The server itself listens to this machine only: what comes from elsewhere is passed on to it. */
async function listenForAll(t: TestContext): Promise<number> {
  const port = Number(new URL(scene.server.url).port);
  const passOn = createServer((socket) => {
    const way = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [socket, way],
      [way, socket],
    ] as const) {
      from.on("error", () => to.destroy());
      from.pipe(to);
    }
  });
  passOn.listen(0, "0.0.0.0");
  await once(passOn, "listening");
  t.after(() => passOn.close());
  return (passOn.address() as AddressInfo).port;
}
