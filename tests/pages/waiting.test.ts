/** The wait in line as people live it: the server stops, the connection breaks, and the page comes back to the truth. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { keepScreenshot } from "../harness/browser.ts";
import { findFreePort } from "../harness/free-port.ts";
import { checkPage, openPages, type PagesScene, type Visit } from "../harness/pages.ts";
import { type RunningServer, startServer } from "../harness/server.ts";

const AHEAD = 40;

let scene: PagesScene;
let eventId: string;
let port: string;
let server: RunningServer;

before(async () => {
  port = String(await findFreePort());
  scene = await openPages({ PORT: port });
  const { orgId, organizer } = await scene.makeOrganization({ branding: { accentColor: "#1d4ed8" } });
  const entry = { eventType: "FIRST_COME", capacityTotal: AHEAD + 10, opensAt: "2020-01-01T00:00:00Z" };
  eventId = await scene.makeEvent(organizer, orgId, { name: "Seoul Night Run", entry });
});
after(async () => {
  await server?.stop();
  await scene?.close();
});

/** The same installation again, with or without those who settle the line. */
async function restart(workers: "on" | "off"): Promise<void> {
  await (server ?? scene.server).stop();
  server = await startServer({ dataFolder: scene.dataFolder, PORT: port, SNAPRACE_WORKERS: workers });
}

test("a place in line outlives the connection and the server, and ends in a result by itself", async () => {
  const phone = await scene.visit({ screen: "phone", email: "waiting@example.com" });
  await restart("off");
  const enter = (n: number) => scene.as({ userId: `u-${n}` })("POST", `/events/${eventId}/participations`);
  await Promise.all(Array.from({ length: AHEAD }, (_, n) => enter(n)));
  const { page } = phone;
  await page.goto(`/events/${eventId}`);
  await page.getByRole("button", { name: "Enter", exact: true }).click();
  await page.getByRole("heading", { name: "You are in line" }).waitFor();
  await page.getByText(`${AHEAD} people are ahead of you.`).waitFor();
  const address = page.url();
  // Without those who settle the line there is no stream, and the page asks: the browser notes that as a 404.
  await checkPage({ ...phone, complaints: [] }, "entry-waiting-phone");
  await loseConnection(phone);
  await restart("on");
  await page.getByRole("heading", { name: "You are in!" }).waitFor({ timeout: 60_000 });
  assert.equal(page.url(), address);
  await page.getByText("The connection is lost").waitFor({ state: "hidden" });
  await phone.context.close();
});

async function loseConnection({ page, context }: Visit): Promise<void> {
  await context.setOffline(true);
  await page.getByText("The connection is lost. Your place is safe").waitFor();
  await keepScreenshot(page, "entry-lost-phone");
  await context.setOffline(false);
  await page.getByText("The connection is lost").waitFor({ state: "hidden" });
  await page.getByText(`${AHEAD} people are ahead of you.`).waitFor();
}
