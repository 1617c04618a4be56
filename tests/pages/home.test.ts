/** The races by their day, and the newest photos of those that are on. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { eventDay } from "../../web/src/pages/home/event-day.ts";
import { SCREENS } from "../harness/browser.ts";
import { type Api, checkPage, openPages, type PagesScene, type Screen } from "../harness/pages.ts";
import { raceDayNow } from "../harness/race-day.ts";
import { drawnRunner, sendPhotos, shot } from "../harness/sent-photos.ts";

const SENT = 2;

let scene: PagesScene;
let eventId: string;

before(async () => {
  scene = await openPages();
  const { orgId, organizer } = await scene.makeOrganization({ name: "한강 러너스" });
  eventId = await scene.makeEvent(organizer, orgId, { name: "Sunset 10K", ...raceDayNow() });
  await scene.makeEvent(organizer, orgId, { name: "Quiet 5K", ...raceDayNow() });
  await scene.makeEvent(organizer, orgId, { name: "Spring Half 2099" });
  const { jpeg } = await drawnRunner(7);
  const files = Array.from({ length: SENT }, (_, n) => shot(jpeg, { at: `2027:04:18 09:31:0${n}`, cut: 4 * n }));
  const named = (await Promise.all(files)).map((bytes, n) => ({ name: `IMG_${n}.jpg`, bytes }));
  await sendPhotos(organizer, eventId, named);
  await untilShown(organizer);
});
after(() => scene?.close());

async function untilShown(api: Api): Promise<void> {
  for (const deadline = Date.now() + 90_000; ; await delay(200)) {
    const { items } = await api("GET", `/events/${eventId}/photos`);
    if (items.length === SENT) return;
    assert.ok(Date.now() < deadline, `${items.length} of ${SENT} photos are there`);
  }
}

for (const screen of Object.keys(SCREENS) as Screen[]) {
  test(`on a ${screen}, today's races come first, with their newest photos`, async () => {
    const visit = await scene.visit({ screen });
    const { page } = visit;
    await page.goto("/");
    const card = page.getByRole("listitem").filter({ hasText: "Sunset 10K" });
    await card.getByText("Photos are here").waitFor();
    await page.getByRole("listitem").filter({ hasText: "Quiet 5K" }).getByText("Photos appear here").waitFor();
    assert.deepEqual(await page.getByRole("heading", { level: 2 }).allTextContents(), ["Today", "Coming up"]);
    const ahead = page.getByRole("listitem").filter({ hasText: "Spring Half 2099" });
    assert.equal(await ahead.getByText("Photos").count(), 0, "a race that is ahead has no place for photos");
    const pictures = card.locator("img");
    assert.equal(await pictures.count(), SENT);
    await pictures.first().evaluate((image: HTMLImageElement) => image.decode());
    await checkPage(visit, `home-photos-${screen}`);
    // They lie over the card's link and must leave it its clicks.
    const box = await pictures.first().boundingBox();
    assert.ok(box);
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await page.waitForURL(`**/events/${eventId}`);
    await visit.context.close();
  });
}

test("a race's day begins and ends where the race is", () => {
  const seoul = { date: "2027-04-18", timeZone: "Asia/Seoul" };
  const on = (time: string) => eventDay(seoul, new Date(time));
  assert.equal(on("2027-04-17T14:59:59Z"), "ahead");
  assert.equal(on("2027-04-17T15:00:00Z"), "here");
  assert.equal(on("2027-04-18T14:59:59Z"), "here");
  assert.equal(on("2027-04-18T15:00:00Z"), "over");
});
