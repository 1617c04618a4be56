/** Times as a clock at the event's place shows them (`2027-03-01T10:00`), and the instants they are. */

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * An hour that comes twice in autumn means its first time; one that is left out in spring means as much later.
 * `undefined` for what is no time.
 */
export function instantOf(local: string, timeZone: string): string | undefined {
  const asUtc = Date.parse(`${local}Z`);
  if (local === "" || Number.isNaN(asUtc)) return undefined;
  // No zone changes its clock twice within two days.
  const before = offsetMs(asUtc - DAY_MS, timeZone);
  const after = offsetMs(asUtc + DAY_MS, timeZone);
  const fits = [before, after].find((offset) => offsetMs(asUtc - offset, timeZone) === offset);
  return new Date(asUtc - (fits ?? before)).toISOString();
}

/** As an input for day and time takes it: to the minute, or to the second where there are seconds. */
export function localTimeOf(instant: string, timeZone: string): string {
  const at = Date.parse(instant);
  const local = new Date(at + offsetMs(at, timeZone)).toISOString();
  return local.slice(0, local.slice(17, 19) === "00" ? 16 : 19);
}

/** Whether clocks at the place show this time at all. */
export function existsAt(local: string, timeZone: string): boolean {
  const instant = instantOf(local, timeZone);
  return instant === undefined || localTimeOf(instant, timeZone) === local;
}

/** `2027-03-01`, at the place. */
export function dayAt(at: number, timeZone: string): string {
  return localTimeOf(new Date(at).toISOString(), timeZone).slice(0, 10);
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** This browser's own zone, and all there are; a zone that the browser does not list stays choosable. */
export function timeZones(chosen: string): { own: string; others: string[] } {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const all = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", chosen].filter(Boolean));
  all.delete(own);
  return { own, others: [...all].sort() };
}

function offsetMs(at: number, timeZone: string): number {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map((part) => [part.type, Number(part.value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const options = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const format = new Intl.DateTimeFormat("en-US", {
    ...options,
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
    timeZone,
  });
  formats.set(timeZone, format);
  return format;
}
