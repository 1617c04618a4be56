/** What an organizer does at the pages, for the tests that watch it: signing in there, choosing files, drawing with mouse and finger. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { type Api, checkPage, codeInInbox, type PagesScene, type Visit } from "./pages.ts";

const PATIENCE_MS = 90_000;

export type OwnEvent = { eventId: string; orgId: string; email: string; organizer: Api };

/** An organization with one event, and an organizer who can sign in at the pages. */
export async function makeOwnEvent(
  scene: PagesScene,
  settings: object = {},
  organization: object = {},
): Promise<OwnEvent> {
  const { orgId, organizer } = await scene.makeOrganization(organization);
  const email = `organizer-of-${orgId}@example.com`;
  await organizer("PUT", `/admin/organizations/${orgId}/organizers/${email}`);
  const entry = { eventType: "FIRST_COME", capacityTotal: 100, opensAt: "2098-01-01T01:00:00.000Z" };
  const eventId = await scene.makeEvent(organizer, orgId, { entry, ...settings });
  return { eventId, orgId, email, organizer };
}

/** Until a photo is there to be seen; what is read in it does not matter here. */
export async function untilShown(organizer: Api, eventId: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while ((await organizer("GET", `/events/${eventId}/photos`)).items.length === 0) {
    assert.ok(Date.now() < deadline, "there is no photo yet");
    await sleep(200);
  }
}

export async function signInAtOrganizer({ page, context }: Visit, email: string): Promise<void> {
  await page.goto("/organizer");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Six-digit code").waitFor();
  await page.getByLabel("Six-digit code").fill(await codeInInbox(context, email));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/organizer");
}

/** From the top: what sticks to the window's edge would lie over the middle of the picture. */
export async function look(visit: Visit, name: string): Promise<void> {
  await visit.page.evaluate(() => scrollTo(0, 0));
  await checkPage(visit, name);
  // Phones zoom out from a page that is too wide, and then it does not scroll sideways.
  const width = await visit.page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(width <= (visit.page.viewportSize()?.width ?? 0), `the page is ${width} wide`);
}

/** Browsers complain about every answer that refuses something. */
export function forgiven(visit: Visit): Visit {
  const others = visit.complaints.filter((text) => !/status of 4\d\d/.test(text));
  visit.complaints.splice(0, visit.complaints.length, ...others);
  return visit;
}

export async function chooseFile(page: Page, name: string, content: string | Buffer): Promise<void> {
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(content) };
  await page.locator("input[type=file]").setInputFiles(file);
}

/** Shares of the picture's width and height. */
export type Spot = [x: number, y: number];

export async function drag(page: Page, stage: Locator, from: Spot, to: Spot): Promise<void> {
  const [start, end] = await spotsOn(stage, from, to);
  await page.mouse.move(...start);
  await page.mouse.down();
  await page.mouse.move(...end, { steps: 5 });
  await page.mouse.up();
}

export async function touchDrag(page: Page, stage: Locator, from: Spot, to: Spot): Promise<void> {
  const [start, end] = await spotsOn(stage, from, to);
  const cdp = await page.context().newCDPSession(page);
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", spots: Spot[]) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints: spots.map(([x, y]) => ({ x, y })) });
  await touch("touchStart", [start]);
  await touch("touchMove", [[(start[0] + end[0]) / 2, (start[1] + end[1]) / 2]]);
  await touch("touchMove", [end]);
  await touch("touchEnd", []);
  await cdp.detach();
}

async function spotsOn(stage: Locator, ...spots: [Spot, Spot]): Promise<[Spot, Spot]> {
  // In the middle: a bar at the window's lower edge may lie over what is there.
  await stage.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const box = await stage.boundingBox();
  assert.ok(box);
  return spots.map(([x, y]) => [box.x + x * box.width, box.y + y * box.height]) as [Spot, Spot];
}
