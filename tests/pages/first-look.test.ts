/** The first pages anybody sees: the races, one race, signing in; what holds on them holds on all. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SCREENS } from "../harness/browser.ts";
import { checkPage, codeInInbox, openPages, type PagesScene, type Screen } from "../harness/pages.ts";

let scene: PagesScene;
let eventId: string;

before(async () => {
  scene = await openPages();
  const { orgId, organizer } = await scene.makeOrganization({
    name: "한강 러너스",
    branding: { accentColor: "#0a7d5a", websiteUrl: "https://example.com" },
  });
  const opensAt = "2098-01-01T00:00:00Z";
  eventId = await scene.makeEvent(organizer, orgId, {
    name: "Han River 10K 2099",
    entry: { eventType: "FIRST_COME", capacityTotal: 500, opensAt },
  });
  await scene.makeEvent(organizer, orgId, { name: "<img src=x onerror=alert(1)>", date: "2098-01-01" });
});
after(() => scene?.close());

for (const screen of Object.keys(SCREENS) as Screen[]) {
  for (const dark of [false, true]) {
    test(`the races, on a ${screen}, ${dark ? "dark" : "light"}`, async () => {
      const visit = await scene.visit({ screen, dark });
      await visit.page.goto("/");
      await visit.page.getByText("Opens soon").waitFor();
      assert.ok(await visit.page.getByRole("link", { name: "<img src=x onerror=alert(1)>" }).isVisible());
      await checkPage(visit, `home-${screen}-${dark ? "dark" : "light"}`);
      await visit.context.close();
    });

    test(`a race, on a ${screen}, ${dark ? "dark" : "light"}`, async () => {
      const visit = await scene.visit({ screen, dark });
      await visit.page.goto(`/events/${eventId}`);
      await visit.page.getByRole("heading", { name: "Han River 10K 2099" }).waitFor();
      await visit.page.getByText("No photos yet").waitFor();
      await checkPage(visit, `event-${screen}-${dark ? "dark" : "light"}`);
      await visit.context.close();
    });
  }
}

test("signing in leads back to where one was, and out again", async () => {
  const visit = await scene.visit({ screen: "phone" });
  const { page, context } = visit;
  await page.goto(`/events/${eventId}`);
  await page.getByRole("link", { name: "Sign in" }).first().click();
  await page.getByLabel("E-mail address").fill("mina@example.com");
  await checkPage(visit, "sign-in-phone");
  await page.getByRole("button", { name: "Send me a code" }).click();
  const field = page.getByLabel("Six-digit code");
  await field.fill("000000");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("wrong, used, or too old").waitFor();
  await checkPage({ ...visit, complaints: [] }, "sign-in-code-phone");
  await field.fill(await codeInInbox(context, "mina@example.com"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`**/events/${eventId}`);
  await page.getByRole("link", { name: "My races" }).waitFor();
  await page.getByRole("button", { name: "Language and look" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("link", { name: "Sign in" }).first().waitFor();
  await context.close();
});

test("a page for those who are signed in asks others to sign in first, and only leads to own pages", async () => {
  const { page, context } = await scene.visit();
  await page.goto("/me");
  await page.waitForURL("**/sign-in?next=%2Fme");
  await page.goto("/sign-in?next=https%3A%2F%2Fevil.example%2F");
  await page.getByLabel("E-mail address").fill("juno@example.com");
  await page.getByRole("button", { name: "Send me a code" }).click();
  await page.getByLabel("Six-digit code").waitFor();
  await page.getByLabel("Six-digit code").fill(await codeInInbox(context, "juno@example.com"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${scene.server.url}/me`);
  await context.close();
});

test("in Korean, by the browser's language or by choice", async () => {
  const visit = await scene.visit({ language: "ko" });
  await visit.page.goto("/");
  await visit.page.getByText("곧 접수 시작").waitFor();
  await checkPage(visit, "home-korean");
  await visit.page.getByRole("button", { name: "언어와 화면" }).click();
  await visit.page.getByRole("radio", { name: "English" }).click();
  await visit.page.getByText("Opens soon").waitFor();
  await visit.page.reload();
  await visit.page.getByText("Opens soon").waitFor();
  assert.equal(await visit.page.locator("html").getAttribute("lang"), "en");
  await visit.context.close();
});

test("an address that leads nowhere says so", async () => {
  const visit = await scene.visit();
  const answer = await visit.page.goto("/nowhere");
  assert.equal(answer?.status(), 404);
  await visit.page.getByRole("heading", { name: "There is no such page" }).waitFor();
  const unknown = await visit.page.goto("/events/no-such-race");
  assert.equal(unknown?.status(), 404);
  await visit.page.getByText("There is no such race").waitFor();
  await visit.context.close();
});
