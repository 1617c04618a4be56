/** Times of an event's line as people read them. */

/** In UTC, to the second, as an option takes it again. */
export function instant(at: number): string;
export function instant(at: number | null): string | undefined;
export function instant(at: number | null): string | undefined {
  return at === null ? undefined : new Date(at).toISOString().replace(/\.\d+/, "");
}

/** "12 ms", "3.4 s", "5 min", "2.0 h". */
export function duration(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${(ms / 3_600_000).toFixed(1)} h`;
}
