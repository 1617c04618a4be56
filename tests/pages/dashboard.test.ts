/** An organizer watches and steers an event: the burst, the draw, the photos, and what needs a person. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { SCREENS } from "../harness/browser.ts";
import { checkPage } from "../harness/pages.ts";
import { confirm, dialog, showsFigure } from "./dashboard-page.ts";
import { type DashboardScene, giveUpOn, HOSTILE, openDashboard, until } from "./dashboard-scene.ts";

const ENTRANTS = 300;
const PLACES = 200;
const PHOTOS = 5;

describe("the organizer's dashboard", { concurrency: false }, () => {
  let scene: DashboardScene;
  let race: string;
  let lottery: string;
  let draft: string;
  const home = (eventId: string, tab = "") => `/organizer/events/${eventId}${tab}`;

  before(async () => {
    scene = await openDashboard();
    const { organizer, orgId } = scene;
    const opensAt = "2026-01-01T00:00:00Z";
    race = await scene.makeEvent(organizer, orgId, {
      name: "Han River 10K 2099",
      entry: { eventType: "FIRST_COME", capacityTotal: PLACES, opensAt },
    });
    lottery = await scene.makeEvent(organizer, orgId, {
      name: "Seoul Night Run 2099",
      entry: {
        eventType: "LOTTERY",
        capacityTotal: 10,
        opensAt,
        lotteryCutoffAt: "2090-01-01T00:00:00Z",
        announcedAt: "2090-01-02T00:00:00Z",
        beaconSource: "Bitcoin block 2,000,000",
      },
    });
    draft = await scene.makeEvent(organizer, orgId, { name: HOSTILE, published: false });
  });
  after(() => scene?.close());

  const requestsOf = async (eventId: string) =>
    (await scene.organizer("GET", `/admin/events/${eventId}/requests`)).items as { requestId: string }[];

  test("shows a burst as it comes: the chart and the counts move, and nobody was overtaken", async () => {
    const visit = await scene.visitAsOrganizer();
    const { page } = visit;
    await page.goto(home(race));
    await page.getByRole("heading", { name: "Han River 10K 2099" }).waitFor();
    await showsFigure(page, "Places left", String(PLACES));
    await page.getByRole("img", { name: /Now 0 entries a second, at most 0 / }).waitFor();
    await scene.burst(race, ENTRANTS);
    await showsFigure(page, "Entries so far", String(ENTRANTS));
    await showsFigure(page, "Places left", "0");
    await showsFigure(page, "Got a place", String(PLACES));
    await showsFigure(page, "Turned away", String(ENTRANTS - PLACES));
    await page.getByRole("img", { name: /at most [1-9][\d.,]* in the last ten minutes/ }).waitFor();
    await page.getByText("Nobody was overtaken").waitFor();
    await page.getByText(`We walked along the whole line: ${ENTRANTS} requests`).waitFor();
    await page.getByRole("region", { name: "Requests" }).getByRole("row").nth(25).waitFor();
    await checkPage(visit, "dashboard-entries-desktop");
    await page.getByRole("button", { name: "As a table" }).click();
    const table = page.getByRole("region", { name: "Entries per second" });
    await until(async () => (await table.getByRole("cell").allTextContents()).some((text) => /^[1-9]/.test(text)));
    await checkPage(visit, "dashboard-entries-table-desktop");
    await visit.context.close();
  });

  test("lists requests by order and status, tells what happened to one, and gives them as CSV", async () => {
    const visit = await scene.visitAsOrganizer();
    const { page } = visit;
    await page.goto(home(race));
    const rows = page.getByRole("region", { name: "Requests" }).getByRole("row");
    await page.getByLabel("Order").selectOption("Newest first");
    await rows
      .nth(1)
      .getByRole("button", { name: `Log of ticket ${ENTRANTS}`, exact: true })
      .waitFor();
    await page.getByLabel("Status", { exact: true }).selectOption("Got a place");
    await rows.nth(1).getByText("runner-").waitFor();
    await until(async () => !(await rows.allTextContents()).some((text) => text.includes("No place was left")));
    assert.match(page.url(), /\?order=newest&status=SUCCEEDED$/);
    await page.getByRole("button", { name: "Show more" }).click();
    await rows.nth(50).waitFor();
    const log = rows.nth(1).getByRole("button", { name: /Log of ticket/ });
    await log.click();
    await dialog(page).getByText("In line → Being decided").waitFor();
    await dialog(page).getByText("Being decided → Got a place").waitFor();
    await checkPage(visit, "dashboard-request-log-desktop");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    assert.ok(await log.evaluate((element) => element === document.activeElement));
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Export CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trim().split("\n");
    assert.equal(lines.length, ENTRANTS + 1);
    await visit.context.close();
  });

  test("pauses and opens entries, by keyboard, and says what happens", async () => {
    const visit = await scene.visitAsOrganizer({ screen: "phone", dark: true });
    const { page } = visit;
    await page.goto(home(race));
    const first = page.getByRole("button", { name: "Pause", exact: true });
    await first.focus();
    await page.keyboard.press("Enter");
    await dialog(page).getByText("Nobody can enter until you open them again.").waitFor();
    await checkPage(visit, "dashboard-pause-phone-dark");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await confirm(page, "Pause", /Pause entries\?/);
    await page.getByText("Paused", { exact: true }).waitFor();
    const enter = scene.as({ userId: "late" })("POST", `/events/${race}/participations`);
    await assert.rejects(enter, /participation\.paused/);
    const open = page.getByRole("button", { name: "Open again", exact: true });
    await until(() => open.evaluate((element) => element === document.activeElement));
    await confirm(page, "Open again", /Everybody can enter again/);
    await page.getByText("Open", { exact: true }).waitFor();
    await scene.as({ userId: "late" })("POST", `/events/${race}/participations`);
    await showsFigure(page, "Entries so far", String(ENTRANTS + 1));
    await checkPage(visit, "dashboard-entries-phone-dark");
    await visit.context.close();
  });

  test("draws a lottery with the value of its beacon, and keeps the results secret", async () => {
    await scene.burst(lottery, 24);
    const path = `/admin/events/${lottery}`;
    const { entry } = await scene.organizer("GET", path);
    await scene.organizer("PATCH", path, { entry: { ...entry, lotteryCutoffAt: "2026-01-02T00:00:00Z" } });
    const visit = await scene.visitAsOrganizer();
    const { page } = visit;
    await page.goto(home(lottery));
    await page.getByText("24 entrants").waitFor();
    await page.getByRole("button", { name: "Draw", exact: true }).click();
    await dialog(page).getByText("Nobody sees a result before the announcement.").waitFor();
    await dialog(page).getByRole("button", { name: "Draw", exact: true }).click();
    await dialog(page).getByText("The draw waits for the value of its public source.").waitFor();
    await dialog(page).getByLabel("Value of the public source").fill("0000c0ffee");
    await checkPage({ ...visit, complaints: [] }, "dashboard-draw-desktop");
    await dialog(page).getByRole("button", { name: "Draw", exact: true }).click();
    await dialog(page).waitFor({ state: "detached" });
    await until(async () => (await page.getByRole("button", { name: "Draw", exact: true }).count()) === 0);
    await page.getByRole("link", { name: "See the proof" }).waitFor();
    await showsFigure(page, "In line", "24");
    assert.equal(await page.getByRole("button", { name: "Announce" }).count(), 0);
    await checkPage({ ...visit, complaints: [] }, "dashboard-lottery-desktop");
    await visit.context.close();
  });

  test("shows photos arriving, who is covered, and a failed one that is tried again", async () => {
    const { organizer, orgId } = scene;
    const minji = await organizer("POST", `/admin/organizations/${orgId}/photographers`, { name: "Kim Minji" });
    const visit = await scene.visitAsOrganizer();
    const { page } = visit;
    await page.goto(home(race, "/photos"));
    await page.getByText("No photos yet").waitFor();
    await page.getByLabel("Photographer", { exact: true }).selectOption(minji.displayName);
    await page.getByRole("button", { name: "Assign", exact: true }).click();
    await page.getByRole("cell", { name: "Kim Minji", exact: true }).waitFor();
    const broken = `${HOSTILE}.jpg`;
    await scene.uploadPhotos(race, PHOTOS, broken);
    await showsFigure(page, "Uploaded", String(PHOTOS + 1));
    await showsFigure(page, "Ready", String(PHOTOS));
    await showsFigure(page, "Failed", "1");
    await page.getByRole("img", { name: /at most [1-9][\d.,]* in the last half hour/ }).waitFor();
    const row = page.getByRole("row").filter({ hasText: broken });
    await row.getByText("A part of the photo is missing or damaged.").waitFor();
    await page.getByRole("progressbar", { name: "Runners with a photo" }).waitFor();
    await page.getByRole("button", { name: /^IMG_1001\.jpg/ }).waitFor();
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
    await checkPage(visit, "dashboard-photos-desktop");
    await row.getByRole("button", { name: "Retry" }).click();
    await page.getByText(`${broken} is tried again.`).waitFor();
    await row.getByRole("cell", { name: "2", exact: true }).waitFor();
    await row.getByRole("button", { name: /^History/ }).click();
    await dialog(page).getByText("Try 2").waitFor();
    await dialog(page).getByText("Open and resize").first().waitFor();
    await checkPage(visit, "dashboard-upload-desktop");
    await dialog(page).getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete for good" }).click();
    await showsFigure(page, "Failed", "0");
    await page.getByText("No photo failed").waitFor();
    await visit.context.close();
  });

  test("forgets faces, runs all again, and ends an assignment, each after asking", async () => {
    const visit = await scene.visitAsOrganizer({ screen: "phone" });
    const { page } = visit;
    await page.goto(home(race, "/photos"));
    await page.getByText("Kept for selfie search").waitFor();
    await page.getByRole("button", { name: /^IMG_1001\.jpg/ }).waitFor();
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode().catch(() => {}))));
    await checkPage(visit, "dashboard-photos-phone");
    await confirm(page, "Run all again", new RegExp(`All ${PHOTOS} photos are read afresh`));
    await until(
      async () => (await scene.organizer("GET", `/admin/events/${race}/photos/summary`)).jobs.reprocess.finishedAt,
    );
    await showsFigure(page, "Ready", String(PHOTOS));
    await confirm(page, "Forget now", /No selfie finds photos of this race any more/, "Forget faces");
    await page.getByText("Forgotten", { exact: true }).waitFor();
    await confirm(page, "End: Kim Minji", /End Kim Minji's assignment\?/, "End");
    await page.getByText("Nobody is assigned yet.").waitFor();
    await visit.context.close();
  });

  test("says that all is well, and that a draft takes no entries, with any name as text", async () => {
    const visit = await scene.visitAsOrganizer();
    const { page } = visit;
    await page.goto(home(draft, "/problems"));
    await page.getByText("All is well").waitFor();
    await page.getByRole("heading", { level: 1, name: HOSTILE }).waitFor();
    await checkPage(visit, "dashboard-well-desktop");
    await page.getByRole("link", { name: "Entries" }).click();
    await page.getByText("This race takes no entries").waitFor();
    await page.getByText("Draft", { exact: true }).waitFor();
    assert.equal(await page.getByRole("link", { name: "Public page" }).count(), 0);
    await checkPage(visit, "dashboard-no-entry-desktop");
    await visit.context.close();
  });

  test("announces when it is due, and sends back what was given up on", async () => {
    const path = `/admin/events/${lottery}`;
    const { entry } = await scene.organizer("GET", path);
    const [first, second] = await requestsOf(race);
    const visit = await scene.visitAsOrganizer();
    const { page } = visit;
    // Long enough for the server to be stopped before; then nobody but the organizer announces.
    const announcedAt = new Date(Date.now() + 15_000).toISOString();
    await scene.organizer("PATCH", path, { entry: { ...entry, announcedAt } });
    await until(async () => (await scene.organizer("GET", `${path}/entry`)).announcedAt === Date.parse(announcedAt));
    await scene.restartIdle(() =>
      giveUpOn(scene, {
        entry: [first, second].map((request) => ({ eventId: race, requestId: request?.requestId ?? "" })),
        photos: [{ eventId: race, fileName: "IMG_2001.jpg" }],
      }),
    );
    await page.goto(home(lottery));
    await confirm(page, "Announce", /Every entrant sees their result at once/);
    await page.getByText("Results are out", { exact: true }).waitFor();
    await showsFigure(page, "Got a place", "10");
    await showsFigure(page, "Turned away", "14");
    await checkPage(visit, "dashboard-announced-desktop");
    await page.goto(home(race, "/problems"));
    await page.getByRole("link", { name: /Problems 3/ }).waitFor();
    const letter = page.getByRole("row").filter({ hasText: "Ticket 1" });
    await letter.getByText("The disk was full.").waitFor();
    await checkPage(visit, "dashboard-problems-desktop");
    await page.setViewportSize(SCREENS.phone.viewport);
    await checkPage(visit, "dashboard-problems-phone");
    await page.setViewportSize(SCREENS.desktop.viewport);
    await letter.getByRole("button", { name: "Look inside" }).click();
    await dialog(page)
      .getByText(first?.requestId ?? "")
      .waitFor();
    await checkPage(visit, "dashboard-letter-desktop");
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "detached" });
    await letter.getByRole("button", { name: "Send back" }).click();
    await page.getByText("1 message was sent back.").waitFor();
    await page.getByRole("link", { name: /Problems 2/ }).waitFor();
    await page.getByRole("button", { name: "Send all back" }).last().click();
    await dialog(page).getByRole("button", { name: "Send all back" }).click();
    await page.getByRole("link", { name: /Problems 1/ }).waitFor();
    await page.getByRole("row").filter({ hasText: "Ticket 2" }).getByRole("button", { name: "Send back" }).click();
    await page.getByText("All is well").waitFor();
    await visit.context.close();
  });

  test("speaks Korean", async () => {
    const visit = await scene.visitAsOrganizer({ screen: "phone", language: "ko", dark: true });
    const { page } = visit;
    await page.goto(home(race));
    await showsFigure(page, "참가 확정", String(PLACES));
    await page.getByText("순서가 바뀐 사람이 없습니다").waitFor();
    await checkPage(visit, "dashboard-entries-korean");
    await page.getByRole("button", { name: "일시 중지" }).click();
    await dialog(page).getByText("접수를 일시 중지할까요?").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "사진", exact: true }).click();
    await showsFigure(page, "완료", String(PHOTOS));
    await checkPage(visit, "dashboard-photos-korean");
    await page.getByRole("link", { name: "문제", exact: true }).click();
    await page.getByText("모두 정상입니다").waitFor();
    await visit.context.close();
  });
});
