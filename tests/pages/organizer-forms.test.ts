/** What the organizer's forms compute before anything is sent: times in zones, zones on photos, patterns, rows of files. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { PhotoSettings } from "../../src/registry/settings.ts";
import { proposeSubdomain } from "../../web/src/pages/organizer/organization/subdomain.ts";
import { readCsvRows } from "../../web/src/pages/organizer/runners/csv-rows.ts";
import { compilePattern, DEFAULT_BIB_PATTERN, verdictOf } from "../../web/src/pages/organizer/settings/bib-pattern.ts";
import { eventChange } from "../../web/src/pages/organizer/settings/event-change.ts";
import { type EventForm, formOf, newEventForm, usualTimes } from "../../web/src/pages/organizer/settings/event-form.ts";
import { between, moved, resized, withValue } from "../../web/src/pages/organizer/settings/zone-geometry.ts";
import { existsAt, instantOf, localTimeOf } from "../../web/src/pages/organizer/settings/zoned-time.ts";

describe("times at the race's place", () => {
  const cases: [local: string, zone: string, instant: string][] = [
    ["2027-03-01T10:00", "Asia/Seoul", "2027-03-01T01:00:00.000Z"],
    ["2027-07-01T10:00", "Europe/Berlin", "2027-07-01T08:00:00.000Z"],
    ["2027-12-01T10:00", "Europe/Berlin", "2027-12-01T09:00:00.000Z"],
    ["2027-03-28T01:59", "Europe/Berlin", "2027-03-28T00:59:00.000Z"],
    ["2027-03-28T03:00", "Europe/Berlin", "2027-03-28T01:00:00.000Z"],
    ["2027-10-31T03:00", "Europe/Berlin", "2027-10-31T02:00:00.000Z"],
    ["2027-03-14T03:00", "America/New_York", "2027-03-14T07:00:00.000Z"],
    ["2027-01-01T00:00", "Pacific/Kiritimati", "2026-12-31T10:00:00.000Z"],
    ["2027-01-01T00:00", "Asia/Kathmandu", "2026-12-31T18:15:00.000Z"],
    ["2027-04-04T12:00", "Australia/Lord_Howe", "2027-04-04T01:30:00.000Z"],
  ];
  for (const [local, zone, instant] of cases) {
    test(`${local} in ${zone}`, () => {
      assert.equal(instantOf(local, zone), instant);
      assert.equal(localTimeOf(instant, zone), local);
      assert.ok(existsAt(local, zone));
    });
  }

  test("an hour that is left out means as much later, one that comes twice its first time", () => {
    assert.equal(instantOf("2027-03-28T02:30", "Europe/Berlin"), "2027-03-28T01:30:00.000Z");
    assert.equal(existsAt("2027-03-28T02:30", "Europe/Berlin"), false);
    assert.equal(instantOf("2027-10-31T02:30", "Europe/Berlin"), "2027-10-31T00:30:00.000Z");
    assert.equal(existsAt("2027-10-31T02:30", "Europe/Berlin"), true);
  });

  test("hours all over a year go there and back, in zones on both sides of the world", () => {
    for (const zone of ["Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Asia/Seoul"]) {
      for (let at = Date.UTC(2027, 0, 1); at < Date.UTC(2028, 0, 1); at += 5 * 3_600_000) {
        const local = localTimeOf(new Date(at).toISOString(), zone);
        const back = Date.parse(instantOf(local, zone) ?? "");
        const isRepeated = back !== at;
        if (isRepeated) assert.equal(localTimeOf(new Date(back).toISOString(), zone), local);
      }
    }
  });

  test("what is no time is none", () => {
    assert.equal(instantOf("", "Asia/Seoul"), undefined);
    assert.equal(instantOf("soon", "Asia/Seoul"), undefined);
  });
});

describe("an event's form", () => {
  const now = Date.parse("2027-01-06T12:00:00Z");
  const stored = {
    ...{ eventId: "e", orgId: "o", name: "Race", date: "2027-06-06", location: "Seoul", timeZone: "Asia/Seoul" },
    ...{ displayMode: "PHOTOS_ONLY" as const, published: true, createdAt: "", updatedAt: "" },
    photos: PhotoSettings.parse({}),
    entry: {
      ...{ eventType: "FIRST_COME" as const, capacityTotal: 9, bibStart: 7, bibFormat: "A000" },
      opensAt: "2027-02-01T01:00:00.123Z",
    },
  };
  const form = formOf(stored, now);
  const changeOf = (change: Partial<EventForm>) => eventChange(form, { ...form, ...change }, stored.entry);

  test("sends only what was changed, and leaves times that nobody touched as exact as they are", () => {
    assert.deepEqual(changeOf({}), {});
    assert.deepEqual(changeOf({ name: "Other" }), { name: "Other" });
    assert.deepEqual(changeOf({ retentionDays: "30" }), { photos: { retentionDays: 30 } });
    const entry = { ...form.entry, capacityTotal: "10" };
    assert.deepEqual(changeOf({ entry }), { entry: { ...stored.entry, capacityTotal: 10 } });
  });

  test("keeps what the clock shows when the race moves to another zone", () => {
    const { entry } = changeOf({ timeZone: "Europe/Berlin" });
    assert.equal(entry?.opensAt, "2027-02-01T09:00:00.000Z");
  });

  test("proposes a Sunday, and times in their order, however close the race is", () => {
    assert.equal(new Date(`${newEventForm(now, "Asia/Seoul").date}T00:00Z`).getUTCDay(), 0);
    for (const date of ["2027-01-06", "2027-01-07", "2027-01-20", "2027-02-01", "2028-01-01"]) {
      const { opensAt, closesAt, lotteryCutoffAt, announcedAt } = usualTimes(date, "2027-01-06");
      assert.ok(opensAt < closesAt && opensAt < lotteryCutoffAt && lotteryCutoffAt < announcedAt, date);
    }
  });
});

describe("zones on a photo", () => {
  test("are drawn in any direction and stay within it", () => {
    const zone = { left: 0.1, top: 0.2, width: 0.3, height: 0.3 };
    assert.deepEqual(between({ x: 0.4, y: 0.5 }, { x: 0.1, y: 0.2 }), zone);
    assert.deepEqual(moved(zone, { x: 5, y: -5 }), { left: 0.7, top: 0, width: 0.3, height: 0.3 });
    assert.deepEqual(resized(zone, "top-left", { x: 5, y: 5 }), { left: 0.39, top: 0.49, width: 0.01, height: 0.01 });
    assert.deepEqual(resized(zone, "bottom-right", { x: 5, y: -0.1 }), { ...zone, width: 0.9, height: 0.2 });
    assert.deepEqual(withValue(zone, "left", 0.9), { ...zone, left: 0.9, width: 0.1 });
    assert.deepEqual(withValue(zone, "width", 1), { ...zone, left: 0, width: 1 });
  });

  test("are always such as the server takes", () => {
    const spots = [-1, 0, 0.0004, 0.333, 0.5, 0.6667, 0.9996, 1, 2];
    for (const x of spots) {
      for (const y of spots) {
        const drawn = between({ x, y: 0.1 }, { x: y, y: 0.9 });
        if (drawn.width === 0) continue;
        for (const zone of [drawn, moved(drawn, { x: y, y: x }), resized(drawn, "top-right", { x, y })]) {
          const { success } = PhotoSettings.safeParse({ watermarkZones: [zone] });
          assert.ok(success, JSON.stringify(zone));
        }
      }
    }
  });
});

describe("a bib pattern", () => {
  test("is usable here if the server takes it, and only then", () => {
    const patterns = [
      DEFAULT_BIB_PATTERN,
      "[0-9]{4}",
      "",
      "(",
      "[0-9]*",
      "1)|(?:2",
      "(a+)+",
      "[0-9]?".repeat(28),
      "\\d+",
    ];
    for (const bibPattern of patterns) {
      assert.equal(
        compilePattern(bibPattern) !== undefined,
        PhotoSettings.safeParse({ bibPattern }).success,
        bibPattern,
      );
    }
  });

  test("tells bibs from other text, as written in photos", () => {
    const verdict = (text: string, source = DEFAULT_BIB_PATTERN) =>
      verdictOf(text, source, compilePattern(source) as RegExp);
    assert.deepEqual(
      ["1024", "a 37", "１２", "0815", "10K"].map((text) => verdict(text)),
      [...["bib", "bib", "bib", "partial", "other"]],
    );
    assert.equal(verdict("0815", "[0-9]{4}"), "bib");
  });
});

test("rows of a file have the lines that they start on, whatever their quotes and line ends", () => {
  const text = '\r\nbib;name\r\n1;"Kim, ""MJ""\r\nSeoul"\r\n;\r\n2;Lee\r\n3;"unclosed';
  const { header, rows } = readCsvRows(text, () => true, 99);
  assert.deepEqual(header, { line: 2, cells: ["bib", "name"] });
  assert.deepEqual(rows, [
    { line: 3, cells: ["1", 'Kim, "MJ"\r\nSeoul'] },
    { line: 6, cells: ["2", "Lee"] },
    { line: 7, cells: ["3", "unclosed"] },
  ]);
});

test("a subdomain is proposed for names in Latin and Korean letters", () => {
  assert.equal(proposeSubdomain("Läufer & Co. 2027"), "laufer-co-2027");
  assert.equal(proposeSubdomain("한강 러너스"), "hangang-reoneoseu");
  assert.equal(proposeSubdomain("한강 러너스".normalize("NFD")), "hangang-reoneoseu");
  assert.equal(proposeSubdomain("日本"), "");
});
