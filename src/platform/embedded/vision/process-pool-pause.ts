/** How long the process pool waits until it starts workers again: not at all after a few failed starts, then ever longer. */

const FAILURES_BEFORE_PAUSE = 3;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 60_000;

export function startPause() {
  let failures = 0;
  let endsAt = 0;
  return {
    lengthen() {
      failures += 1;
      if (failures < FAILURES_BEFORE_PAUSE) return;
      const pauseMs = FIRST_PAUSE_MS * 2 ** (failures - FAILURES_BEFORE_PAUSE);
      endsAt = performance.now() + Math.min(pauseMs, LONGEST_PAUSE_MS);
    },
    forget() {
      failures = 0;
      endsAt = 0;
    },
    remainingMs: () => Math.max(0, endsAt - performance.now()),
  };
}
