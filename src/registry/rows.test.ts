/** The registry's rows move from one program to another, whichever databases they are on. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DATABASES, openDatabases, type TestProgram } from "../../tests/harness/program.ts";

type Row = { [column: string]: unknown };
type Rows = { [table: string]: Row[] };

async function rowsOf({ registry }: TestProgram): Promise<Rows> {
  const source = await registry.openRows();
  const rows: Rows = {};
  for (const table of source.tables) rows[table] = await Array.fromAsync(source.rows(table));
  return rows;
}

async function insertAll({ registry }: TestProgram, rows: Rows): Promise<void> {
  const target = await registry.openRows();
  for (const [table, all] of Object.entries(JSON.parse(JSON.stringify(rows)) as Rows)) {
    for (let start = 0; start < all.length; start += 700) await target.insert(table, all.slice(start, start + 700));
  }
}

/** The same instant is written in each server's own time zone. */
function inUtc(rows: Rows): Rows {
  return JSON.parse(JSON.stringify(rows), (_name, value) =>
    typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) ? new Date(value).toISOString() : value,
  );
}

/** Something in every table that moves, and more runners than are read at once. */
async function fill(program: TestProgram): Promise<{ orgId: string; eventId: string }> {
  const { orgId, organizer } = await program.makeOrganization("한강.Runners");
  const path = `/admin/organizations/${encodeURIComponent(orgId)}`;
  await organizer("PATCH", path, { branding: { accentColor: "#c2410c" } });
  for (const name of ["zoe", "abe"]) await organizer("PUT", `${path}/organizers/${name}@example.com`);
  const entry = { eventType: "FIRST_COME", capacityTotal: 10, opensAt: "2090-01-05T10:00:00+09:00" };
  const event = { name: 'Race \\ "10K" \'', date: "2090-04-18", timeZone: "Asia/Seoul", entry };
  const made = await organizer("POST", `${path}/events`, event);
  await organizer("POST", `${path}/events`, { ...event, entry: null, published: false });
  const eventId: string = made.body.eventId;
  const runners = Array.from({ length: 2300 }, (_, n) => `${n % 2 ? "A" : ""}${n},Kim ${n}`);
  await organizer("POST", `/admin/events/${eventId}/runners/import`, `bib,name\n${runners.join("\n")}\n`);
  const result = { splits: [1.5, null, "a\u2028\\u0000"], chip: 1e21 };
  await organizer("PATCH", `/admin/events/${eventId}/runners/A7`, { timingResult: result, age: 30 });
  const photographer = { photographerId: "minji", name: "Minji", instagramHandle: "minji", bio: "Two\nlines" };
  await organizer("POST", `${path}/photographers`, photographer);
  await organizer("PUT", `/admin/events/${eventId}/photographers/minji`, { role: "start" });
  await addPlaces(program, eventId);
  await addPeople(program);
  return { orgId, eventId };
}

/** Two that were given, of which one came back, and one that came back before we heard of it. */
async function addPlaces({ registry: { db } }: TestProgram, eventId: string): Promise<void> {
  const given = { event_id: eventId, request_id: "r_1", user_id: "u_1", place: 1, bib_number: "E0001" };
  const returned = { ...given, request_id: "r_2", place: 2, bib_number: "E0002", returned: true };
  const early = { event_id: eventId, request_id: "r_0", returned: true };
  for (const row of [given, returned, early]) await db.insertInto("entry_places").values(row).execute();
}

async function addPeople({ registry: { db } }: TestProgram): Promise<void> {
  const now = new Date();
  const later = new Date(now.getTime() + 86_400_000);
  const times = { created_at: now, updated_at: now };
  const user = { id: "u_1", name: "", email: "abe@example.com", email_verified: true, ...times };
  await db.insertInto("users").values(user).execute();
  const session = { id: "s_1", user_id: "u_1", token: "t", expires_at: later, ip_address: null, user_agent: null };
  await db
    .insertInto("sessions")
    .values({ ...session, ...times })
    .execute();
  const token = { token_id: "t_1", user_id: "u_1", name: "upload", expires_at: later };
  await db.insertInto("script_tokens").values(token).execute();
  const revocation = { subject: "token t_0", issued_before: now, forget_at: later };
  await db.insertInto("revocations").values(revocation).execute();
}

