/** Who waits for a line of this process to move: pages that are kept up to date. */

export type Live = {
  moved(eventId: string): void;
  /** Calls back at each move until told to stop. */
  watch(eventId: string, onMove: () => void): () => void;
  /** Aborted when the process stops: nobody is kept waiting then. */
  ending: AbortSignal;
  end(): void;
};

export function createLive(): Live {
  const watchers = new Map<string, Set<() => void>>();
  const ending = new AbortController();
  return {
    ending: ending.signal,
    end: () => ending.abort(),
    moved: (eventId) => {
      for (const onMove of watchers.get(eventId) ?? []) onMove();
    },
    watch: (eventId, onMove) => {
      const those = watchers.get(eventId) ?? new Set();
      watchers.set(eventId, those.add(onMove));
      return () => {
        those.delete(onMove);
        if (those.size === 0 && watchers.get(eventId) === those) watchers.delete(eventId);
      };
    },
  };
}
