/** A photographer at work: thousands of files dropped, reloads and lost connections survived, and nothing sent twice. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { checkPage, focusOrder, type Screen } from "../harness/pages.ts";
import {
  fillFolder,
  type NamedBytes,
  offerFolder,
  openUploads,
  smallPhotos,
  type UploadScene,
  until,
} from "../harness/upload-page.ts";
import { drawBib } from "../pictures/scene.ts";

const HOSTILE = "<img src=x onerror=alert(1)>.jpg";

let scene: UploadScene;
before(async () => {
  scene = await openUploads();
});
after(() => scene?.close());

const files = (page: Page) => page.locator("input[data-choose=files]");
const folder = (page: Page) => page.locator("input[data-choose=folder]");
const asFiles = (photos: NamedBytes[]) =>
  photos.map(({ name, bytes }) => ({ name, mimeType: "image/jpeg", buffer: bytes }));
const over = (page: Page, count: number) => page.getByText(`${count} of ${count} files`).waitFor();

const summaryOf = (eventId: string) =>
  scene.organizer("GET", `/events/${eventId}/uploads/summary?photographer=${scene.photographerId}`);

/** Each object was taken once, and no more objects are there than files. */
async function checkSentOnce(sent: Map<string, number>, eventId: string, count: number): Promise<void> {
  assert.deepEqual(
    [...sent].filter(([, times]) => times > 1),
    [],
  );
  await until(async () => (await summaryOf(eventId)).uploaded >= count, `${count} uploads are counted`);
  const { uploaded, duplicate } = await summaryOf(eventId);
  assert.deepEqual({ uploaded, duplicate }, { uploaded: count, duplicate: 0 });
}

for (const screen of ["desktop", "phone"] as Screen[]) {
  test(`the races to photograph with their counts, and one's credit, on a ${screen}`, async () => {
    const date = screen === "desktop" ? "2099-12-30" : "2099-12-31";
    const eventId = await scene.newRace({ name: `Night run ${screen}`, date, published: false });
    const visit = await scene.visitOwn({ screen });
    const { page, context } = visit;
    await page.goto("/photographer");
    const card = page.getByRole("listitem").filter({ hasText: `Night run ${screen}` });
    await card.getByText("No photos sent yet").waitFor();
    assert.ok(
      (await page.getByRole("listitem").first().textContent())?.includes(`Night run ${screen}`),
      "newest first",
    );
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Name shown").fill("Minji <b>Kim</b>");
    await page.getByLabel("Instagram name").fill("@minji.runs");
    await page.getByLabel("Website").fill("https://minji.example/");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Minji <b>Kim</b>").waitFor();
    await page.getByRole("link", { name: "minji.example" }).waitFor();
    await page.getByText("Saved.").waitFor();
    await checkPage(visit, `photographer-races-${screen}`);
    await card.getByRole("link").click();
    await page.getByRole("heading", { name: `Night run ${screen}` }).waitFor();
    await checkPage(visit, `photographer-empty-${screen}`);
    await files(page).setInputFiles(asFiles(await smallPhotos(2, screen)));
    await over(page, 2);
    await page.getByRole("link", { name: "My races to photograph" }).click();
    await until(async () => (await summaryOf(eventId)).done === 2, "both are done");
    await page.reload();
    await card.getByText("2 photos · 0 with a bib").waitFor();
    await context.close();
  });
}

