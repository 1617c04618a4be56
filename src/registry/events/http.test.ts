/** Events as organizers make, change and remove them, over HTTP, on both databases. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { onEachDatabase, readPages, untilBlocked, wrongFields } from "../../../tests/harness/registry.ts";

const NEW = { name: "Han River 10K", date: "2090-04-18", timeZone: "Asia/Seoul" };
const FIRST_COME = { eventType: "FIRST_COME", capacityTotal: 300, opensAt: "2090-01-05T10:00:00+09:00" };
const LOTTERY = {
  eventType: "LOTTERY",
  capacityTotal: 50,
  opensAt: "2090-01-05T01:00:00Z",
  lotteryCutoffAt: "2090-02-05T01:00:00Z",
  announcedAt: "2090-02-05T01:00:00Z",
};

const todayIn = (timeZone: string) => new Date().toLocaleDateString("sv-SE", { timeZone });

/** The day before a YYYY-MM-DD. */
const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);

onEachDatabase("events", (scene) => {
  const open = async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    const make = (event: object) => organizer("POST", `/admin/organizations/${orgId}/events`, event);
    return { orgId, organizer, make };
  };
  const openEvent = async (event: object = {}) => {
    const scenery = await open();
    const { body } = await scenery.make({ ...NEW, ...event });
    return { ...scenery, eventId: body.eventId as string, path: `/admin/events/${body.eventId}` };
  };

  test("have defaults for all but name, day and time zone", async () => {
    const { orgId, organizer, make } = await open();
    const { status, headers, body } = await make(NEW);
    assert.equal(status, 201, JSON.stringify(body));
    const { eventId, createdAt, updatedAt, ...event } = body;
    assert.match(eventId, /^han-river-10k-[0-9a-f]{6}$/);
    assert.equal(headers.get("location"), `/api/admin/events/${eventId}`);
    assert.deepEqual([createdAt, updatedAt].map(Date.parse).map(Number.isNaN), [false, false]);
    assert.deepEqual(event, {
      ...NEW,
      orgId,
      location: "To be announced",
      displayMode: "RESULTS_AND_PHOTOS",
      published: true,
      photos: {
        bibPattern: "[A-Z]?[0-9]{1,6}",
        watermarkZones: [
          { left: 0, top: 0.93, width: 0.2, height: 0.07 },
          { left: 0.8, top: 0.93, width: 0.2, height: 0.07 },
        ],
        faceIndexing: true,
        retentionDays: 90,
      },
      entry: null,
    });
    assert.deepEqual((await organizer("GET", `/admin/events/${eventId}`)).body, body);
  });

  test("keep every setting as it was given", async () => {
    const { orgId, organizer, make } = await open();
    const event = {
      ...NEW,
      eventId: `full-${orgId}`,
      location: "여의도공원",
      displayMode: "PHOTOS_ONLY",
      published: false,
      photos: {
        bibPattern: "(?:VIP|[A-F])?\\d{3,5}",
        watermarkZones: [{ left: 0.1, top: 0, width: 0.9, height: 1 }],
        faceIndexing: false,
        retentionDays: 1,
      },
      entry: {
        ...LOTTERY,
        cancelUntil: "2090-03-01T00:00:00Z",
        bibStart: 1001,
        bibFormat: "A0000",
        beaconSource: "drand round 4567890",
      },
    };
    const { body } = await make(event);
    const { createdAt, updatedAt, orgId: owner, ...kept } = body;
    assert.deepEqual([owner, typeof createdAt, typeof updatedAt], [orgId, "string", "string"]);
    assert.deepEqual(kept, {
      ...event,
      entry: {
        ...event.entry,
        opensAt: "2090-01-05T01:00:00.000Z",
        lotteryCutoffAt: "2090-02-05T01:00:00.000Z",
        announcedAt: "2090-02-05T01:00:00.000Z",
        cancelUntil: "2090-03-01T00:00:00.000Z",
      },
    });
    assert.deepEqual((await organizer("GET", `/admin/events/${event.eventId}`)).body, body);
    const firstCome = await make({ ...NEW, entry: { ...FIRST_COME, closesAt: "2090-01-05T01:00:00.001Z" } });
    assert.deepEqual(firstCome.body.entry, {
      ...FIRST_COME,
      opensAt: "2090-01-05T01:00:00.000Z",
      closesAt: "2090-01-05T01:00:00.001Z",
      bibStart: 1,
      bibFormat: "0000",
    });
  });

  const zone = { left: 0, top: 0, width: 0.5, height: 0.5 };
  const photos = (field: string, value: unknown) => ({ photos: { [field]: value } });
  const entry = (change: object) => ({ entry: { ...LOTTERY, ...change } });
  const refusals: [what: string, change: object, field: string, code?: string][] = [
    ["a time zone nobody knows", { timeZone: "Asia/Atlantis" }, "timeZone", "event.unknown-time-zone"],
    ["an offset for a time zone", { timeZone: "+09:00" }, "timeZone", "event.unknown-time-zone"],
    ["a day that is none", { date: "2090-02-29" }, "date"],
    ["an instant for a day", { date: "2090-04-18T09:00:00Z" }, "date"],
    ["an empty name", { name: " \u3000 " }, "name"],
    ["a name of two lines", { name: "Han\nRiver" }, "name"],
    ["a name that queues can't carry", { name: "Han\ufffe" }, "name"],
    ["a missing name", { name: undefined }, "name"],
    ["a missing time zone", { timeZone: undefined }, "timeZone"],
    ["a wrong type", { published: "yes" }, "published"],
    ["an unknown display mode", { displayMode: "EVERYTHING" }, "displayMode"],
    ["an unknown field", { organizer: "me" }, "organizer"],
    ["an unknown field within", { photos: { zones: [] } }, "photos.zones"],
    ["an unknown field deep within", photos("watermarkZones", [{ ...zone, x: 1 }]), "photos.watermarkZones.0.x"],
    ["a bib pattern that does not compile", photos("bibPattern", "[0-9"), "photos.bibPattern"],
    ["a bib pattern that fits no text at all", photos("bibPattern", "[0-9]*"), "photos.bibPattern"],
    ["a bib pattern that steps out of its brackets", photos("bibPattern", "1)|(?:2"), "photos.bibPattern"],
    ["a bib pattern that takes long", photos("bibPattern", `1${"[0-9]?".repeat(7)}`), "photos.bibPattern"],
    ["a bib pattern with a repeated group", photos("bibPattern", "1([0-9]+)*"), "photos.bibPattern"],
    ["a zone outside the picture", photos("watermarkZones", [{ ...zone, left: 0.6 }]), "photos.watermarkZones.0"],
    ["a zone below the picture", photos("watermarkZones", [zone, { ...zone, top: 0.6 }]), "photos.watermarkZones.1"],
    ["a zone without a size", photos("watermarkZones", [{ ...zone, width: 0 }]), "photos.watermarkZones.0"],
    ["half a day of retention", photos("retentionDays", 0.5), "photos.retentionDays"],
    ["a cutoff before the opening", entry({ lotteryCutoffAt: "2090-01-05T01:00:00Z" }), "entry.lotteryCutoffAt"],
    ["results before the cutoff", entry({ announcedAt: "2090-02-05T09:59:59+09:00" }), "entry.announcedAt"],
    ["a closing before the opening", { entry: { ...FIRST_COME, closesAt: FIRST_COME.opensAt } }, "entry.closesAt"],
    ["an instant that is none", entry({ opensAt: "soon" }), "entry.opensAt"],
    ["an instant without its offset", entry({ opensAt: "2090-01-05T10:00:00" }), "entry.opensAt"],
    ["entry of an unknown kind", entry({ eventType: "AUCTION" }), "entry.eventType"],
    ["a lottery's field in first-come", { entry: { ...FIRST_COME, announcedAt: NEW.date } }, "entry.announcedAt"],
    ["a beacon in first-come", { entry: { ...FIRST_COME, beaconSource: "drand" } }, "entry.beaconSource"],
    ["a beacon of two lines", entry({ beaconSource: "drand\nround 1" }), "entry.beaconSource"],
    ["no places", entry({ capacityTotal: 0 }), "entry.capacityTotal"],
    ["a bib format of other signs", entry({ bibFormat: "#000" }), "entry.bibFormat"],
  ];

  test("refuse what can't be, each with its field", async () => {
    const { organizer, make, path } = await openEvent();
    const before = await organizer("GET", path);
    for (const [what, change, field, code = "input.invalid"] of refusals) {
      const made = await make({ ...NEW, ...change });
      assert.deepEqual([made.status, made.body.code], [400, code], what);
      assert.deepEqual([...new Set(wrongFields(made))], [field], what);
      // A field that is left out of a change is no mistake.
      if (Object.values(change).includes(undefined)) continue;
      const changed = await organizer("PATCH", path, change);
      assert.deepEqual([changed.status, changed.body.code, wrongFields(changed)[0]], [400, code, field], what);
    }
    assert.deepEqual((await organizer("GET", path)).body, before.body);
  });

  test("are not in the past, by the calendar of their time zone", async () => {
    const { make } = await open();
    const [first, last] = ["Pacific/Kiritimati", "Pacific/Niue"];
    // There it is always a day later already.
    const late = await make({ ...NEW, date: todayIn(last), timeZone: first });
    assert.deepEqual([late.status, late.body.code], [400, "event.in-past"]);
    const yesterday = await make({ ...NEW, date: dayBefore(todayIn(last)), timeZone: last });
    assert.deepEqual([yesterday.status, yesterday.body.code], [400, "event.in-past"]);
    for (const timeZone of [first, last]) {
      let date: string;
      let status: number;
      // Again if it was midnight just then.
      do {
        date = todayIn(timeZone);
        ({ status } = await make({ ...NEW, date, timeZone }));
      } while (date !== todayIn(timeZone));
      assert.equal(status, 201, `${date} in ${timeZone}`);
    }
  });

  test("have an id that nobody else has", async () => {
    const { eventId } = await openEvent();
    const other = await open();
    const taken = await other.make({ ...NEW, eventId });
    assert.deepEqual([taken.status, taken.body.code], [409, "event.exists"]);
    const nowhere = await scene.operator("POST", "/admin/organizations/nowhere/events", NEW);
    assert.deepEqual([nowhere.status, nowhere.body.code], [404, "organization.not-found"]);
  });

  test("keep what a change leaves out", async () => {
    const { organizer, path } = await openEvent({ entry: FIRST_COME, location: "Yeouido" });
    const before = (await organizer("GET", path)).body;
    const { body } = await organizer("PATCH", path, { name: "Half", photos: { retentionDays: 7 } });
    const photos = { ...before.photos, retentionDays: 7 };
    assert.deepEqual(body, { ...before, name: "Half", photos, updatedAt: body.updatedAt });
    assert.ok(body.updatedAt >= before.updatedAt);
    const without = await organizer("PATCH", path, { entry: null });
    assert.deepEqual([without.body.entry, without.body.location], [null, "Yeouido"]);
    const again = await organizer("PATCH", path, { entry: LOTTERY });
    assert.equal(again.body.entry.eventType, "LOTTERY");
    assert.deepEqual((await organizer("PATCH", path, {})).body.entry, again.body.entry);
  });

  test("can be edited after the race, but not moved to another day of the past", async () => {
    const { organizer, path, eventId } = await openEvent();
    await scene.program.registry.db
      .updateTable("events")
      .set({ event_date: "2020-02-29" })
      .where("event_id", "=", eventId)
      .execute();
    const renamed = await organizer("PATCH", path, { name: "Run", date: "2020-02-29" });
    assert.deepEqual([renamed.status, renamed.body.name, renamed.body.date], [200, "Run", "2020-02-29"]);
    const moved = await organizer("PATCH", path, { date: "2020-03-01" });
    assert.deepEqual([moved.status, moved.body.code], [400, "event.in-past"]);
    assert.equal((await organizer("PATCH", path, { date: "2091-03-01" })).body.date, "2091-03-01");
  });

  test("go once they are named again, and others hear of it", async () => {
    const { organizer, path, eventId, orgId } = await openEvent();
    for (const query of ["", "?confirm=", "?confirm=other"]) {
      const { status, body } = await organizer("DELETE", `${path}${query}`);
      assert.deepEqual([status, body.code], [400, "input.not-confirmed"], query);
    }
    const announced = async () => (await scene.announced()).filter((each) => "eventId" in each);
    assert.ok(!(await announced()).some((each) => each.eventId === eventId));
    assert.equal((await organizer("DELETE", `${path}?confirm=${eventId}`)).status, 204);
    assert.equal((await organizer("GET", path)).body.code, "event.not-found");
    assert.equal((await organizer("DELETE", `${path}?confirm=${eventId}`)).status, 404);
    const told = (await announced()).filter((each) => each.eventId === eventId);
    assert.deepEqual(
      told.map(({ occurredAt, ...message }) => message),
      [{ type: "event.removed", eventId, orgId, revision: 0 }],
    );
  });

  test("are listed to their organizers, drafts too, the latest day first", async () => {
    const { orgId, organizer, make } = await open();
    const days = ["2090-05-01", "2090-05-03", "2090-05-01", "2090-05-02", "2090-05-01"];
    for (const [n, date] of days.entries()) {
      await make({ ...NEW, eventId: `${orgId}-${n}`, date, published: n % 2 === 0 });
    }
    const path = `/admin/organizations/${orgId}/events`;
    const pages = await readPages<{ eventId: string }>(organizer, path, 2);
    assert.deepEqual(
      pages.map((page) => page.map(({ eventId }) => eventId)),
      [[`${orgId}-1`, `${orgId}-3`], [`${orgId}-0`, `${orgId}-2`], [`${orgId}-4`]],
    );
    for (const date of ["2090-13-41", "yesterday", "2090-05-01\u0000"]) {
      const cursor = Buffer.from(JSON.stringify({ date, eventId: "x" })).toString("base64url");
      const { status, body } = await organizer("GET", `${path}?cursor=${cursor}`);
      assert.deepEqual([status, body.code], [400, "cursor.invalid"], date);
    }
  });

  test("are as if they were not there to other organizations", async () => {
    const [own, other] = [await openEvent(), await openEvent()];
    for (const [method, below, send] of [
      ["GET", ""],
      ["PATCH", "", { name: "Mine" }],
      ["DELETE", `?confirm=${other.eventId}`],
      ["GET", "/runners"],
      ["POST", "/runners", { bib: "1" }],
      ["POST", "/runners/import", "bib\n1\n"],
      ["GET", "/runners.csv"],
      ["GET", "/photographers"],
    ] as const) {
      const { status, body } = await own.organizer(method, `${other.path}${below}`, send);
      assert.deepEqual([status, body.code], [404, "event.not-found"], `${method} ${below}`);
    }
    const listed = await own.organizer("GET", `/admin/organizations/${other.orgId}/events`);
    assert.deepEqual([listed.status, listed.body.code], [404, "organization.not-found"]);
    assert.equal((await other.organizer("GET", other.path)).body.name, NEW.name);
  });

  if (scene.database === "PGlite") return;

  test("that are just being removed take nobody in", async () => {
    const { orgId, organizer, eventId, path } = await openEvent();
    const photographer = { photographerId: `minji-${orgId}`, name: "Minji" };
    await organizer("POST", `/admin/organizations/${orgId}/photographers`, photographer);
    const transaction = await scene.program.registry.db.startTransaction().execute();
    await transaction.deleteFrom("events").where("event_id", "=", eventId).execute();
    const adding = [
      organizer("POST", `${path}/runners`, { bib: "1" }),
      organizer("POST", `${path}/runners/import`, "bib\n1\n"),
      organizer("PUT", `${path}/photographers/${photographer.photographerId}`, {}),
      organizer("PATCH", path, { name: "Gone" }),
    ];
    await untilBlocked(scene.program, adding.length);
    await transaction.commit().execute();
    for (const { status, body } of await Promise.all(adding)) {
      assert.deepEqual([status, body.code], [404, "event.not-found"]);
    }
  });
});
