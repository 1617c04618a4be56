/** Finding photos, as runners do: by bib and by selfie, one in front, many in a ZIP, on a desk and on a phone. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SCREENS } from "../harness/browser.ts";
import { checkPage, type Screen, type Visit } from "../harness/pages.ts";
import { sendPhotos, shot } from "../harness/sent-photos.ts";
import {
  blankWall,
  choosePicture,
  shiftOf,
  tile,
  ulidsIn,
  untilLoaded,
  untilSharp,
  watchShifts,
  zipCount,
} from "./photo-tiles.ts";
import { FILES, HOSTILE, OF_RUNNER, openPhotoPages, PHOTOGRAPHER, type PhotoPages } from "./photos-scene.ts";

const SELFIE_WORDS = {
  en: {
    open: "Find by selfie",
    take: "Take a selfie",
    choose: "Choose a picture",
    noFace: "There is no face in the picture",
    gone: "The selfie is gone",
  },
  ko: {
    open: "셀카로 찾기",
    take: "셀카 찍기",
    choose: "사진 고르기",
    noFace: "사진에서 얼굴을 찾지 못했습니다",
    gone: "셀카가 남아 있지 않습니다",
  },
};
const PATIENCE = { timeout: 30_000 };
/** From a photo that is sent to one that is seen, on a machine with much else to do. */
const ARRIVAL = { timeout: 90_000 };