test("what is sent twice, or is no photo, is named with the reason; a name is text", async () => {
  const eventId = await scene.newRace({ name: "Bad files" });
  const [first, second, third] = (await smallPhotos(3)) as [NamedBytes, NamedBytes, NamedBytes];
  const { jpeg, truth } = await drawBib({ seed: 7, kind: "plain" });
  const place = await scene.writeFolder("bad", [
    first,
    { name: "copy of first.jpg", bytes: first.bytes },
    { name: HOSTILE, bytes: second.bytes },
    { name: "bib.jpg", bytes: jpeg },
    { name: "cut.jpg", bytes: jpeg.subarray(0, jpeg.length / 2) },
    { name: "empty.jpg", bytes: Buffer.alloc(0) },
    { name: "notes.txt", bytes: Buffer.from("to do") },
    { name: "phone.heic", bytes: Buffer.from("x") },
    { name: ".DS_Store", bytes: Buffer.from("x") },
  ]);
  const visit = await scene.open(eventId);
  const { page, context } = visit;
  await files(page).setInputFiles(asFiles([third]));
  await over(page, 1);
  await folder(page).setInputFiles(place);
  await over(page, 9);
  assert.equal(await page.getByText(HOSTILE).count(), 1);
  const row = (name: string) => page.getByRole("listitem").filter({ hasText: name });
  await row("copy of first.jpg").getByText("The same photo as").waitFor();
  await page.getByRole("button", { name: "Not taken" }).click();
  await row("empty.jpg").getByText("The file is empty").waitFor();
  await row("notes.txt").getByText("Not a photo we can take").waitFor();
  await row("phone.heic").getByText("Export it as JPEG").waitFor();
  assert.equal(await page.getByText(".DS_Store").count(), 0);
  await page.getByRole("heading", { name: "These could not be used" }).waitFor({ timeout: 60_000 });
  await page.getByText("The file is cut off").waitFor();
  const figure = (label: string) => page.locator("dl > div").filter({ hasText: label }).locator("dd").first();
  await until(async () => (await figure("Ready to be found").textContent()) === "4", "four photos are ready");
  assert.equal(await figure("With a bib").textContent(), "1");
  assert.equal(await figure("Failed").textContent(), "1");
  assert.ok(truth.bibs[0]);
  await checkPage(visit, "photographer-bad-files-desktop");
  await page.getByRole("button", { name: "Remove phone.heic from the list" }).click();
  await row("phone.heic").waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Clear all" }).click();
  await page.getByRole("heading", { name: "Files", exact: true }).waitFor({ state: "detached" });
  await context.close();

  const again = await scene.open(eventId, { screen: "phone", dark: true });
  await files(again.page).setInputFiles(asFiles([{ name: "other name.jpg", bytes: third.bytes }]));
  await again.page.getByRole("listitem").getByText("Already here").waitFor();
  assert.equal(again.sent.size, 0);
  await checkPage(again, "photographer-upload-phone-dark");
  await again.context.close();
});

test("in Korean, in the dark, and by keyboard", async () => {
  const eventId = await scene.newRace({ name: "한강 10K" });
  const visit = await scene.open(eventId, { language: "ko", dark: true });
  const { page, context } = visit;
  await files(page).setInputFiles([
    ...asFiles(await smallPhotos(2)),
    { name: "a.heic", mimeType: "image/heic", buffer: Buffer.from("x") },
  ]);
  await page.getByText("파일 3개 중 3개").waitFor();
  await page.getByText("HEIC는 읽을 수 없습니다").waitFor();
  await checkPage(visit, "photographer-upload-korean-dark");
  await page.locator("#main").focus();
  const order = await focusOrder(page, 5);
  assert.deepEqual(order.slice(0, 3), ["촬영할 대회", "폴더 선택", "사진 선택"]);
  await context.close();
});

test("somebody who photographs nothing is told what to do, and another's race is refused", async () => {
  const eventId = await scene.makeEvent(scene.organizer, scene.orgId);
  const runner = await scene.visit({ email: "runner@example.com" });
  await runner.page.goto("/photographer");
  await runner.page.getByText("You are not a photographer here yet").waitFor();
  await checkPage(runner, "photographer-nobody-desktop");
  await runner.page.goto(`/photographer/events/${eventId}`);
  await runner.page.getByRole("alert").waitFor();
  await runner.context.close();
});

