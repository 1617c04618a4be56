/** Importing runners' files: all of a file or nothing, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { onEachDatabase, readPages } from "../../../tests/harness/registry.ts";

type Listed = { bib: string; name: string | null; team: string | null; source: string; updatedAt: string };

onEachDatabase("imports", (scene) => {
  const openEvent = async (photos = {}) => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const event = { name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul", photos };
    const { body } = await organizer("POST", `/admin/organizations/${orgId}/events`, event);
    const eventId: string = body.eventId;
    const path = `/admin/events/${eventId}/runners`;
    return {
      organizer,
      eventId,
      path,
      send: (file: string | Uint8Array | ReadableStream, query = "") =>
        organizer("POST", `${path}/import${query}`, file),
      list: async () => (await readPages<Listed>(organizer, path, 200)).flat(),
    };
  };
  const done = (rows: number, counts: object) => ({
    rows,
    added: 0,
    updated: 0,
    unchanged: 0,
    outsidePattern: 0,
    dryRun: false,
    ...counts,
  });

  test("add runners, and later change only what the file says differently", async () => {
    const { send, list } = await openEvent();
    const first = await send(
      "배번,이름,소속,기록,성별,나이\n1,김민수,Seoul,3:25:10,M,34\n2,Lee,,,,\nA3,Choi,Busan,,,\n",
    );
    assert.equal(first.status, 200, JSON.stringify(first.body));
    assert.deepEqual(first.body, done(3, { added: 3 }));
    const before = await list();
    assert.deepEqual(
      before.map(({ updatedAt, ...runner }) => runner),
      [
        { bib: "1", name: "김민수", team: "Seoul", finishTime: "03:25:10", gender: "M", age: 34 },
        { bib: "2", name: "Lee", team: null, finishTime: null, gender: null, age: null },
        { bib: "A3", name: "Choi", team: "Busan", finishTime: null, gender: null, age: null },
      ].map((runner) => ({ ...runner, timingResult: null, userId: null, source: "IMPORT" })),
    );
    const second = await send("team;bib;name\r\nSeoul;1;김민수\r\n;A3;Choi\r\nJeju;4;Park\r\n;2;Lee Jr\r\n");
    assert.deepEqual(second.body, done(4, { added: 1, updated: 2, unchanged: 1 }));
    const after = await list();
    assert.deepEqual(after[0], before[0]);
    assert.deepEqual(
      after.map(({ bib, name, team }) => [bib, name, team]),
      [
        ["1", "김민수", "Seoul"],
        ["2", "Lee Jr", null],
        ["4", "Park", "Jeju"],
        ["A3", "Choi", null],
      ],
    );
    assert.deepEqual((await send("bib\n1\n5\n")).body, done(2, { added: 1, unchanged: 1 }));
    assert.equal((await list())[0]?.name, "김민수");
  });

  test("say how many bibs photos will never show", async () => {
    const { send } = await openEvent({ bibPattern: "[A-C]\\d{2}" });
    assert.deepEqual((await send("bib\nA12\nD12\nC1\nc01\n")).body, done(4, { added: 4, outsidePattern: 2 }));
  });

  test("tell what would happen without doing it", async () => {
    const { send, list } = await openEvent();
    await send("bib,name\n1,Kim\n2,Lee\n");
    const before = await list();
    const dry = await send("bib,name\n1,Kim\n2,Park\n3,Choi\n", "?dryRun=true");
    assert.deepEqual(dry.body, done(3, { added: 1, updated: 1, unchanged: 1, dryRun: true }));
    assert.deepEqual(await list(), before);
    assert.equal((await send("bib\n1\n", "?dryRun=maybe")).status, 400);
  });

  test("import nothing for one bad row among a thousand", async () => {
    const { send, list } = await openEvent();
    const rows = Array.from({ length: 1000 }, (_, n) => `${n + 1},Runner ${n + 1},30`);
    rows[499] = "500,Kim,thirty";
    for (const query of ["", "?dryRun=true"]) {
      const { status, body } = await send(`bib,name,age\n${rows.join("\n")}\n`, query);
      assert.deepEqual([status, body.code, body.errorCount], [400, "runners.bad-rows", 1]);
      assert.deepEqual(body.errors, [
        {
          line: 501,
          column: "age",
          code: "row.value",
          field: "age",
          reason: 'Age is "thirty": give a whole number from 0 to 130.',
        },
      ]);
      assert.match(body.detail, /^1 of 1000 rows can't be imported, so that nothing was\. Line 501: Age is "thirty"/);
    }
    assert.deepEqual(await list(), []);
  });

  test("refuse a bib that is twice in the file, however it is written", async () => {
    const again = { code: "row.bib-repeated" };
    const { send, list } = await openEvent();
    const { body } = await send("bib,name\na1,Kim\n2,Lee\nＡ１,Park\n2,Choi\n");
    assert.deepEqual(body.errors, [
      { line: 4, column: "bib", ...again, bib: "A1", firstLine: 2, reason: "Bib A1 is also on line 2." },
      { line: 5, column: "bib", ...again, bib: "2", firstLine: 3, reason: "Bib 2 is also on line 3." },
    ]);
    assert.deepEqual(await list(), []);
  });

  test("refuse what is no CSV in UTF-8, and say how to make it one", async () => {
    const { send, list } = await openEvent();
    const korean = Buffer.from("bib,name\n1,Kim\n2,\xb1\xe8\xb9\xce\xbc\xf6\n", "latin1");
    const utf16 = Buffer.from("\ufeffbib,name\n1,김민수\n", "utf16le");
    const xlsx = Buffer.concat([Buffer.from("PK\x03\x04\x14\x00\x06\x00"), Buffer.alloc(2000, 7)]);
    const files: [Uint8Array | string, string, RegExp][] = [
      [korean, "csv.encoding", /^Line 3 .*CSV UTF-8/],
      [utf16, "csv.encoding", /^Line 1 .*CSV UTF-8/],
      [xlsx, "csv.not-csv", /CSV UTF-8/],
      ["", "csv.empty", /no runners/],
      ["bib,name\n", "csv.empty", /no runners/],
      ["name\nKim\n", "csv.no-bib-column", /Known columns: bib/],
      ["bib,shoe\n1,42\n", "csv.unknown-column", /"shoe"/],
      ['bib,name\n1,"Kim\n', "csv.unclosed-quote", /line 2/],
    ];
    for (const [file, code, sentence] of files) {
      const { status, body } = await send(file);
      assert.deepEqual([status, body.code], [400, code]);
      assert.match(body.detail, sentence);
    }
    assert.deepEqual(await list(), []);
  });

  test("take a file that comes slowly and in pieces", async () => {
    const { send, list } = await openEvent();
    const rows = Array.from({ length: 5000 }, (_, n) => `${n + 1},김민수 ${n + 1}`);
    const bytes = Buffer.from(`bib,name\n${rows.join("\n")}`);
    async function* slowly() {
      // An odd size, so that pieces end within characters.
      for (let start = 0; start < bytes.length; start += 9_973) {
        yield bytes.subarray(start, start + 9_973);
        await delay(5);
      }
    }
    assert.deepEqual((await send(ReadableStream.from(slowly()))).body, done(5000, { added: 5000 }));
    const runners = await list();
    assert.equal(runners.length, 5000);
    assert.deepEqual([runners[0]?.name, runners[4999]?.name], ["김민수 1", "김민수 5000"]);
    assert.deepEqual((await send(bytes)).body, done(5000, { unchanged: 5000 }));
  });

  test("end with the event that was removed meanwhile", async () => {
    const { send, organizer, eventId } = await openEvent();
    async function* late() {
      yield Buffer.from("bib,name\n1,Kim\n");
      await organizer("DELETE", `/admin/events/${eventId}?confirm=${eventId}`);
      yield Buffer.from("2,Lee\n");
    }
    const { status, body } = await send(ReadableStream.from(late()));
    assert.deepEqual([status, body.code], [404, "event.not-found"]);
  });

  test("leave nothing when the database fails on the way", async () => {
    const { send, list } = await openEvent();
    const { db } = scene.program.registry;
    await sql`alter table event_runners add constraint no_poison check (name <> 'poison')`.execute(db);
    try {
      // The last row is in the second batch.
      const rows = Array.from({ length: 6000 }, (_, n) => `${n + 1},${n === 5999 ? "poison" : "Kim"}`);
      const { status, body } = await send(`bib,name\n${rows.join("\n")}\n`);
      assert.deepEqual([status, body.code], [500, "internal.error"]);
      assert.doesNotMatch(JSON.stringify(body), /poison/);
    } finally {
      await sql`alter table event_runners drop constraint no_poison`.execute(db);
    }
    assert.deepEqual(await list(), []);
  });

  test("at the same time for the same runners wait for each other", async () => {
    const { send, list } = await openEvent();
    const bibs = Array.from({ length: 3000 }, (_, n) => n + 1);
    const fileOf = (order: number[], name: string) => `bib,name\n${order.map((bib) => `${bib},${name}`).join("\n")}\n`;
    await send(fileOf(bibs, "Nobody"));
    const imports = [send(fileOf(bibs, "Kim")), send(fileOf(bibs.toReversed(), "Lee")), send(fileOf(bibs, "Park"))];
    for (const { status, body } of await Promise.all(imports)) {
      assert.deepEqual([status, body.updated], [200, 3000], JSON.stringify(body));
    }
    assert.equal(new Set((await list()).map(({ name }) => name)).size, 1);
  });

  test("leave where a runner came from as it was", async () => {
    const { send, list, eventId } = await openEvent();
    const entered = { event_id: eventId, bib_number: "7", name: "Kim", user_id: "u_1", source: "ENTRY" as const };
    await scene.program.registry.db.insertInto("event_runners").values(entered).execute();
    assert.deepEqual((await send("bib,name\n7,Kim Minsu\n8,Lee\n")).body, done(2, { added: 1, updated: 1 }));
    assert.deepEqual(
      (await list()).map(({ bib, name, source }) => [bib, name, source]),
      [
        ["7", "Kim Minsu", "ENTRY"],
        ["8", "Lee", "IMPORT"],
      ],
    );
  });

  test("take what was exported, and it is the same", async () => {
    const [from, to] = [await openEvent(), await openEvent()];
    const texts = [
      "=SUM(A1)",
      "+82 10",
      "-1",
      "@kim",
      "'quoted",
      "''=x",
      'a "b", c',
      "한글 👩‍👩‍👧",
      "＝1",
      "a;b\tc",
      "O'Brien",
    ];
    for (const [n, text] of texts.entries()) {
      const name = text.replaceAll("\t", " ");
      const runner = { bib: `A${n}`, name, team: name, timingResult: text, age: n, userId: "u_1@x+y" };
      assert.equal((await from.organizer("POST", from.path, runner)).status, 201, text);
    }
    const results = [{ "=x": ["\n", null, 1.5] }, "", "12345678901234567890", 12, "12", true, " space ", "03:25:10"];
    for (const [n, timingResult] of results.entries()) {
      const runner = { bib: `${n}`, finishTime: "0:59:59.9", timingResult };
      assert.equal((await from.organizer("POST", from.path, runner)).status, 201);
    }
    const file = await from.organizer("GET", `${from.path}.csv`);
    assert.match(file.headers.get("content-type") ?? "", /^text\/csv/);
    assert.match(file.headers.get("content-disposition") ?? "", /^attachment; filename="runners-.*\.csv"/);
    assert.doesNotMatch(file.body, /(^|,)"?[=+\-@＝]/m);
    const rows = texts.length + results.length;
    assert.deepEqual((await from.send(file.body)).body, done(rows, { unchanged: rows }));
    assert.deepEqual((await to.send(file.body)).body, done(rows, { added: rows }));
    const withoutOrigin = (runners: Listed[]) => runners.map(({ source, updatedAt, ...runner }) => runner);
    assert.deepEqual(withoutOrigin(await to.list()), withoutOrigin(await from.list()));
    assert.equal((await to.organizer("GET", `${to.path}.csv`)).body, file.body);
  });
});
