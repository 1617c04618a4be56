/** Entering a race as people do: early, twice, in a crowd, without a connection; and always the same request. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Page } from "playwright-core";
import { runLoad } from "../../bench/entry/load.ts";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { keepScreenshot, SCREENS } from "../harness/browser.ts";
import {
  type Api,
  checkPage,
  codeInInbox,
  focusOrder,
  openPages,
  type PagesScene,
  type Screen,
} from "../harness/pages.ts";

const LONG_AGO = "2020-01-01T00:00:00Z";
const IN_DAYS = new Date(Date.now() + 3.4 * 86_400_000).toISOString();
const CROWD = 2000;
const CROWD_PER_SECOND = 400;
const SOON_MS = 4000;

describe("entering a race", () => {
  let scene: PagesScene;
  let organizer: Api;
  let orgId: string;

  before(async () => {
    scene = await openPages();
    const branding = { accentColor: "#0a7d5a" };
    ({ orgId, organizer } = await scene.makeOrganization({ name: "한강 러너스", branding }));
  });
  after(() => scene?.close());

  const firstCome = (opensAt: string, settings: object = {}) => ({
    eventType: "FIRST_COME",
    capacityTotal: 500,
    opensAt,
    ...settings,
  });
  const makeRace = (entry: object, name = "Han River 10K") => scene.makeEvent(organizer, orgId, { name, entry });
  const changeEntry = (eventId: string, entry: object) => organizer("PATCH", `/admin/events/${eventId}`, { entry });
  const requestsOf = async (eventId: string) => (await organizer("GET", `/admin/events/${eventId}/requests`)).items;

  for (const screen of Object.keys(SCREENS) as Screen[]) {
    test(`the button becomes live at its second, and a double click is one entry, on a ${screen}`, async () => {
      const eventId = await makeRace(firstCome(IN_DAYS));
      const visit = await scene.visit({ screen, email: `early-${screen}@example.com` });
      const { page } = visit;
      await page.goto(`/events/${eventId}`);
      const button = page.getByRole("button", { name: "Enter", exact: true });
      await page.getByText("Entries open in").waitFor();
      assert.equal(await button.getAttribute("aria-disabled"), "true");
      await button.click({ force: true });
      await checkPage(visit, `entry-countdown-${screen}`);
      await changeEntry(eventId, firstCome(new Date(Date.now() + SOON_MS).toISOString()));
      await page.reload();
      await page.locator("button:not([aria-disabled=true])", { hasText: /^Enter$/ }).dblclick({ timeout: 60_000 });
      await page.waitForURL("**/requests/*");
      await page.getByRole("heading", { name: "You are in!" }).waitFor();
      await page.getByText("You got a place").waitFor();
      await page.getByText("Times are those of the race (Asia/Seoul).").waitFor();
      await checkPage(visit, `entry-place-${screen}`);
      assert.equal((await requestsOf(eventId)).length, 1);
      await visit.context.close();
    });
  }

  test("who is not signed in comes back to the button, and enters with one more click", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO));
    const visit = await scene.visit({ screen: "phone", dark: true });
    const { page, context } = visit;
    await page.goto(`/events/${eventId}`);
    await page.getByRole("link", { name: "Sign in to enter" }).waitFor();
    await checkPage(visit, "entry-signed-out-phone");
    await page.getByRole("link", { name: "Sign in to enter" }).click();
    await page.getByLabel("E-mail address").fill("walk-in@example.com");
    await page.keyboard.press("Enter");
    await page.getByLabel("Six-digit code").waitFor();
    await page.getByLabel("Six-digit code").fill(await codeInInbox(context, "walk-in@example.com"));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/events/${eventId}#entry`);
    const button = page.getByRole("button", { name: "Enter", exact: true });
    await button.waitFor();
    assert.equal((await requestsOf(eventId)).length, 0, "it entered without being asked to");
    await button.click();
    await page.getByRole("heading", { name: "You are in!" }).waitFor();
    await checkPage(visit, "entry-place-phone-dark");
    await context.close();
  });

  test("a reload, a second tab and coming back by the race all show the same request", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO));
    const { page, context } = await scene.visit({ email: "twice@example.com" });
    const tab = await context.newPage();
    for (const each of [page, tab]) {
      await each.goto(`/events/${eventId}`);
      await each.getByRole("button", { name: "Enter", exact: true }).waitFor();
    }
    for (const each of [page, tab]) await each.getByRole("button", { name: "Enter", exact: true }).click();
    for (const each of [page, tab]) await each.waitForURL("**/requests/*");
    assert.equal(page.url(), tab.url());
    await page.reload();
    await page.getByRole("heading", { name: "You are in!" }).waitFor();
    await tab.goto(`/events/${eventId}`);
    await tab.getByText("You have entered with ticket 1.").waitFor();
    await keepScreenshot(tab, "entry-entered-desktop");
    await tab.getByRole("link", { name: "See my request" }).click();
    await tab.waitForURL(page.url());
    assert.equal((await requestsOf(eventId)).length, 1);
    await context.close();
  });

  test("a click without a connection enters when it is back", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO));
    const { page, context } = await scene.visit({ screen: "phone", email: "tunnel@example.com" });
    await page.goto(`/events/${eventId}`);
    const button = page.getByRole("button", { name: "Enter", exact: true });
    await button.waitFor();
    await context.setOffline(true);
    await button.click();
    await page.getByText(/No connection|Many are entering/).waitFor();
    await keepScreenshot(page, "entry-offline-phone");
    await context.setOffline(false);
    await page.getByRole("heading", { name: "You are in!" }).waitFor();
    assert.equal((await requestsOf(eventId)).length, 1);
    await context.close();
  });

  test("in a burst of 2,000 others one gets one's ticket, and the same in every tab", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO, { capacityTotal: CROWD / 2 }));
    const visit = await scene.visit({ screen: "phone", email: "crowded@example.com" });
    const { page, context } = visit;
    await page.goto(`/events/${eventId}`);
    const button = page.getByRole("button", { name: /^Enter/ });
    await button.waitFor();
    const crowd = runLoad({
      port: Number(new URL(scene.server.url).port),
      path: `/api/events/${eventId}/participations`,
      secret: Buffer.from(readSecret(scene.dataFolder)).toString("hex"),
      userPrefix: "crowd-",
      people: CROWD,
      seed: 7,
      connections: 64,
      ratePerSecond: CROWD_PER_SECOND,
      giveUpAfterMs: 60_000,
    });
    while ((await organizer("GET", `/events/${eventId}/entry`)).tickets < CROWD_PER_SECOND) await setTimeout(100);
    await button.dblclick();
    await page.waitForURL("**/requests/*");
    await page.getByRole("heading", { name: /You are (in!|on the reserve list)/ }).waitFor({ timeout: 60_000 });
    const { answers } = await crowd;
    assert.ok(answers.every(({ status }) => status === 202));
    const ticket = await page.getByRole("heading", { name: /^Ticket/ }).textContent();
    await checkPage(visit, "entry-after-burst-phone");
    const tab = await context.newPage();
    await tab.goto(page.url());
    await tab.getByRole("heading", { name: /^Ticket/ }).waitFor();
    assert.equal(await tab.getByRole("heading", { name: /^Ticket/ }).textContent(), ticket);
    const { tickets, byStatus } = await organizer("GET", `/admin/events/${eventId}/summary`);
    assert.deepEqual([tickets, byStatus.SUCCEEDED], [CROWD + 1, CROWD / 2]);
    await context.close();
  });

  test("the reserve list, a place that comes free, and giving it back", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO, { capacityTotal: 1 }));
    const first = await scene.visit({ email: "first@example.com" });
    await enter(first.page, eventId, "Enter");
    await first.page.getByRole("heading", { name: "You are in!" }).waitFor();
    const second = await scene.visit({ screen: "phone", email: "second@example.com" });
    await enter(second.page, eventId, "Enter the reserve list");
    await second.page.getByRole("heading", { name: "You are on the reserve list" }).waitFor();
    await second.page.getByText("All places had gone when your turn came.").waitFor();
    await checkPage(second, "entry-reserve-phone");
    await first.page.getByRole("button", { name: "Give my place back" }).click();
    const question = first.page.getByRole("alertdialog");
    await question.waitFor();
    await checkPage(first, "entry-give-back-desktop");
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "hidden" });
    await first.page.getByRole("button", { name: "Give my place back" }).click();
    await question.getByRole("button", { name: "Give my place back" }).click();
    await first.page.getByRole("heading", { name: "You gave your place back" }).waitFor();
    await second.page.reload();
    await second.page.getByText("A place came free: it is yours").waitFor();
    await first.context.close();
    await second.context.close();
  });

  async function enter(page: Page, eventId: string, name: string): Promise<void> {
    await page.goto(`/events/${eventId}`);
    await page.getByRole("button", { name, exact: true }).click();
    await page.waitForURL("**/requests/*");
  }

  test("a pause is told, and its end is seen without a reload", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO));
    const { page, context } = await scene.visit({ email: "patient@example.com" });
    await page.goto(`/events/${eventId}`);
    const button = page.getByRole("button", { name: "Enter", exact: true });
    await button.waitFor();
    await organizer("POST", `/admin/events/${eventId}/entry/pause`);
    await button.click();
    await page
      .getByText(/Entries are paused for the moment|has paused entries/)
      .first()
      .waitFor();
    await keepScreenshot(page, "entry-paused-desktop");
    await organizer("POST", `/admin/events/${eventId}/entry/open`);
    await page.getByText("Entries open", { exact: true }).first().waitFor();
    await button.click();
    await page.getByRole("heading", { name: "You are in!" }).waitFor();
    await context.close();
  });

  test("the keyboard comes to the button before the photos", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO));
    const { page, context } = await scene.visit({ email: "keys@example.com" });
    await page.goto(`/events/${eventId}`);
    await page.getByRole("button", { name: "Enter", exact: true }).waitFor();
    const own = ["Skip to the content", "SnapRace", "My races", "Language and look"];
    assert.deepEqual(await focusOrder(page, 7), [...own, "한강 러너스", "Enter", "Bib number"]);
    await context.close();
  });

  test("once through in Korean", async () => {
    const eventId = await makeRace(firstCome(LONG_AGO), "한강 10K");
    const visit = await scene.visit({ screen: "phone", language: "ko", email: "minji@example.com" });
    const { page, context } = visit;
    await page.goto(`/events/${eventId}`);
    await page.getByRole("button", { name: "신청하기", exact: true }).waitFor();
    await checkPage(visit, "entry-korean-open");
    await page.getByRole("button", { name: "신청하기", exact: true }).click();
    await page.getByRole("heading", { name: "참가가 확정되었습니다!" }).waitFor();
    await checkPage(visit, "entry-korean-place");
    await page.getByRole("button", { name: "자리 반납하기" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "자리 반납하기" }).click();
    await page.getByRole("heading", { name: "자리를 반납했습니다" }).waitFor();
    await page.getByRole("link", { name: "내 대회" }).click();
    await page.waitForURL("**/me");
    await page.getByText("반납함", { exact: true }).waitFor();
    await checkPage(visit, "me-korean");
    await context.close();
  });
});
