/** The instants between which a day lies where the race is, also on days that have 23 or 25 hours there. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** More than any clock on earth is ahead of or behind UTC. */
const FARTHEST_MS = 16 * HOUR_MS;

/** `date` is YYYY-MM-DD; `startsAt` is the day's first instant, `endsAt` the next day's, in epoch milliseconds. */
export function dayBounds(date: string, timeZone: string): { startsAt: number; endsAt: number } {
  const day = Date.parse(date);
  const calendar = new Intl.DateTimeFormat("en", { timeZone, year: "numeric", month: "numeric", day: "numeric" });
  return { startsAt: firstInstantOf(day, calendar), endsAt: firstInstantOf(day + DAY_MS, calendar) };
}

/** Midnight is not always there, nor always the first: so the calendar itself is asked when it turns. */
function firstInstantOf(day: number, calendar: Intl.DateTimeFormat): number {
  let before = day - FARTHEST_MS;
  let reached = day + FARTHEST_MS;
  while (reached - before > 1) {
    const middle = Math.floor((before + reached) / 2);
    if (dayAt(middle, calendar) >= day) reached = middle;
    else before = middle;
  }
  return reached;
}

function dayAt(instant: number, calendar: Intl.DateTimeFormat): number {
  const parts = Object.fromEntries(calendar.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = Number.NaN, month = Number.NaN, day = Number.NaN } = parts;
  return Date.UTC(year, month - 1, day);
}
