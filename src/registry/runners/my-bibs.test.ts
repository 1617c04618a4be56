/** One's own bibs over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachDatabase, readPages } from "../../../tests/harness/registry.ts";

onEachDatabase("my bibs", (scene) => {
  test("are those of published events, latest day first, page by page", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const userId = `runner-of-${orgId}`;
    const make = async (name: string, date: string, published: boolean, bibs: string[]) => {
      const event = { name, date, timeZone: "Asia/Seoul", published };
      const { body } = await organizer("POST", `/admin/organizations/${orgId}/events`, event);
      for (const bib of bibs) await organizer("POST", `/admin/events/${body.eventId}/runners`, { bib, userId });
      await organizer("POST", `/admin/events/${body.eventId}/runners`, { bib: "9", userId: "another" });
      return body.eventId;
    };
    const early = await make("Early", "2090-01-01", true, ["12"]);
    await make("Draft", "2090-06-01", false, ["13"]);
    const late = await make("Late", "2091-01-01", true, ["1", "2"]);
    const runner = scene.program.as({ userId });
    const all = await runner("GET", "/me/bibs");
    const rest = { name: null, finishTime: null };
    assert.deepEqual(all.body.items, [
      { eventId: late, eventName: "Late", date: "2091-01-01", bib: "1", ...rest },
      { eventId: late, eventName: "Late", date: "2091-01-01", bib: "2", ...rest },
      { eventId: early, eventName: "Early", date: "2090-01-01", bib: "12", ...rest },
    ]);
    const pages = await readPages(runner, "/me/bibs", 1);
    assert.deepEqual(pages.flat(), all.body.items);
  });
});
