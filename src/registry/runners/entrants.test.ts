/** Accepted entrants become runners exactly once, however entry's messages come, on both databases. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { onEachDatabase, openBareDatabase, untilBlocked } from "../../../tests/harness/registry.ts";
import { type EntryMessage, entryQueue, type GivenPlace } from "../../entry/events.ts";
import { openRegistryDatabase } from "../database.ts";
import { entrantsWork } from "./entrants.ts";

const CAPACITY = 300;

/** A small generator with a seed, so that what failed can be seen again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function shuffled<T>(things: T[], random: (below: number) => number): T[] {
  const rest = [...things];
  return things.map(() => rest.splice(random(rest.length), 1)[0] as T);
}

const placeOf = (place: number): GivenPlace => ({ place, requestId: `request-${place}`, userId: `u_${place}` });
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const bib = (number: number) => String(number).padStart(4, "0");
/** What is left: who wears which bib. */
const own = (...places: number[]) => places.map((place) => [bib(place), `u_${place}`]);

onEachDatabase("entrants", (scene) => {
  const deliver = async (messages: (EntryMessage | string)[]) => {
    const { handler } = entrantsWork({ db: scene.program.registry.db, onError: () => {} });
    const bodies = messages.map((message) => (typeof message === "string" ? message : JSON.stringify(message)));
    return handler(bodies.map((body, id) => ({ id: String(id), body, receives: 1, sentAt: 0 })));
  };
  const open = async (settings: object = {}) => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const opensAt = "2090-01-05T10:00:00+09:00";
    const entry = { eventType: "FIRST_COME", capacityTotal: CAPACITY, opensAt, ...settings };
    const event = { name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul", entry };
    const { body } = await organizer("POST", `/admin/organizations/${orgId}/events`, event);
    const eventId: string = body.eventId;
    const path = `/admin/events/${eventId}`;
    const given = (...places: number[]): EntryMessage => ({
      type: "places.given",
      eventId,
      places: places.map(placeOf),
    });
    const returned = (place: number): EntryMessage => ({
      type: "place.returned",
      eventId,
      requestId: `request-${place}`,
    });
    const runners = async () => {
      const rows = await scene.program.registry.db
        .selectFrom("event_runners")
        .select(["bib_number", "user_id", "source", "name"])
        .where("event_id", "=", eventId)
        .orderBy("bib_order")
        .execute();
      return rows.map((row) => ({ bib: row.bib_number, userId: row.user_id, source: row.source, name: row.name }));
    };
    const entered = async () =>
      (await runners()).filter(({ source }) => source === "ENTRY").map((runner) => [runner.bib, runner.userId]);
    const importBibs = async (...bibs: number[]) => {
      const { status } = await organizer("POST", `${path}/runners/import`, `bib\n${bibs.map(bib).join("\n")}\n`);
      assert.equal(status, 200);
    };
    return { organizer, path, eventId, given, returned, runners, entered, importBibs };
  };

  test("get the bibs of their places, and the name they are known by", async () => {
    const { eventId, runners } = await open({ bibStart: 101, bibFormat: "A000" });
    const userId = `u_${randomBytes(6).toString("hex")}`;
    const times = { created_at: new Date(), updated_at: new Date() };
    const user = { id: userId, name: "김민수", email: `${userId}@example.com`, email_verified: true, ...times };
    const nameless = { ...user, id: `${userId}-x`, name: "", email: `x-${userId}@example.com` };
    await scene.program.registry.db.insertInto("users").values([user, nameless]).execute();
    const places = [placeOf(3), { ...placeOf(1), userId }, { ...placeOf(2), userId: nameless.id }];
    assert.deepEqual(await deliver([{ type: "places.given", eventId, places }]), []);
    assert.deepEqual(await runners(), [
      { bib: "A101", userId, source: "ENTRY", name: "김민수" },
      { bib: "A102", userId: nameless.id, source: "ENTRY", name: null },
      { bib: "A103", userId: "u_3", source: "ENTRY", name: null },
    ]);
  });

  test("are made once, though messages come again, alone, together and overlapping", async () => {
    const { given, entered } = await open();
    await deliver([given(1, 2, 3)]);
    await deliver([given(1, 2, 3)]);
    await deliver([given(3, 4), given(3, 4), given(5, 1), given(5)]);
    assert.deepEqual(await entered(), own(1, 2, 3, 4, 5));
  });

  test("stay removed, and changed, when an old message comes again", async () => {
    const { organizer, path, given, runners } = await open();
    await deliver([given(1, 2)]);
    await organizer("DELETE", `${path}/runners/0001`);
    await organizer("PATCH", `${path}/runners/0002`, { name: "Kim", userId: null });
    await deliver([given(1, 2)]);
    assert.deepEqual(await runners(), [{ bib: "0002", userId: null, source: "ENTRY", name: "Kim" }]);
  });

  for (const seed of [1, 2, 3]) {
    test(`are the same whatever the order of deliveries, and however many at once, with seed ${seed}`, async () => {
      const random = randomOf(seed);
      const { given, returned, entered, importBibs } = await open();
      const places = shuffled(numbers(1, 200), random);
      const messages: EntryMessage[] = [];
      for (let start = 0; start < places.length; start += 23) messages.push(given(...places.slice(start, start + 23)));
      const leaving = new Set(places.slice(0, 30));
      for (const place of leaving) messages.push(returned(place));
      // Some of those whose bib is taken leave, others stay.
      const taken = new Set([...places.slice(25, 35), ...places.slice(150, 155)]);
      await importBibs(...taken);

      const deliveries = shuffled([...messages, ...messages, ...messages.slice(0, 20)], random);
      const batches: EntryMessage[][] = [];
      while (deliveries.length > 0) batches.push(deliveries.splice(0, 1 + random(5)));
      const consumers = numbers(1, 6).map(async () => {
        for (let batch = batches.pop(); batch; batch = batches.pop()) assert.deepEqual(await deliver(batch), []);
      });
      await Promise.all(consumers);

      const staying = numbers(1, 200).filter((place) => !leaving.has(place));
      const bibs = await entered();
      const undisturbed = staying.filter((place) => !taken.has(place));
      assert.deepEqual(bibs.slice(0, undisturbed.length), own(...undisturbed));
      // Which spare bib somebody gets depends on who came first; that they have one, and who, does not.
      const moved = bibs.slice(undisturbed.length);
      const users = staying.filter((place) => taken.has(place)).map((place) => `u_${place}`);
      assert.deepEqual(moved.map(([, userId]) => userId).sort(), users.sort());
      const highest = CAPACITY + taken.size;
      for (const [each] of moved) assert.ok(Number(each) > CAPACITY && Number(each) <= highest, `bib ${each}`);
      assert.equal(new Set(moved.map(([each]) => each)).size, users.length);
    });
  }

  test("who gave their place back are no runners any more, and never again", async () => {
    const { given, returned, entered } = await open();
    await deliver([given(1, 2, 3)]);
    await deliver([returned(2), returned(2)]);
    assert.deepEqual(await entered(), own(1, 3));
    await deliver([given(1, 2, 3), returned(2)]);
    assert.deepEqual(await entered(), own(1, 3));
  });

  test("who gave their place back before it was heard of get no bib", async () => {
    const { given, returned, entered } = await open();
    await deliver([returned(2)]);
    await deliver([given(1, 2), given(2, 3)]);
    assert.deepEqual(await entered(), own(1, 3));
    await deliver([given(4, 5), returned(4)]);
    assert.deepEqual(await entered(), own(1, 3, 5));
  });

  test("take only the runner with them that they became", async () => {
    const { organizer, path, given, returned, runners } = await open();
    await deliver([given(1, 2)]);
    await organizer("POST", `${path}/runners/import`, "bib,name\n0001,Kim\n");
    await organizer("DELETE", `${path}/runners/0002`);
    await organizer("POST", `${path}/runners`, { bib: "0002", name: "Lee", userId: "u_2" });
    await deliver([returned(1), returned(2)]);
    assert.deepEqual(await runners(), [{ bib: "0002", userId: "u_2", source: "MANUAL", name: "Lee" }]);
  });

  test("whose bib somebody wears already get the next spare one above all places", async () => {
    const { given, entered, importBibs } = await open({ capacityTotal: 5 });
    await importBibs(2, 4, 6, 8);
    await deliver([given(4, 3, 2, 1)]);
    assert.deepEqual(await entered(), [...own(1, 3), ["0007", "u_2"], ["0009", "u_4"]]);
    // 0007 is taken by now; so place 7 moves on too, and repeats find all as it was.
    await deliver([given(7, 10, 2)]);
    await deliver([given(10), given(7), given(4)]);
    assert.deepEqual(await entered(), [
      ...own(1, 3),
      ["0007", "u_2"],
      ["0009", "u_4"],
      ["0010", "u_10"],
      ["0011", "u_7"],
    ]);
  });

  test("leave the bibs of places beyond the capacity to those who get them", async () => {
    const { given, entered, importBibs } = await open({ capacityTotal: 2 });
    await importBibs(1, 5);
    await deliver([given(5, 2)]);
    assert.deepEqual(await entered(), [...own(2), ["0006", "u_5"]]);
    await deliver([given(8)]);
    await deliver([given(1)]);
    await deliver([given(3)]);
    assert.deepEqual(await entered(), [...own(2, 3), ["0006", "u_5"], ...own(8), ["0009", "u_1"]]);
  });

  test("get no bib that another entrant had before them", async () => {
    const { organizer, path, given, returned, entered, importBibs } = await open({ capacityTotal: 2 });
    await importBibs(1);
    await deliver([given(1)]);
    await deliver([given(2), returned(1)]);
    await organizer("DELETE", `${path}/runners/0001`);
    await deliver([given(3, 4)]);
    // 0003 was the first one's.
    assert.deepEqual(await entered(), [
      ["0002", "u_2"],
      ["0004", "u_4"],
      ["0005", "u_3"],
    ]);
    assert.equal((await organizer("DELETE", `${path}/runners/0004`)).status, 204);
    await deliver([returned(3)]);
    assert.deepEqual(await entered(), own(2));
  });

  test("find a spare bib above thousands that are worn", async () => {
    const { given, entered, importBibs } = await open({ capacityTotal: 10 });
    await importBibs(...numbers(1, 3000));
    await deliver([given(...numbers(1, 10))]);
    const expected = numbers(1, 10).map((place) => [bib(3000 + place), `u_${place}`]);
    assert.deepEqual(await entered(), expected);
  });

  test("get longer bibs when their number outgrows the format", async () => {
    const { given, entered, importBibs } = await open({ bibStart: 9999, bibFormat: "0000", capacityTotal: 2 });
    await importBibs(10_000);
    await deliver([given(1, 2)]);
    assert.deepEqual(await entered(), [
      ["9999", "u_1"],
      ["10001", "u_2"],
    ]);
  });

  test("with the same place, which should not be, get a bib each", async () => {
    const { eventId, entered } = await open();
    const twin = { ...placeOf(1), requestId: "request-twin", userId: "u_twin" };
    await deliver([{ type: "places.given", eventId, places: [placeOf(1), twin] }]);
    assert.deepEqual(await entered(), [...own(1), [bib(CAPACITY + 1), "u_twin"]]);
  });

  test("get bibs from 1 when the entry settings are gone", async () => {
    const { eventId, given, entered } = await open({ bibStart: 500 });
    const { db } = scene.program.registry;
    await db.updateTable("events").set({ entry_settings: null }).where("event_id", "=", eventId).execute();
    await deliver([given(1)]);
    assert.deepEqual(await entered(), own(1));
  });

  test("of an event that is gone are nobody's runners, and go with it", async () => {
    const { organizer, path, eventId, given, returned, runners } = await open();
    const other = await open();
    await deliver([given(1, 2), returned(1), other.given(1)]);
    await organizer("DELETE", `${path}?confirm=${eventId}`);
    assert.deepEqual(await deliver([given(3), returned(2), other.given(2)]), []);
    assert.deepEqual(await runners(), []);
    const { db } = scene.program.registry;
    const left = await db.selectFrom("entry_places").selectAll().where("event_id", "=", eventId).execute();
    assert.deepEqual(left, []);
    assert.deepEqual(await other.entered(), own(1, 2));
  });

  test("do not wait for messages that say nothing, or that the database refuses", async () => {
    const { eventId, given, entered } = await open();
    const impossible = { ...placeOf(7), place: 2 ** 40 };
    const messages = [
      given(1),
      "{",
      JSON.stringify({ type: "places.given", eventId, places: [] }),
      { type: "places.given" as const, eventId, places: [placeOf(6), impossible] },
      JSON.stringify({ type: "places.taken", eventId }),
      given(2),
    ];
    const failures = await deliver(messages);
    assert.deepEqual(failures.map(({ id }) => id).sort(), ["1", "2", "3", "4"]);
    const reasons = new Map(failures.map(({ id, reason }) => [id, reason]));
    for (const id of ["1", "2", "4"]) assert.match(reasons.get(id) ?? "", /^This is no message of entry: /);
    assert.match(reasons.get("2") ?? "", /places/);
    assert.match(reasons.get("3") ?? "", /integer/);
    assert.deepEqual(await entered(), own(1, 2));
  });

  test("come by the queue, and what is no message ends among the dead letters", async () => {
    const { given, returned, entered } = await open();
    const queue = scene.program.opened.engines.queue(entryQueue.name, entryQueue.settings);
    const bodies = [given(1, 2, 3), returned(2)].map((message) => JSON.stringify(message));
    await queue.send(["nonsense", ...bodies]);
    for (;;) {
      const { waiting, inFlight, dead } = await queue.depth();
      if (waiting + inFlight === 0 && dead === 1) break;
      await delay(20);
    }
    const [letter] = await queue.peekDead(1);
    assert.equal(letter?.body, "nonsense");
    assert.match(letter?.reason ?? "", /no message of entry/);
    assert.deepEqual(await entered(), own(1, 3));
  });

  if (scene.database === "PGlite") return;

  test("wait for a runner who is just being added, and then know whether the bib is taken", async () => {
    const { db } = scene.program.registry;
    for (const end of ["commit", "rollback"] as const) {
      const { eventId, given, entered } = await open();
      const transaction = await db.startTransaction().execute();
      const runner = { event_id: eventId, bib_number: "0001", source: "MANUAL" as const };
      await transaction.insertInto("event_runners").values(runner).execute();
      const delivering = deliver([given(1, 2)]);
      await untilBlocked(scene.program, 1);
      await transaction[end]().execute();
      assert.deepEqual(await delivering, []);
      const moved = [...own(2), [bib(CAPACITY + 1), "u_1"]];
      assert.deepEqual(await entered(), end === "commit" ? moved : own(1, 2));
    }
  });

  test("of an event that is just being removed are done with", async () => {
    const { eventId, given, runners } = await open();
    const transaction = await scene.program.registry.db.startTransaction().execute();
    await transaction.deleteFrom("events").where("event_id", "=", eventId).execute();
    const delivering = deliver([given(1)]);
    await untilBlocked(scene.program, 1);
    await transaction.commit().execute();
    assert.deepEqual(await delivering, []);
    assert.deepEqual(await runners(), []);
  });

  test("come again when the database can't be reached, none of them to blame", async () => {
    const bare = await openBareDatabase("PostgreSQL");
    const db = await openRegistryDatabase(await bare.open());
    await bare.close();
    const errors: unknown[] = [];
    const { handler } = entrantsWork({ db, onError: (error) => errors.push(error) });
    const body = JSON.stringify({ type: "places.given", eventId: "race", places: [placeOf(1)] });
    const failures = await handler(["a", "b"].map((id) => ({ id, body, receives: 1, sentAt: 0 })));
    assert.deepEqual(
      failures.map(({ id, retryInMs }) => [id, retryInMs]),
      [
        ["a", undefined],
        ["b", undefined],
      ],
    );
    for (const { reason } of failures) assert.match(reason, /does not answer/);
    assert.equal(errors.length, 1);
    await db.destroy();
  });
});
