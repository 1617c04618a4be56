/** Runners one by one and in a list, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachDatabase, readPages, wrongFields } from "../../../tests/harness/registry.ts";

const NOTHING = {
  name: null,
  finishTime: null,
  gender: null,
  age: null,
  team: null,
  timingResult: null,
  userId: null,
};

onEachDatabase("runners", (scene) => {
  const openEvent = async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const event = { name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul" };
    const { body } = await organizer("POST", `/admin/organizations/${orgId}/events`, event);
    const path = `/admin/events/${body.eventId}/runners`;
    return { organizer, path, add: (runner: object) => organizer("POST", path, runner) };
  };

  test("are added, shown, changed and removed", async () => {
    const { organizer, path, add } = await openEvent();
    const { status, body } = await add({ bib: " a12 " });
    assert.equal(status, 201, JSON.stringify(body));
    const { updatedAt, ...runner } = body;
    assert.deepEqual(runner, { bib: "A12", ...NOTHING, source: "MANUAL" });
    assert.deepEqual((await organizer("GET", `${path}/a12`)).body, body);
    const change = {
      name: " 김민수 ",
      finishTime: "3:25:10.5",
      gender: "M",
      age: 34,
      team: "Seoul",
      timingResult: { splits: ["0:49:01", { km: 21.1, place: null }], chip: "00012345678901234567" },
      userId: "u_8f3kq0",
    };
    const changed = await organizer("PATCH", `${path}/A12`, change);
    const kept = { ...change, name: "김민수", finishTime: "03:25:10.500" };
    assert.deepEqual({ ...changed.body, updatedAt }, { ...body, ...kept });
    assert.ok(changed.body.updatedAt >= updatedAt);
    const again = await organizer("PATCH", `${path}/A12`, { team: "", timingResult: null });
    assert.deepEqual({ ...again.body, updatedAt }, { ...body, ...kept, team: null, timingResult: null });
    assert.equal((await organizer("DELETE", `${path}/A12`)).status, 204);
    for (const [method, send] of [["GET"], ["PATCH", { name: "Kim" }], ["DELETE"]] as const) {
      const missing = await organizer(method, `${path}/A12`, send);
      assert.deepEqual([missing.status, missing.body.code], [404, "runner.not-found"]);
    }
  });

  test("keep any timing result as the JSON it is", async () => {
    const { organizer, path, add } = await openEvent();
    const results = ["DNF", "", 0, false, [], {}, "03:25:10", "null", 1.5, ["'=1+1"]];
    for (const [n, timingResult] of results.entries()) {
      assert.deepEqual((await add({ bib: `${n}`, timingResult })).body.timingResult, timingResult);
      assert.deepEqual((await organizer("GET", `${path}/${n}`)).body.timingResult, timingResult);
    }
  });

  test("have a bib that nobody else in the event has", async () => {
    const { path, add, organizer } = await openEvent();
    const other = await openEvent();
    await add({ bib: "A1024", name: "First" });
    for (const bib of ["A1024", "a1024", "Ａ１０２４", " A1024"]) {
      const { status, body } = await add({ bib, name: "Second" });
      assert.deepEqual([status, body.code], [409, "runner.duplicate-bib"], bib);
    }
    assert.equal((await organizer("GET", `${path}/${encodeURIComponent("ａ１０２４")}`)).body.name, "First");
    assert.equal((await other.add({ bib: "A1024" })).status, 201);
  });

  test("refuse what can't be, field by field", async () => {
    const { add, organizer, path } = await openEvent();
    const bad = { bib: "1#2", finishTime: "25:10", age: 131, userId: "a/b", shoe: 42, name: "a\nb" };
    const made = await add(bad);
    assert.deepEqual([made.status, made.body.code], [400, "input.invalid"]);
    assert.deepEqual(wrongFields(made).sort(), Object.keys(bad).sort());
    assert.deepEqual(wrongFields(await add({ name: "Kim" })), ["bib"]);
    await add({ bib: "1" });
    assert.deepEqual(wrongFields(await organizer("PATCH", `${path}/1`, { bib: "2" })), ["bib"]);
    assert.deepEqual(wrongFields(await organizer("GET", `${path}/1%232`)), ["bib"]);
  });

  test("are listed by number, after it by letter, without gaps or repeats", async () => {
    const { organizer, path, add } = await openEvent();
    // 7 and A in several writings: alike for the order, and then by their characters.
    const numbers = ["1", "2", "007", "07", "7", "10", "123456789012"];
    const expected = [...numbers, "12A", "A-3", "A", "A0", "A00", "A2", "A10", "B1", "한1"];
    for (const bib of expected.toSorted()) assert.equal((await add({ bib })).status, 201);
    for (const limit of [1, 2, 3, 200]) {
      const pages = await readPages<{ bib: string }>(organizer, path, limit);
      assert.ok(pages.slice(0, -1).every((page) => page.length === limit));
      assert.deepEqual(
        pages.flat().map(({ bib }) => bib),
        expected,
      );
    }
    const cursor = Buffer.from(JSON.stringify({ order: "\u0000", bib: "1" })).toString("base64url");
    assert.equal((await organizer("GET", `${path}?cursor=${cursor}`)).body.code, "cursor.invalid");
  });

  test("are listed on, whatever happens to the page before", async () => {
    const { organizer, path, add } = await openEvent();
    for (const bib of ["1", "2", "3", "4"]) await add({ bib });
    const { body } = await organizer("GET", `${path}?limit=2`);
    await organizer("DELETE", `${path}/2`);
    await add({ bib: "0" });
    const next = await organizer("GET", `${path}?limit=2&cursor=${body.cursor}`);
    assert.deepEqual(
      next.body.items.map(({ bib }: { bib: string }) => bib),
      ["3", "4"],
    );
    assert.equal(next.body.cursor, undefined);
  });

  test("come in JSON of a megabyte at most", async () => {
    const { organizer, path } = await openEvent();
    const large = JSON.stringify({ bib: "1", name: "x".repeat(10 * 2 ** 20) });
    const json = { "content-type": "application/json" };
    const bodies = [
      organizer("POST", path, large, json),
      organizer("POST", path, large, { ...json, "content-length": String(large.length) }),
      organizer("POST", path, ReadableStream.from([large.slice(0, 10), large.slice(10)].map(bytesOf)), json),
    ];
    for (const { status, body } of await Promise.all(bodies)) {
      assert.deepEqual([status, body.code], [413, "http.body-too-large"]);
    }
    assert.deepEqual((await organizer("GET", path)).body, { items: [] });
    const wrong = await organizer("POST", path, "bib=1", { "content-type": "application/x-www-form-urlencoded" });
    assert.deepEqual([wrong.status, wrong.body.code], [415, "input.not-json"]);
    const latin = await organizer("POST", path, Buffer.from('{"bib":"1","name":"Jos\xe9"}', "latin1"), json);
    assert.deepEqual([latin.status, latin.body.code], [400, "input.bad-encoding"]);
    assert.equal((await organizer("POST", path, '{"bib":', json)).body.code, "input.bad-json");
  });
});

const bytesOf = (text: string) => Buffer.from(text);