describe("finding photos", { concurrency: false }, () => {
  let scene: PhotoPages;
  let address: string;
  before(async () => {
    scene = await openPhotoPages();
    address = `/events/${scene.eventId}/photos`;
  });
  after(() => scene?.close());

  const visiting = async (options: Parameters<PhotoPages["visit"]>[0], walk: (visit: Visit) => Promise<void>) => {
    const visit = await scene.visit(options);
    visit.page.setDefaultTimeout(PATIENCE.timeout);
    await visit.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    try {
      await walk(visit);
    } finally {
      await visit.context.close();
    }
  };

  for (const screen of Object.keys(SCREENS) as Screen[]) {
    for (const dark of [false, true]) {
      test(`all of a race, newest first, on a ${screen}, ${dark ? "dark" : "light"}`, () =>
        visiting({ screen, dark }, async (visit) => {
          const { page } = visit;
          await watchShifts(page);
          await page.goto(address);
          await page.getByText(`Han River 10K ${HOSTILE}`).waitFor();
          await untilLoaded(page, FILES);
          const shown = await ulidsIn(page);
          assert.deepEqual(
            shown,
            scene.photos.map(({ ulid }) => ulid),
          );
          assert.ok((await shiftOf(page)) < 0.05, "the page jumped");
          await checkPage(visit, `photos-all-${screen}-${dark ? "dark" : "light"}`);
        }));
    }
  }

  test("a bib's photos, and all of them as one ZIP", () =>
    visiting({ screen: "desktop" }, async (visit) => {
      const { page } = visit;
      await page.goto(address);
      await page.getByLabel("Bib number").fill(` ${scene.bib} `);
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/photos?bib=${scene.bib}`);
      await page.getByRole("heading", { level: 1, name: `Bib ${scene.bib}` }).waitFor();
      await page.getByText(`${OF_RUNNER} photos`, { exact: true }).waitFor();
      await untilLoaded(page, OF_RUNNER);
      assert.match(
        (await tile(page, 0).getAttribute("aria-label")) ?? "",
        new RegExp(`^Bib ${scene.bib}, 9:31:03.*Minji`),
      );
      await checkPage(visit, "photos-bib-desktop");
      assert.equal(await zipCount(page, page.getByRole("link", { name: "Download all" })), OF_RUNNER);
    }));

  test("a mistyped bib leads to what was meant; what is no bib shows as text", () =>
    visiting({ screen: "phone", language: "ko" }, async (visit) => {
      const { page } = visit;
      const [a, b, c, d] = scene.bib;
      await page.goto(`${address}?bib=${a}${b}${d}${c}`);
      await page.getByText("참가자 명단에 없는 배번입니다").waitFor();
      await checkPage(visit, "photos-near-misses-phone-ko");
      await page.getByRole("link", { name: scene.bib }).click();
      await untilLoaded(page, OF_RUNNER);
      await page.getByLabel("배번", { exact: true }).fill(HOSTILE);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 2, name: HOSTILE }).waitFor();
      assert.equal(await page.locator("img[src='x']").count(), 0);
      await checkPage(visit, "photos-no-bib-phone-ko");
    }));

  for (const [screen, language] of [
    ["desktop", "en"],
    ["phone", "ko"],
  ] as const) {
    test(`a selfie, after consent, on a ${screen}`, () =>
      visiting({ screen, language }, async (visit) => {
        const { page } = visit;
        const words = SELFIE_WORDS[language];
        await page.goto(address);
        await page.getByRole("button", { name: words.open }).click();
        const dialog = page.getByRole("dialog");
        const choose = dialog.getByRole("button", { name: words.choose });
        assert.ok(await choose.isDisabled(), "nothing is sent without consent");
        assert.equal(await dialog.getByRole("button", { name: words.take }).count(), screen === "phone" ? 1 : 0);
        await checkPage(visit, `photos-selfie-${screen}`);
        await dialog.getByRole("checkbox").check();
        await choosePicture(page, choose, { name: "wall.jpg", buffer: await blankWall() });
        await dialog.getByRole("alert").getByText(words.noFace).waitFor();
        await choosePicture(page, choose, { name: "me.jpg", buffer: scene.selfie });
        await page.waitForURL("**/photos?by=selfie");
        await untilLoaded(page, 1);
        assert.deepEqual(await ulidsIn(page), [scene.photos.at(-1)?.ulid]);
        visit.complaints.splice(0);
        await checkPage(visit, `photos-selfie-found-${screen}`);
        await page.reload();
        await page.getByRole("heading", { name: words.gone }).waitFor();
        await page.goBack();
        await untilLoaded(page, FILES);
      }));
  }

  test("one in front: by keyboard, with its own address, and back", () =>
    visiting({ screen: "desktop" }, async (visit) => {
      const { page } = visit;
      await page.goto(address);
      await untilLoaded(page, FILES);
      const ulids = await ulidsIn(page);
      await tile(page, 0).focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Enter");
      await page.waitForURL(`**/photos?photo=${ulids[1]}`);
      const viewer = page.getByRole("dialog", { name: "Photo" });
      await viewer.getByText(`2 of ${FILES}`).waitFor();
      await page.keyboard.press("ArrowRight");
      await page.waitForURL(`**/photos?photo=${ulids[2]}`);
      await page.keyboard.press("ArrowLeft");
      await page.waitForURL(`**/photos?photo=${ulids[1]}`);
      await viewer.getByRole("link", { name: `Minji ${HOSTILE}` }).waitFor();
      await untilSharp(page);
      await checkPage(visit, "photos-viewer-desktop");
      await page.keyboard.press("Escape");
      await viewer.waitFor({ state: "detached" });
      assert.equal(new URL(page.url()).search, "");
      await page.waitForFunction((ulid) => document.activeElement?.getAttribute("data-ulid") === ulid, ulids[1]);
      await page.keyboard.press("Enter");
      await viewer.waitFor();
      await page.goBack();
      await viewer.waitFor({ state: "detached" });
      assert.equal(new URL(page.url()).search, "");
    }));

  test("a link to one in front opens it, and shares and saves it, on a phone", () =>
    visiting({ screen: "phone" }, async (visit) => {
      const { page } = visit;
      const [, { ulid } = { ulid: "" }] = scene.photos;
      await page.goto(`${address}?bib=${scene.bib}&photo=${ulid}`);
      const viewer = page.getByRole("dialog", { name: "Photo" });
      await viewer.getByText(`2 of ${OF_RUNNER}`).waitFor();
      await untilSharp(page);
      await checkPage(visit, "photos-viewer-phone");
      await viewer.getByRole("button", { name: "Share" }).click();
      await page.getByText("Link copied.").waitFor();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      assert.equal(copied, `${scene.server.url}${address}/${ulid}`);
      const saving = page.waitForEvent("download");
      await viewer.getByRole("link", { name: "Download this photo" }).click();
      assert.match((await saving).suggestedFilename(), /\.jpg$/);
      await viewer.getByRole("button", { name: "Close the photo" }).click();
      await viewer.waitFor({ state: "detached" });
      await page.waitForURL(`**/photos?bib=${scene.bib}`);
    }));

  for (const screen of Object.keys(SCREENS) as Screen[]) {
    test(`a shared photo's own page, on a ${screen}`, () =>
      visiting({ screen, dark: screen === "phone" }, async (visit) => {
        const { page } = visit;
        await watchShifts(page);
        await page.goto(`${address}/${scene.photos[1]?.ulid}`);
        await page.getByText("Apr 18, 2027, 9:31 AM").waitFor();
        await page.getByText("Canon EOS R6").waitFor();
        await page.getByText(`Minji ${HOSTILE}`).waitFor();
        await page.locator("article img").evaluate((image: HTMLImageElement) => image.decode());
        assert.ok((await shiftOf(page)) < 0.05, "the page jumped");
        await checkPage(visit, `photos-photo-${screen}`);
        await page.getByRole("link", { name: `All photos of bib ${scene.bib}` }).click();
        await page.waitForURL(`**/photos?bib=${scene.bib}`);
        await untilLoaded(page, OF_RUNNER);
      }));
  }

  test("a link to a photo that is gone says so", () =>
    visiting({ screen: "phone" }, async ({ page }) => {
      await page.goto(`${address}/01ARZ3NDEKTSV4RRFFQ69G5FAV`);
      await page.getByText("There is no such photo").waitFor();
      await page.goto(`${address}?photo=01ARZ3NDEKTSV4RRFFQ69G5FAV`);
      await page.getByText("That photo is gone").waitFor();
      await page.waitForURL(`**${address}`);
    }));

  test("many chosen, by mouse and by keyboard, as one ZIP", () =>
    visiting({ screen: "desktop" }, async (visit) => {
      const { page } = visit;
      await page.goto(address);
      await untilLoaded(page, FILES);
      const boxes = page.getByRole("checkbox");
      await tile(page, 0).hover();
      await boxes.nth(0).click();
      await boxes.nth(3).click({ modifiers: ["Shift"] });
      await page.getByText("4 selected").first().waitFor();
      await boxes.nth(1).focus();
      await page.keyboard.press("Space");
      await tile(page, 5).focus();
      await page.keyboard.press("x");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("x");
      await page.getByText("5 selected").first().waitFor();
      await checkPage(visit, "photos-select-desktop");
      assert.equal(await zipCount(page, page.getByRole("link", { name: "Download ZIP" })), 5);
      await tile(page, 0).focus();
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Download ZIP" }).waitFor({ state: "detached" });
    }));

  test("a finger chooses after it said so, and opens otherwise", () =>
    visiting({ screen: "phone" }, async (visit) => {
      const { page } = visit;
      await page.goto(address);
      await untilLoaded(page, 1);
      await page.getByRole("button", { name: "Select", exact: true }).tap();
      await tile(page, 0).tap();
      await tile(page, 1).tap();
      await page.getByText("2 selected").first().waitFor();
      await checkPage(visit, "photos-select-phone");
      await page.getByRole("button", { name: "Clear the selection" }).tap();
      await tile(page, 0).tap();
      await page.getByRole("dialog", { name: "Photo" }).waitFor();
    }));

  for (const screen of Object.keys(SCREENS) as Screen[]) {
    test(`a photographer's own page, on a ${screen}`, () =>
      visiting({ screen }, async (visit) => {
        const { page } = visit;
        await page.goto(`/photographers/${PHOTOGRAPHER}`);
        await page.getByRole("heading", { level: 1, name: `Minji ${HOSTILE}` }).waitFor();
        const instagram = page.getByRole("link", { name: "minji.runs on Instagram" });
        assert.equal(await instagram.getAttribute("href"), "https://www.instagram.com/minji.runs/");
        await page.getByRole("heading", { level: 2, name: `Han River 10K ${HOSTILE}` }).waitFor();
        await untilLoaded(page, 4);
        await checkPage(visit, `photos-portfolio-${screen}`);
        await tile(page, 0).click();
        await page.waitForURL(`**/photos?photographer=${PHOTOGRAPHER}&photo=*`);
        await page.getByRole("dialog", { name: "Photo" }).waitFor();
      }));
  }

  test("one's own page gathers one's photos", () =>
    visiting({ screen: "phone", email: "mina@example.com" }, async (visit) => {
      const { page, context } = visit;
      const { userId } = await (await context.request.get("/api/me")).json();
      await scene.organizer("PATCH", `/admin/events/${scene.eventId}/runners/${scene.bib}`, { userId });
      await page.goto("/me");
      await page.getByRole("heading", { name: "My photos" }).waitFor();
      const photos = page.getByRole("listitem").getByRole("img", { name: `Bib ${scene.bib}` });
      await photos.nth(OF_RUNNER - 1).waitFor();
      assert.equal(await photos.count(), OF_RUNNER);
      await checkPage(visit, "photos-mine-phone");
      await page.getByRole("link", { name: `All photos of bib ${scene.bib}` }).click();
      await page.waitForURL(`**/photos?bib=${scene.bib}`);
    }));

  test("addresses that have expired are asked for anew", () =>
    visiting({ screen: "phone" }, async ({ page }) => {
      let reads = 0;
      await page.route(`**/api${address}?**`, async (route) => {
        const answer = await route.fetch();
        reads += 1;
        const old = (await answer.text()).replaceAll("thumbnail.jpg?expires=1", "thumbnail.jpg?expires=0");
        await (reads === 1 ? route.fulfill({ response: answer, body: old }) : route.fulfill({ response: answer }));
      });
      await page.goto(address);
      await untilLoaded(page, 4);
      assert.ok(reads > 1);
    }));

  test("new photos come by themselves; who looks further down is told and not moved", () =>
    visiting({ screen: "phone" }, async (visit) => {
      const { page } = visit;
      await page.goto(address);
      await untilLoaded(page, 4);
      await send(scene, "late-1.jpg", 24);
      await page.getByRole("link", { name: "10:00:24 AM" }).waitFor(ARRIVAL);
      assert.match((await tile(page, 0).getAttribute("aria-label")) ?? "", /10:00:24 AM/);
      await page.setViewportSize({ width: 390, height: 300 });
      await page.evaluate(() => scrollTo(0, 400));
      const top = await tile(page, 3).evaluate((element) => element.getBoundingClientRect().top);
      await send(scene, "late-2.jpg", 28);
      const news = page.getByRole("button", { name: "1 new photo" });
      await news.waitFor(ARRIVAL);
      assert.equal(await tile(page, 3).evaluate((element) => element.getBoundingClientRect().top), top);
      await checkPage(visit, "photos-news-phone");
      await news.click();
      await page.getByRole("link", { name: "10:00:28 AM" }).waitFor();
      await page.waitForFunction(() => scrollY === 0);
    }));
});

async function send({ organizer, eventId, runner }: PhotoPages, name: string, cut: number): Promise<void> {
  const bytes = await shot(runner, { at: `2027:04:18 10:00:${cut}`, cut });
  await sendPhotos(organizer, eventId, [{ name, bytes }], PHOTOGRAPHER);
}