describe("the registry's rows", () => {
  const databases: Awaited<ReturnType<typeof openDatabases>>[] = [];
  const programs: TestProgram[] = [];
  let ids: { orgId: string; eventId: string };
  let moved: Rows;
  before(async () => {
    for (const database of [...DATABASES, DATABASES[0]]) {
      const opened = await openDatabases(database);
      databases.push(opened);
      programs.push(await opened.open());
    }
    ids = await fill(programs[0] as TestProgram);
    moved = await rowsOf(programs[0] as TestProgram);
  });
  after(() => Promise.all(databases.map((each) => each.close())));
  const program = (n: number) => programs[n] as TestProgram;

  test("are all there is but sessions, codes and what is counted", async () => {
    const counts = Object.fromEntries(Object.entries(moved).map(([table, rows]) => [table, rows.length]));
    assert.deepEqual(counts, {
      organizers: 1,
      organizer_members: 2,
      events: 2,
      event_runners: 2300,
      entry_places: 3,
      photographers: 1,
      event_photographers: 1,
      users: 1,
      script_tokens: 1,
      revocations: 1,
    });
    assert.equal(new Set(moved.event_runners?.map((row) => row.bib_number)).size, 2300);
    const rows = await program(0).registry.openRows();
    await assert.rejects(async () => Array.fromAsync(rows.rows("sessions")), /no table sessions/);
    await assert.rejects(async () => rows.insert("outbox", [{ body: {} }]), /no table outbox/);
  });

  test("are the same on the other database, and back again", async () => {
    for (const [from, to] of [
      [0, 1],
      [1, 2],
    ] as const) {
      assert.equal(await (await program(to).registry.openRows()).isEmpty(), true);
      await insertAll(program(to), await rowsOf(program(from)));
      assert.equal(await (await program(to).registry.openRows()).isEmpty(), false);
      assert.deepEqual(inUtc(await rowsOf(program(to))), inUtc(moved));
    }
    const answers = programs.map(async ({ as }) => {
      const operator = as({ operator: true });
      const paths = [
        `/admin/organizations/${encodeURIComponent(ids.orgId)}`,
        `/admin/events/${ids.eventId}`,
        `/admin/events/${ids.eventId}/runners?limit=200`,
        "/photographers/minji",
      ];
      const replies = [];
      for (const path of paths) replies.push((await operator("GET", path)).body);
      return replies;
    });
    const [source, ...targets] = await Promise.all(answers);
    for (const target of targets) assert.deepEqual(target, source);
    // It is the database that orders runners: its own column is made anew.
    assert.deepEqual(
      source?.[2].items.slice(0, 3).map(({ bib }: { bib: string }) => bib),
      ["0", "2", "4"],
    );
  });

  test("that are there already are left as they are", async () => {
    const { as, registry } = program(1);
    const path = `/admin/organizations/${encodeURIComponent(ids.orgId)}`;
    await as({ operator: true })("PATCH", path, { name: "Renamed" });
    await registry.db.deleteFrom("event_runners").where("bib_number", "=", "A7").execute();
    const changed = await rowsOf(program(1));
    await insertAll(program(1), moved);
    const again = await rowsOf(program(1));
    assert.deepEqual(again.organizers, changed.organizers);
    assert.equal(again.organizers?.[0]?.name, "Renamed");
    // What was missing is there again, so that a move cut short can go on.
    assert.equal(changed.event_runners?.length, 2299);
    assert.deepEqual(inUtc({ runners: again.event_runners ?? [] }), inUtc({ runners: moved.event_runners ?? [] }));
    await (await registry.openRows()).insert("events", []);
  });
});
