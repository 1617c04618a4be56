/** A day begins and ends by the calendar of its time zone, whatever its clocks do on it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dayBounds } from "./day-bounds.ts";

const HOUR_MS = 3_600_000;

/** Worked out by hand from the zones' rules, with the length of the day in hours. */
const DAYS: [date: string, timeZone: string, startsAt: string, hours: number][] = [
  ["2027-04-18", "UTC", "2027-04-18T00:00:00.000Z", 24],
  ["2027-04-18", "Asia/Seoul", "2027-04-17T15:00:00.000Z", 24],
  ["2028-02-29", "Asia/Kathmandu", "2028-02-28T18:15:00.000Z", 24],
  ["2027-12-31", "Pacific/Kiritimati", "2027-12-30T10:00:00.000Z", 24],
  ["2027-12-31", "Pacific/Niue", "2027-12-31T11:00:00.000Z", 24],
  ["2027-12-31", "Etc/GMT+12", "2027-12-31T12:00:00.000Z", 24],
  // The clocks of New York go forward on the second Sunday in March and back on the first in November, at two.
  ["2027-03-14", "America/New_York", "2027-03-14T05:00:00.000Z", 23],
  ["2027-03-15", "America/New_York", "2027-03-15T04:00:00.000Z", 24],
  ["2027-11-07", "America/New_York", "2027-11-07T04:00:00.000Z", 25],
  ["2027-11-08", "America/New_York", "2027-11-08T05:00:00.000Z", 24],
  // Half an hour, at two.
  ["2027-04-04", "Australia/Lord_Howe", "2027-04-03T13:00:00.000Z", 24.5],
  // At midnight itself: the day begins at one.
  ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z", 23],
  // At midnight itself: the hour before it comes twice, and both are the day's before.
  ["2018-02-17", "America/Sao_Paulo", "2018-02-17T02:00:00.000Z", 25],
  ["2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z", 24],
  // Samoa crossed the date line: the 30th was not, and nothing of it lies between its bounds.
  ["2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00.000Z", 24],
  ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z", 0],
  ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z", 24],
  ["9999-12-31", "Asia/Seoul", "9999-12-30T15:00:00.000Z", 24],
];

for (const [date, timeZone, startsAt, hours] of DAYS) {
  test(`${date} in ${timeZone} begins at ${startsAt} and has ${hours} hours`, () => {
    const bounds = dayBounds(date, timeZone);
    assert.deepEqual(
      [new Date(bounds.startsAt).toISOString(), (bounds.endsAt - bounds.startsAt) / HOUR_MS],
      [startsAt, hours],
    );
  });
}

test("a day ends where the next begins, and only the instants between are that day's, in every zone", () => {
  const zones = Intl.supportedValuesOf("timeZone");
  const days = fc.integer({ min: Date.UTC(2020, 0, 1) / 86_400_000, max: Date.UTC(2060, 0, 1) / 86_400_000 });
  fc.assert(
    fc.property(fc.constantFrom(...zones), days, (timeZone, day) => {
      const dateOf = (n: number) => new Date(n * 86_400_000).toISOString().slice(0, 10);
      const { startsAt, endsAt } = dayBounds(dateOf(day), timeZone);
      assert.equal(dayBounds(dateOf(day + 1), timeZone).startsAt, endsAt);
      const localDate = (instant: number) => new Date(instant).toLocaleDateString("sv-SE", { timeZone });
      assert.deepEqual(
        [startsAt - 1, startsAt, endsAt - 1, endsAt].map(localDate),
        [day - 1, day, day, day + 1].map(dateOf),
      );
    }),
    { numRuns: 500 },
  );
});
