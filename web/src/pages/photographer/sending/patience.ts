/** Waits out what passes by itself, longer each time, and goes on at once when the browser says it is online again. */

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

export type Patience = ReturnType<typeof createPatience>;

export function createPatience(goOn: () => void) {
  let failures = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    goOn();
  };
  addEventListener("online", end);
  return {
    /** Nothing new is begun now. */
    isWaiting: () => timer !== undefined,
    /** It failed, and has not worked since. */
    isTried: () => failures > 0,
    failed: () => {
      // Those that failed together count once.
      if (timer !== undefined) return;
      failures += 1;
      const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
      timer = setTimeout(end, wait * (0.75 + Math.random() / 2));
    },
    worked: () => {
      failures = 0;
    },
  };
}
