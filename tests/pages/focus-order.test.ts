/** By keyboard alone: Tab goes through every page in the order it is read, to everything one can use, and shows where it is. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import { makeOwnEvent, type OwnEvent } from "../harness/organizer-page.ts";
import { focusOrder, openPages, type PagesScene } from "../harness/pages.ts";

const RUNNERS = "bib,name\n1,Minji Kim\n2,Juno Lee\n";
const TOP = ["Skip to the content", "SnapRace"];
const MOST_STOPS = 120;

let scene: PagesScene;
let own: OwnEvent;
let signedIn: BrowserContext;

before(async () => {
  scene = await openPages({ SNAPRACE_WORKERS: "off" });
  own = await makeOwnEvent(scene, { name: "Han River 10K" }, { branding: { websiteUrl: "https://example.com" } });
  await own.organizer("POST", `/admin/events/${own.eventId}/runners/import`, RUNNERS);
  const photographerId = "minji-runs";
  const { orgId, eventId, email, organizer } = own;
  const photographer = { photographerId, name: "Minji Kim", instagramHandle: "minji.runs", email };
  await organizer("POST", `/admin/organizations/${orgId}/photographers`, photographer);
  await organizer("PUT", `/admin/events/${eventId}/photographers/${photographerId}`, {});
  // Codes are few: who signed in once is so on every page.
  signedIn = (await scene.visit({ email })).context;
});
after(() => scene?.close());

/** Each page, and something on it that tells that it is there whole. */
const PAGES: { [name: string]: { path: () => string; ready: string } } = {
  "the races": { path: () => "/", ready: "Han River 10K" },
  "a race": { path: () => `/events/${own.eventId}`, ready: "No photos yet" },
  "its photos": { path: () => `/events/${own.eventId}/photos`, ready: "No photos yet" },
  "my page": { path: () => "/me", ready: "My races" },
  "a proof of one's own": { path: () => "/draw", ready: "Check a proof file" },
  "a photographer's races": { path: () => "/photographer", ready: "Han River 10K" },
  uploading: { path: () => `/photographer/events/${own.eventId}`, ready: "Choose photos" },
  "an organizer's start": { path: () => "/organizer", ready: "Han River 10K" },
  "an organization": { path: () => `/organizer/organizations/${own.orgId}`, ready: "Organizers" },
  "a new race": { path: () => `/organizer/organizations/${own.orgId}/new-event`, ready: "Time zone" },
  "the dashboard": { path: () => `/organizer/events/${own.eventId}`, ready: "Fairness" },
  "the dashboard's photos": { path: () => `/organizer/events/${own.eventId}/photos`, ready: "Failed" },
  "the runners": { path: () => `/organizer/events/${own.eventId}/runners`, ready: "Juno Lee" },
  "the problems": { path: () => `/organizer/events/${own.eventId}/problems`, ready: "All is well" },
  "the settings": { path: () => `/organizer/events/${own.eventId}/settings`, ready: "Bib pattern" },
};

for (const [name, { path, ready }] of Object.entries(PAGES)) {
  test(`${name}: in the order it is read, nothing left out, every stop seen and named`, async () => {
    const page = await signedIn.newPage();
    await page.goto(path());
    await page.getByText(ready).first().waitFor();
    await page.waitForLoadState("networkidle");
    const stops = await walk(page);
    assert.deepEqual(
      stops.slice(0, 2).map((stop) => stop.name),
      TOP,
    );
    assert.deepEqual(
      stops.filter((stop) => !stop.name || !stop.isSeen).map((stop) => stop.html),
      [],
      "stops without a name or out of sight",
    );
    const places = stops.map(({ place }) => place);
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
      stops.map((stop) => stop.name).join(" → "),
    );
    assert.deepEqual(await leftOut(page), []);
    await page.close();
  });
}

test("the first stop leads past what stands above every page", async () => {
  const page = await signedIn.newPage();
  await page.goto(`/events/${own.eventId}`);
  await page.getByText("No photos yet").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  const [first] = await focusOrder(page, 1);
  assert.equal(first, "Runners 1");
  await page.close();
});

test("signing in by keyboard alone", async () => {
  const { page, context } = await scene.visit();
  await page.goto("/sign-in");
  await page.getByLabel("E-mail address").waitFor();
  await page.getByLabel("E-mail address").focus();
  await page.keyboard.type("keys@example.com");
  await page.keyboard.press("Enter");
  await page.getByLabel("Six-digit code").waitFor();
  await page.waitForFunction(() => document.activeElement?.getAttribute("autocomplete") === "one-time-code");
  await context.close();
});

type Stop = { name: string; place: number; isSeen: boolean; html: string };

/** Where Tab stops, from the top of the page until it leaves it; each stop is marked. */
async function walk(page: Page): Promise<Stop[]> {
  const stops: Stop[] = [];
  while (stops.length < MOST_STOPS) {
    await page.keyboard.press("Tab");
    const stop = (await page.evaluate(STOP)) as Stop | null;
    if (!stop || stops.slice(0, -1).some(({ place }) => place === stop.place)) return stops;
    // A date has a stop for the day, the month and the year.
    if (stops.at(-1)?.place !== stop.place) stops.push(stop);
  }
  throw new Error(`There are more than ${MOST_STOPS} stops.`);
}

const STOP = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  element.setAttribute("data-walked", "");
  const named = element.labels?.[0]?.textContent || element.getAttribute("aria-label") || element.textContent;
  const labels = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
  const { top, bottom, left, right } = (element.closest("label") ?? element).getBoundingClientRect();
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  return {
    name: (named || labels.join(" ")).trim(),
    place: [...document.querySelectorAll("*")].indexOf(element),
    isSeen: isInside && element.checkVisibility(),
    html: element.outerHTML.slice(0, 160),
  };
})()`;

/** What can be used and was not come to. Of a group of radio buttons, or of tabs, one is a stop and arrows lead to the others. */
function leftOut(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const usable = document.querySelectorAll("a[href], button, input, select, textarea, [tabindex='0']");
    return [...usable]
      .filter(
        (element) =>
          element.checkVisibility() && !element.matches(":disabled, [tabindex='-1'], [type=radio], [type=hidden]"),
      )
      .filter((element) => !element.hasAttribute("data-walked") && !element.closest("[inert], [aria-hidden=true]"))
      .map((element) => element.outerHTML.slice(0, 160));
  });
}
