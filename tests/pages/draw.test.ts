/** A lottery from its countdown to the draw that one's own browser has checked; and proofs that are wrong, told by their line. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { sampleDraw } from "../../src/entry/draw/sample-draw.ts";
import { SCREENS } from "../harness/browser.ts";
import { type Api, checkPage, openPages, type PagesScene, type Screen } from "../harness/pages.ts";

const LONG_AGO = "2020-01-01T00:00:00Z";
const OTHERS = 30;
const PLACES = 10;

let scene: PagesScene;
let organizer: Api;
let orgId: string;

before(async () => {
  scene = await openPages();
  ({ orgId, organizer } = await scene.makeOrganization({ branding: { accentColor: "#7c3aed" } }));
});
after(() => scene?.close());

const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const lottery = (cutoffMs: number, announcedMs: number) => ({
  eventType: "LOTTERY",
  capacityTotal: PLACES,
  opensAt: LONG_AGO,
  lotteryCutoffAt: inMs(cutoffMs),
  announcedAt: inMs(announcedMs),
});

/** A lottery with many others in it, whose times are far away. */
async function makeLottery(name: string): Promise<string> {
  const eventId = await scene.makeEvent(organizer, orgId, { name, entry: lottery(5 * 86_400_000, 6 * 86_400_000) });
  const enter = (n: number) => scene.as({ userId: `u-${n}` })("POST", `/events/${eventId}/participations`);
  await Promise.all(Array.from({ length: OTHERS }, (_, n) => enter(n)));
  return eventId;
}

const drawSoon = (eventId: string) => organizer("PATCH", `/admin/events/${eventId}`, { entry: lottery(2000, 5000) });

for (const screen of Object.keys(SCREENS) as Screen[]) {
  test(`a lottery from entering to the checked draw, on a ${screen}`, async () => {
    const eventId = await makeLottery("Jeju Marathon");
    const visit = await scene.visit({ screen, email: `lucky-${screen}@example.com`, dark: screen === "desktop" });
    const { page } = visit;
    await page.goto(`/events/${eventId}`);
    await page.getByText("The draw closes in").waitFor();
    await page.getByRole("button", { name: "Enter", exact: true }).waitFor();
    await checkPage(visit, `draw-open-${screen}`);
    await page.getByRole("button", { name: "Enter", exact: true }).click();
    await page.getByRole("heading", { name: "You are in the draw" }).waitFor();
    await page.getByText("planned:").first().waitFor();
    await checkPage(visit, `draw-collecting-${screen}`);
    const request = page.url();
    await loseConnection(page);
    await page.getByRole("link", { name: "How the draw works" }).click();
    await page.getByRole("heading", { name: "Not drawn yet" }).waitFor();
    await checkPage(visit, `draw-promise-${screen}`);
    const promise = await page.locator("dd code").first().textContent();
    await drawSoon(eventId);
    await page.goto(request);
    await page
      .getByRole("heading", { name: /You are in!|Not drawn, but on the reserve list/ })
      .waitFor({ timeout: 60_000 });
    await page.getByText("Rank in the draw").waitFor();
    await checkPage(visit, `draw-result-${screen}`);
    await page.getByRole("link", { name: "Check the draw yourself" }).click();
    await page.getByRole("button", { name: "Check the draw" }).click();
    await page.getByRole("heading", { name: "Verified" }).waitFor();
    await page.getByText(`All ${OTHERS + 1} ranks for ${PLACES} places are as they must be.`).waitFor();
    await page.getByText(new RegExp(`Rank \\d+ of ${OTHERS + 1}, with ticket ${OTHERS + 1}\\.`)).waitFor();
    assert.ok((await page.locator("dd code").allTextContents()).includes(promise ?? ""), "the promise was another");
    await checkPage(visit, `draw-verified-${screen}`);
    await visit.context.close();
  });
}