test("pause stops what is under way, going on sends the rest, and what failed is tried again", async () => {
  const eventId = await scene.newRace({ name: "Paused" });
  const visit = await scene.open(eventId);
  const { page, sent, context } = visit;
  const held: (() => void)[] = [];
  let isHolding = true;
  let isRefusing = true;
  // Held back until the test lets them go, so that there is something to pause.
  await context.route("**/blobs/**", async (route) => {
    if (isHolding) await new Promise<void>((go) => held.push(go));
    else if (isRefusing) {
      isRefusing = false;
      return route.fulfill({ status: 400 });
    }
    await route.continue().catch(() => {});
  });
  await files(page).setInputFiles(asFiles(await smallPhotos(12)));
  await until(() => held.length === 4, "four are sent at once");
  await page
    .getByRole("progressbar", { name: /is being sent/ })
    .nth(3)
    .waitFor();
  await checkPage(visit, "photographer-sending-desktop");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("status").getByText("Paused").waitFor();
  assert.equal(await page.getByRole("progressbar", { name: /is being sent/ }).count(), 0);
  isHolding = false;
  for (const go of held) go();
  assert.equal(sent.size, 0);
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("11 sent · 1 not sent").waitFor();
  await page.getByRole("button", { name: /^Try IMG_\d+\.jpg again$/ }).click();
  await page.getByText("12 sent", { exact: true }).waitFor();
  await checkSentOnce(sent, eventId, 12);
  await context.close();
});

test("a browser that lets go of the files asks for the folder again and skips what was sent", async () => {
  const eventId = await scene.newRace({ name: "Chosen again" });
  const place = await scene.writeFolder("again", await smallPhotos(60));
  const visit = await scene.open(eventId);
  const { page, sent, context } = visit;
  await folder(page).setInputFiles(place);
  await until(() => sent.size >= 15, "15 files are sent");
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("status").getByText("Paused").waitFor();
  await page.reload();
  await page.getByText("Choose the same folder or photos again").waitFor();
  await checkPage(visit, "photographer-missing-desktop");
  await folder(page).setInputFiles(place);
  await page.getByText(/were here already and are skipped/).waitFor();
  await page.getByRole("button", { name: "Go on" }).click();
  await over(page, 60);
  await checkSentOnce(sent, eventId, 60);
  await context.close();
});

test("200 files with a reload in the middle: the page goes on by itself, and none is sent twice", async () => {
  const eventId = await scene.newRace({ name: "Two hundred" });
  const { page, sent, warnings, context } = await scene.visitOwn();
  await offerFolder(page, "DCIM");
  await page.goto(`/photographer/events/${eventId}`);
  await fillFolder(page, "DCIM", await smallPhotos(200));
  await page.getByRole("button", { name: "Choose a folder" }).click();
  await until(() => sent.size >= 60, "60 files are sent");
  await page.reload();
  assert.ok(sent.size < 200, "the reload comes too late to show anything");
  assert.deepEqual(warnings, ["beforeunload"]);
  await over(page, 200);
  await page.getByRole("status").getByText("All done").waitFor();
  await checkSentOnce(sent, eventId, 200);
  await page.reload();
  await over(page, 200);
  assert.ok(sent.size <= 200);
  assert.equal(warnings.length, 1, "there is nothing to warn of when all is sent");
  await context.close();
});

test("a lost connection is waited out, also for a large file, which goes on at the missing part", async () => {
  const eventId = await scene.newRace({ name: "Offline" });
  const { page, sent, context } = await scene.open(eventId);
  const large = { name: "panorama.jpg", bytes: randomBytes(35_000_000) };
  let parts = 0;
  await context.route("**/blobs/**", async (route) => {
    parts += 1;
    if (parts === 3) await context.setOffline(true);
    await route.continue().catch(() => {});
  });
  const place = await scene.writeFolder("large", [large, ...(await smallPhotos(3))]);
  await folder(page).setInputFiles(place);
  await page.getByRole("status").getByText("Waiting for the connection").waitFor();
  await page.getByText("It goes on by itself").waitFor();
  await context.setOffline(false);
  await over(page, 4);
  assert.equal(sent.size, 3 + 5, "a large file goes in five parts");
  await checkSentOnce(sent, eventId, 4);
  await context.close();
});
