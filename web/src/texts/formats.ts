/** Numbers and times as the reader's language and region write them, in the event's time zone. */

import { localeOf } from "./texts.ts";
import { useTexts } from "./use-texts.tsx";

export type Formats = ReturnType<typeof formatsOf>;

export function useFormats(): Formats {
  return formatsOf(localeOf(useTexts().language));
}

function formatsOf(language: string) {
  const dated = (options: Intl.DateTimeFormatOptions, zone?: string) =>
    new Intl.DateTimeFormat(language, { ...options, ...(zone && { timeZone: zone }) });
  return {
    number: (value: number) => new Intl.NumberFormat(language).format(value),
    percent: (share: number) => new Intl.NumberFormat(language, { style: "percent" }).format(share),
    /** A day without a time, as events have: `2027-05-02`. */
    day: (date: string) => dated({ dateStyle: "full" }, "UTC").format(new Date(`${date}T00:00:00Z`)),
    shortDay: (date: string) =>
      dated({ year: "numeric", month: "short", day: "numeric" }, "UTC").format(new Date(`${date}T00:00:00Z`)),
    moment: (at: number | string, zone?: string) =>
      dated({ dateStyle: "medium", timeStyle: "short" }, zone).format(new Date(at)),
    /** To the second, for what people compare. */
    second: (at: number | string, zone?: string) =>
      dated({ dateStyle: "medium", timeStyle: "medium" }, zone).format(new Date(at)),
    /** With the zone's name, where a reader elsewhere might take it for their own. */
    zonedMoment: (at: number | string, zone: string) =>
      dated(
        { year: "numeric", month: "long", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" },
        zone,
      ).format(new Date(at)),
    /** Hours and minutes alone. */
    hour: (at: number | string, zone?: string) => dated({ timeStyle: "short" }, zone).format(new Date(at)),
    /** To the second, for what is told apart by it. */
    exactMoment: (at: number | string, zone?: string) =>
      dated({ month: "short", day: "numeric", hour: "numeric", minute: "2-digit", second: "2-digit" }, zone).format(
        new Date(at),
      ),
    clock: (at: number | string, zone?: string) => dated({ timeStyle: "medium" }, zone).format(new Date(at)),
    bytes: (bytes: number) => formatBytes(bytes, language),
    duration: (ms: number) => formatDuration(ms, language),
    /** A duration that may be over in moments: `0.12 sec`. */
    wait: (ms: number) => (ms < 10_000 ? formatSeconds(ms, language) : formatDuration(ms, language)),
    ago: (at: number | string, now = Date.now()) => formatAgo(new Date(at).getTime() - now, language),
    list: (values: string[]) => new Intl.ListFormat(language).format(values),
  };
}

function formatBytes(bytes: number, language: string): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const unit = units[step] ?? "byte";
  const options = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: step > 1 ? 1 : 0 } as const;
  return new Intl.NumberFormat(language, options).format(bytes / 1000 ** step);
}

const SPANS = [
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1000 },
] as const;

/** The two largest units that matter: `2 days 3 hr`, `4 min 10 sec`. */
function formatDuration(ms: number, language: string): string {
  let rest = Math.max(0, Math.round(ms / 1000) * 1000);
  const parts = SPANS.flatMap(({ unit, ms: span }) => {
    const count = Math.floor(rest / span);
    rest -= count * span;
    return count > 0
      ? [new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(count)]
      : [];
  });
  const zero = new Intl.NumberFormat(language, { style: "unit", unit: "second", unitDisplay: "short" }).format(0);
  return parts.slice(0, 2).join(" ") || zero;
}

function formatSeconds(ms: number, language: string): string {
  const options = { style: "unit", unit: "second", unitDisplay: "short", maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(language, options).format(ms / 1000);
}

function formatAgo(deltaMs: number, language: string): string {
  const { unit, ms } = SPANS.find((span) => Math.abs(deltaMs) >= span.ms) ?? { unit: "second" as const, ms: 1000 };
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(Math.round(deltaMs / ms), unit);
}
