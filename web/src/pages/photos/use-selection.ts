/** Which photos somebody chose: one by one, or from the last one up to this. */

import { useCallback, useMemo, useRef, useState } from "react";

export type Selection = {
  chosen: ReadonlySet<string>;
  /** With `upTo`, all between the one chosen before and this one. */
  toggle(ulid: string, upTo?: boolean): void;
  clear(): void;
};

export function useSelection(photos: readonly { ulid: string }[]): Selection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | undefined>(undefined);
  const latest = useRef(photos);
  latest.current = photos;
  const toggle = useCallback((ulid: string, upTo = false) => {
    const range = upTo ? between(latest.current, last.current, ulid) : [ulid];
    last.current = ulid;
    setChosen((before) => {
      const after = new Set(before);
      const adds = !before.has(ulid);
      for (const each of range) adds ? after.add(each) : after.delete(each);
      return after;
    });
  }, []);
  const clear = useCallback(() => {
    last.current = undefined;
    setChosen(new Set());
  }, []);
  return useMemo(() => ({ chosen, toggle, clear }), [chosen, toggle, clear]);
}

function between(photos: readonly { ulid: string }[], from: string | undefined, to: string): string[] {
  const [a, b] = [from, to].map((ulid) => photos.findIndex((photo) => photo.ulid === ulid)) as [number, number];
  if (a < 0 || b < 0) return [to];
  return photos.slice(Math.min(a, b), Math.max(a, b) + 1).map(({ ulid }) => ulid);
}
