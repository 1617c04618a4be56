/** What many ask for at once is read once and kept for a moment. */

import type { Clock } from "./ports.ts";

const MOST_KEPT = 200;

export type Fresh<T> = { read(eventId: string): Promise<T>; forget(eventId: string): void };

export function keepFresh<T>(
  { clock, freshMs }: { clock: Clock; freshMs: number },
  read: (eventId: string) => Promise<T>,
): Fresh<T> {
  const kept = new Map<string, { until: number; value: Promise<T> }>();
  return {
    forget: (eventId) => void kept.delete(eventId),
    read: (eventId) => {
      const now = clock.now();
      const known = kept.get(eventId);
      if (known && now < known.until) return known.value;
      if (kept.size >= MOST_KEPT) kept.clear();
      const value = read(eventId);
      const entry = { until: now + freshMs, value };
      kept.set(eventId, entry);
      value.catch(() => {
        if (kept.get(eventId) === entry) kept.delete(eventId);
      });
      return value;
    },
  };
}