/** What follows the line comes back by itself. */
async function loseConnection(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await page.getByText("The connection is lost. Your place is safe").waitFor();
  await page.context().setOffline(false);
  await page.getByText("The connection is lost").waitFor({ state: "hidden" });
  await page.getByRole("heading", { name: "You are in the draw" }).waitFor();
}

test("between cutoff and results one finds oneself on the frozen list", async () => {
  const eventId = await makeLottery("Incheon 10K");
  const visit = await scene.visit({ screen: "phone", email: "listed@example.com" });
  const { page } = visit;
  await page.goto(`/events/${eventId}`);
  await page.getByRole("button", { name: "Enter", exact: true }).click();
  await page.getByRole("heading", { name: "You are in the draw" }).waitFor();
  await organizer("PATCH", `/admin/events/${eventId}`, { entry: lottery(1000, 3_600_000) });
  await page.goto(`/events/${eventId}/draw`);
  await page.getByRole("button", { name: "Look for me in the list" }).click({ timeout: 60_000 });
  await page.getByText(`number ${OTHERS + 1} of ${OTHERS + 1}, with ticket ${OTHERS + 1}.`).waitFor();
  // The page was opened before the times that the organizer changed had reached the entry.
  await page.getByText("Results in").waitFor({ timeout: 30_000 });
  await checkPage(visit, "draw-frozen-phone");
  await visit.context.close();
});

test("a proof that was changed on the way is told by its line, one that contradicts the promise by its field", async () => {
  const eventId = await makeLottery("Busan Half");
  await drawSoon(eventId);
  const visit = await scene.visit({ screen: "phone", language: "ko" });
  const { page } = visit;
  await page.goto(`/events/${eventId}/draw`);
  await page.getByRole("button", { name: "추첨 확인하기" }).waitFor({ timeout: 60_000 });
  const proof: string = await (await fetch(`${scene.server.url}/api/events/${eventId}/draw/proof.json`)).text();
  const lines = proof.split("\n");
  // The order of ranks comes after the list of tickets.
  const changed = lines.findLastIndex((line) => line.startsWith("[3,"));
  lines[changed] = "[3,999],";
  await page.route("**/proof.json", (route) =>
    route.fulfill({ body: lines.join("\n"), contentType: "application/json" }),
  );
  await page.getByRole("button", { name: "추첨 확인하기" }).click();
  await page.getByRole("heading", { name: "일치하지 않습니다" }).waitFor();
  await page.getByText(`증명 파일의 ${changed + 1}번째 줄이 처음으로 다릅니다.`).waitFor();
  await page.getByText(`order (line ${changed + 1}): the draw gives rank 3 to ticket`).waitFor();
  assert.equal(await page.getByLabel("신청 번호").isVisible(), false, "nobody gets a rank from it");
  await checkPage(visit, "draw-differs-korean");
  await page.unroute("**/proof.json");
  const other = await sampleDraw({ eventId, entrantCount: 5 });
  await page.route("**/proof.json", (route) => route.fulfill({ body: other.proof, contentType: "application/json" }));
  await page.getByRole("button", { name: "다시 확인하기" }).click();
  await page.getByText("증명이 대회가 미리 공개한 값과 다릅니다.").waitFor();
  await page.getByText(/^commitment: the event published/).waitFor();
  await page.unroute("**/proof.json");
  await page.route("**/proof.json", (route) => route.abort());
  await page.getByRole("button", { name: "다시 확인하기" }).click();
  await page.getByRole("heading", { name: "확인하지 못했습니다" }).waitFor();
  await page.unroute("**/proof.json");
  await page.getByRole("button", { name: "다시 확인하기" }).click();
  await page.getByRole("heading", { name: "확인되었습니다" }).waitFor();
  await visit.context.close();
});

test("a race without a draw says so", async () => {
  const entry = { eventType: "FIRST_COME", capacityTotal: 5, opensAt: LONG_AGO };
  const eventId = await scene.makeEvent(organizer, orgId, { entry });
  const { page, context } = await scene.visit();
  await page.goto(`/events/${eventId}/draw`);
  await page.getByText("there is no draw").waitFor();
  await context.close();
});
