/** The organizer's way from nothing to a published race: organization, look, settings, roster, watermark zones. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { accentColours } from "../../web/src/theme/accent.ts";
import {
  chooseFile,
  drag,
  forgiven,
  look,
  makeOwnEvent,
  signInAtOrganizer,
  touchDrag,
  untilShown,
} from "../harness/organizer-page.ts";
import { type Api, openPages, type PagesScene, type Visit } from "../harness/pages.ts";
import { drawnRunner, sendPhotos } from "../harness/sent-photos.ts";

const HOSTILE = '<img src=x onerror="alert(1)">';
const BAD_CSV = [
  "bib,name,age,finish_time",
  "1,Minji Kim,31,03:25:10",
  `2,${HOSTILE.replaceAll('"', "")},31,`,
  "3,Juno Lee,abc,25 minutes",
  "2,Mina Park,28,",
  ",Nobody,28,",
  "6,Too,many,cells,here",
].join("\r\n");
const GOOD_CSV = ["bib,name,age,finish_time", "1,Minji Kim,31,03:25:10", "2,Juno Lee,45,", "10KM,Odd One,20,"].join(
  "\n",
);

let scene: PagesScene;
let operator: Api;

before(async () => {
  scene = await openPages();
  operator = scene.as({ operator: true });
});
after(() => scene?.close());

test("a new organizer signs in, makes and brands an organization, makes a race and publishes it", async () => {
  const visit = await scene.visit();
  const { page } = visit;
  await signInAtOrganizer(visit, "mina@example.com");
  await page.getByRole("heading", { name: "Let's set up your race" }).waitFor();
  await page.getByLabel("Organization's name").fill("한강 러너스");
  assert.equal(await page.getByLabel("Short name for addresses").inputValue(), "hangang-reoneoseu");
  await page.getByLabel("Organization's name").fill("Han River Runners");
  assert.equal(await page.getByLabel("Short name for addresses").inputValue(), "han-river-runners");
  await look(visit, "organizer-start-desktop");
  await page.getByRole("button", { name: "Make the organization" }).click();
  await page.getByRole("heading", { name: "Han River Runners" }).waitFor();
  await page.getByRole("link", { name: "Organize", exact: true }).waitFor();
  await brand(visit, "#0a7d5a");
  await look(visit, "organizer-organization-desktop");
  await page.getByRole("link", { name: "New race" }).click();
  const eventId = await makeRace(visit, "Han River 10K");
  const { orgId } = await operator("GET", `/admin/events/${eventId}`);
  assert.equal((await operator("GET", `/admin/organizations/${orgId}`)).branding.accentColor, "#0a7d5a");
  await page.goto("/");
  assert.equal(await page.getByRole("link", { name: "Han River 10K" }).count(), 0, "a draft is on the home page");
  await page.goto(`/organizer/events/${eventId}/settings`);
  await page.getByRole("button", { name: "Publish" }).click();
  await page.getByRole("heading", { name: "The race is published" }).waitFor();
  await page.goto("/");
  const card = page.getByRole("listitem").filter({ has: page.getByRole("link", { name: "Han River 10K" }) });
  await card.waitFor();
  const { fill } = accentColours("#0a7d5a") ?? {};
  assert.equal(await backgroundOf(card.locator("span").first()), rgbOf(fill));
  await page.goto("/organizer");
  await page.getByText("Published").waitFor();
  await look(visit, "organizer-home-desktop");
  await visit.context.close();
});

test("a file with errors shows them at their rows, and once mended it is imported", async () => {
  const { eventId, email } = await makeOwnEvent(scene);
  const visit = await scene.visit({ email });
  const { page } = visit;
  await page.goto(`/organizer/events/${eventId}/runners`);
  await page.getByRole("heading", { name: "No runners yet" }).waitFor();
  await look(visit, "organizer-no-runners-desktop");
  await page.getByRole("button", { name: "Import a file" }).first().click();
  await look(visit, "organizer-import-desktop");
  await chooseFile(page, "runners.csv", BAD_CSV);
  await page.getByText("5 things are wrong in the file").waitFor();
  const table = page.getByRole("table", { name: "Rows that are wrong" });
  const marked = await table.locator("mark").allTextContents();
  assert.deepEqual(marked, ["abc", "25 minutes", "2", "–"]);
  assert.deepEqual(await table.locator("li").allTextContents(), [
    "An age is a whole number from 0 to 130.",
    "A time is written as 03:25:10.",
    "Bib 2 is also on line 3.",
    "The bib is missing.",
    "This row has 5 cells, the first line has 4.",
  ]);
  assert.ok(await table.getByText("<img src=x onerror=alert(1)>").isVisible(), "a hostile name is shown as text");
  await look(forgiven(visit), "organizer-import-errors-desktop");
  assert.deepEqual((await operator("GET", `/admin/events/${eventId}/runners`)).items, []);
  await chooseFile(page, "runners.csv", GOOD_CSV);
  await page.getByText("All 3 rows are fine.").waitFor();
  await page.getByText("1 bib does not fit the bib pattern").waitFor();
  await look(visit, "organizer-import-fine-desktop");
  await page.getByRole("button", { name: "Import 3 runners" }).click();
  await page.getByRole("cell", { name: "Minji Kim" }).waitFor();
  await rosterByHand(visit);
  await visit.context.close();
});

/** Add, find, edit and remove one, and export all. */
async function rosterByHand({ page, complaints }: Visit): Promise<void> {
  await page.getByRole("button", { name: "Add a runner" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Bib").fill("1");
  await dialog.getByLabel("Name").fill(HOSTILE);
  await dialog.getByRole("button", { name: "Add a runner" }).click();
  const refused = dialog.getByText("Another runner has this bib.");
  const lookAtFields = dialog.getByText("Not saved. Look at the fields that are marked.");
  for (const told of [refused, lookAtFields]) await told.waitFor();
  await dialog.getByLabel("Bib").fill("777");
  for (const told of [refused, lookAtFields]) await told.waitFor({ state: "hidden" });
  await dialog.getByRole("button", { name: "Add a runner" }).click();
  await page.getByRole("cell", { name: HOSTILE }).waitFor();
  await page.getByLabel("Find a bib").fill("778");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("heading", { name: "No runner has bib 778" }).waitFor();
  await page.getByLabel("Find a bib").fill("777");
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("button", { name: "Edit bib 777" }).click();
  await dialog.getByLabel("Team").fill("Night Owls");
  await dialog.getByRole("button", { name: "Save" }).click();
  await page.getByRole("cell", { name: "Night Owls" }).waitFor();
  complaints.length = 0;
  await look({ page, complaints, context: page.context() }, "organizer-runners-desktop");
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Export" }).click();
  assert.match((await download).suggestedFilename(), /^runners-.+\.csv$/);
  await page.getByRole("button", { name: "Remove bib 777" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByRole("heading", { name: "No runner has bib 777" }).waitFor();
  complaints.length = 0;
}

test("watermark zones are drawn, moved and resized on a photo, and settings survive a reload", async () => {
  const { eventId, email, organizer } = await makeOwnEvent(scene, { published: false });
  const { jpeg } = await drawnRunner(7, 800);
  await sendPhotos(organizer, eventId, [{ name: "IMG_1.jpg", bytes: jpeg }]);
  await untilShown(organizer, eventId);
  const visit = await scene.visit({ email });
  const { page } = visit;
  await page.goto(`/organizer/events/${eventId}/settings`);
  const stage = page.getByRole("group", { name: "Sample photo with watermark zones" });
  await stage.getByRole("img", { name: "A photo of the race" }).waitFor();
  await page.getByRole("button", { name: "Remove zone 2" }).click();
  await page.getByRole("button", { name: "Remove zone 1" }).click();
  await drag(page, stage, [0.1, 0.2], [0.4, 0.5]);
  await stage
    .getByRole("button", { name: "Zone 1: 10 % from the left, 20 % from the top, 30 % wide, 30 % high" })
    .waitFor();
  await drag(page, stage, [0.25, 0.35], [0.45, 0.35]);
  await drag(page, stage, [0.6, 0.5], [0.7, 0.6]);
  const zone = stage.getByRole("button", { name: /^Zone 1/ });
  await zone.focus();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Shift+ArrowLeft");
  assert.equal(
    await zone.getAttribute("aria-label"),
    "Zone 1: 30 % from the left, 19 % from the top, 39 % wide, 40 % high",
  );
  await page.getByLabel("Zone 1: Width, in percent").fill("25.5");
  await page.getByLabel("Bib pattern").fill("[0-9]{4}");
  await look(visit, "organizer-settings-desktop");
  await page.getByRole("link", { name: "Organize", exact: true }).click();
  await page
    .getByRole("alertdialog", { name: "Leave without saving?" })
    .getByRole("button", { name: "Cancel" })
    .click();
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("All changes are saved.").waitFor();
  const { photos } = await organizer("GET", `/admin/events/${eventId}`);
  assert.deepEqual(photos.watermarkZones, [{ left: 0.3, top: 0.19, width: 0.255, height: 0.4 }]);
  assert.equal(photos.bibPattern, "[0-9]{4}");
  await page.reload();
  assert.equal(await page.getByLabel("Zone 1: Width, in percent").inputValue(), "25.5");
  assert.equal(await page.getByLabel("Bib pattern").inputValue(), "[0-9]{4}");
  await zone.focus();
  await page.keyboard.press("Delete");
  assert.equal(await page.getByRole("button", { name: /^Zone / }).count(), 0);
  await visit.context.close();
});

test("what entrants relied on is refused at its field", async () => {
  const opensAt = new Date(Date.now() - 60_000).toISOString();
  const { eventId, email } = await makeOwnEvent(scene, {
    entry: { eventType: "FIRST_COME", capacityTotal: 50, opensAt },
  });
  await enter(eventId);
  const visit = await scene.visit({ email });
  const { page } = visit;
  await page.goto(`/organizer/events/${eventId}/settings`);
  await page.getByRole("radio", { name: "Lottery" }).check();
  await page.getByRole("button", { name: "Save" }).click();
  const group = page.getByRole("group", { name: "How places are given" });
  await group.getByText("People have entered already").waitFor();
  await look(forgiven(visit), "organizer-refused-desktop");
  await page.getByRole("button", { name: "Discard" }).click();
  assert.ok(await page.getByRole("radio", { name: "First come" }).isChecked());
  await page.getByLabel("Race's name").fill("Renamed 10K");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Renamed 10K" }).waitFor();
  const stored = await operator("GET", `/admin/events/${eventId}`);
  assert.equal(stored.entry.opensAt, opensAt, "a time that nobody touched stays to the millisecond");
  await visit.context.close();
});

/** The place in line may take a moment to be opened after the event is made. */
async function enter(eventId: string): Promise<void> {
  const runner = scene.as({ userId: "u_runner" });
  for (let tries = 1; ; tries += 1) {
    try {
      return await runner("POST", `/events/${eventId}/participations`);
    } catch (error) {
      if (tries === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

test("organizers and photographers come and go; removing asks for the name", async () => {
  const { eventId, email, orgId } = await makeOwnEvent(scene, { name: HOSTILE });
  const visit = await scene.visit({ email, dark: true });
  const { page } = visit;
  await page.goto(`/organizer/organizations/${orgId}`);
  await page.getByLabel("E-mail address of a new organizer").fill("juno@example.com");
  await page.getByRole("button", { name: "Add", exact: true }).click();
  await page.getByText("juno@example.com", { exact: true }).waitFor();
  await registerPhotographer(page);
  await look(visit, "organizer-organization-desktop-dark");
  await page.getByRole("button", { name: "Edit Minji Kim Photo" }).click();
  await page.getByRole("dialog").getByLabel("Instagram").fill("@minji.runs");
  await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await page.getByText("@minji.runs").waitFor();
  await page.getByRole("button", { name: "Remove Minji Kim Photo" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("No photographers yet").waitFor();
  await page.getByRole("button", { name: "Remove juno@example.com" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click();
  await page.getByText("juno@example.com", { exact: true }).waitFor({ state: "detached" });
  await page.goto(`/organizer/events/${eventId}/settings`);
  await removeByName(page, "Remove the race", HOSTILE);
  await page.getByText("No races yet").waitFor();
  await page.goto(`/organizer/organizations/${orgId}`);
  await removeByName(page, "Remove the organization", (await operator("GET", `/admin/organizations/${orgId}`)).name);
  await page.getByRole("heading", { name: "Let's set up your race" }).waitFor();
  await visit.context.close();
});

async function registerPhotographer(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Register a photographer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Kim Minji");
  await dialog.getByLabel("Name beside the photos").fill("Minji Kim Photo");
  await dialog.getByRole("button", { name: "Register a photographer" }).click();
  await page.getByText("Minji Kim Photo", { exact: true }).waitFor();
}

async function removeByName(page: Page, action: string, name: string): Promise<void> {
  await page.getByRole("button", { name: action }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Its name").fill("something else");
  await dialog.getByRole("button", { name: "Remove for good" }).click();
  await dialog.getByText("That is another name.").waitFor();
  await dialog.getByLabel("Its name").fill(name);
  await dialog.getByRole("button", { name: "Remove for good" }).click();
  await page.waitForURL("**/organizer");
}

test("on a phone, with a finger, in the dark", async () => {
  const { eventId, email, orgId, organizer } = await makeOwnEvent(scene, { name: `Race ${HOSTILE}` });
  await organizer("POST", `/admin/events/${eventId}/runners/import`, GOOD_CSV);
  const visit = await scene.visit({ email, screen: "phone", dark: true });
  const { page } = visit;
  await page.goto("/organizer");
  await page.getByRole("link", { name: `Race ${HOSTILE}` }).waitFor();
  await look(visit, "organizer-home-phone-dark");
  await page.goto(`/organizer/organizations/${orgId}`);
  await page.getByRole("heading", { name: "Name and look" }).waitFor();
  await look(visit, "organizer-organization-phone-dark");
  await page.goto(`/organizer/organizations/${orgId}/new-event`);
  await page.getByRole("radio", { name: "Lottery" }).check();
  await look(visit, "organizer-new-event-phone-dark");
  await page.goto(`/organizer/events/${eventId}/runners`);
  await page.getByRole("cell", { name: "Minji Kim" }).waitFor();
  await look(visit, "organizer-runners-phone-dark");
  await page.goto(`/organizer/events/${eventId}/settings`);
  const stage = page.getByRole("group", { name: "Sample photo with watermark zones" });
  await stage.scrollIntoViewIfNeeded();
  await touchDrag(page, stage, [0.3, 0.3], [0.6, 0.5]);
  await stage.getByRole("button", { name: /^Zone 3: 30(\.\d)? % from the left/ }).waitFor();
  await look(visit, "organizer-settings-phone-dark");
  await visit.context.close();
});

test("in Korean", async () => {
  const { eventId, email } = await makeOwnEvent(scene, { name: "한강 10K" }, { name: "한강 러너스" });
  const visit = await scene.visit({ email, language: "ko", screen: "phone" });
  const { page } = visit;
  await page.goto("/organizer");
  await page.getByText("공개됨").waitFor();
  await look(visit, "organizer-home-korean");
  await page.goto(`/organizer/events/${eventId}/settings`);
  await page.getByText("모든 변경을 저장했습니다.").waitFor();
  await page.getByLabel("모집 인원").fill("0");
  await page.getByRole("button", { name: "저장" }).click();
  await page.getByText("1부터 1,000,000까지의 정수여야 합니다.").waitFor();
  await look(forgiven(visit), "organizer-settings-korean");
  await page.getByRole("button", { name: "변경 취소" }).click();
  await page.goto(`/organizer/events/${eventId}/runners`);
  await page.getByRole("button", { name: "파일 가져오기" }).first().click();
  await chooseFile(page, "명단.csv", "배번,이름,나이\n1,김민지,서른\n1,이준호,45\n");
  await page.getByText("배번 1은(는) 2번째 줄에도 있습니다.").waitFor();
  await look(forgiven(visit), "organizer-import-errors-korean");
  await chooseFile(
    page,
    "옛날.csv",
    Buffer.from([...Buffer.from("bib,name\n1,"), 0xb1, 0xe8, 0xb9, 0xce, 0xc1, 0xf6, 0x0a]),
  );
  await page.getByRole("button", { name: "한글 윈도우 파일(EUC-KR)로 읽기" }).click();
  await page.getByRole("button", { name: "1명 가져오기" }).click();
  await page.getByRole("cell", { name: "김민지" }).waitFor();
  await visit.context.close();
});

/** Ends on the settings of a draft. */
async function makeRace(visit: Visit, name: string): Promise<string> {
  const { page } = visit;
  await page.getByLabel("Race's name").fill(name);
  await page.getByLabel("Place", { exact: true }).fill("Yeouido Park, Seoul");
  await page.getByLabel("Time zone").selectOption("Asia/Seoul");
  await page.getByLabel("Places", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Make the race" }).click();
  await page.getByText("A whole number from 1 to 1,000,000.").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-invalid")), "true");
  await page.getByLabel("Places", { exact: true }).fill("300");
  await page.getByLabel("Letter before it").fill("a");
  await page.getByLabel("First number").fill("101");
  await page.getByText("A0101").waitFor();
  await look(forgiven(visit), "organizer-new-event-desktop");
  await page.getByRole("button", { name: "Make the race" }).click();
  await page.waitForURL("**/organizer/events/*/settings");
  await page.getByText("Only organizers see it.").waitFor();
  const eventId = /events\/([^/]+)\/settings/.exec(page.url())?.[1] ?? "";
  const { entry, published } = await operator("GET", `/admin/events/${eventId}`);
  assert.deepEqual([published, entry.capacityTotal, entry.bibFormat, entry.bibStart], [false, 300, "A0000", 101]);
  // Ten in the morning in Seoul, whatever zone this browser is in.
  assert.match(entry.opensAt, /T01:00:00\.000Z$/);
  return eventId;
}

async function brand(visit: Visit, colour: string): Promise<void> {
  const { page } = visit;
  await page.getByLabel("Colour as code").fill(colour);
  await page.getByLabel("Website", { exact: true }).fill("example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("A web address begins with https://").waitFor();
  await page.getByLabel("Website", { exact: true }).fill("https://example.com");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("All changes are saved.").waitFor();
  forgiven(visit);
}

function rgbOf(hex = ""): string {
  return `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(", ")})`;
}

function backgroundOf(locator: Locator): Promise<string> {
  return locator.evaluate((element) => getComputedStyle(element).backgroundColor);
}
