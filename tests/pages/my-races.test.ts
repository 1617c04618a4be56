/** One's own page: what one has entered, one's bibs and photos; and that nobody sees another's. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { keepScreenshot } from "../harness/browser.ts";
import { type Api, checkPage, openPages, type PagesScene } from "../harness/pages.ts";

let scene: PagesScene;
let organizer: Api;
let orgId: string;

before(async () => {
  scene = await openPages();
  ({ orgId, organizer } = await scene.makeOrganization({ branding: { accentColor: "#0a7d5a" } }));
});
after(() => scene?.close());

function makeRace(name: string): Promise<string> {
  const entry = { eventType: "FIRST_COME", capacityTotal: 5, opensAt: "2020-01-01T00:00:00Z" };
  return scene.makeEvent(organizer, orgId, { name, entry });
}

test("my races: none yet, then newest first", async () => {
  const visit = await scene.visit({ screen: "phone", email: "collector@example.com" });
  const { page, context } = visit;
  await page.goto("/me");
  await page.getByText("No entries yet").waitFor();
  await checkPage(visit, "me-empty-phone");
  for (const name of ["Spring 5K", "<img src=x onerror=alert(1)>", "Autumn Half"]) {
    await page.goto(`/events/${await makeRace(name)}`);
    await page.getByRole("button", { name: "Enter", exact: true }).click();
    await page.getByRole("heading", { name: "You are in!" }).waitFor();
  }
  await page.getByRole("link", { name: "My races" }).click();
  const entries = page.locator("section", { has: page.getByRole("heading", { name: "My entries" }) });
  await entries.getByRole("link", { name: "Spring 5K" }).waitFor();
  const names = await entries.getByRole("heading", { level: 3 }).allTextContents();
  assert.deepEqual(names, ["Autumn Half", "<img src=x onerror=alert(1)>", "Spring 5K"]);
  const bibs = page.locator("section", { has: page.getByRole("heading", { name: "My bibs" }) });
  await bibs.getByText("0001").nth(2).waitFor();
  await checkPage(visit, "me-phone");
  await context.close();
});

test("somebody else's request is nobody's business", async () => {
  const eventId = await makeRace("Night Run");
  const { requestId } = await scene.as({ userId: "u-else" })("POST", `/events/${eventId}/participations`);
  const { page, context } = await scene.visit({ email: "curious@example.com" });
  await page.goto(`/requests/${requestId}`);
  await page.getByText("There is no such request of yours").waitFor();
  await keepScreenshot(page, "entry-not-mine-desktop");
  await context.close();
});
