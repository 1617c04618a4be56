/** Ctrl-C once stops cleanly, twice at once. */

import { exitWith } from "../exit.ts";
import type { Log } from "../log.ts";

// A terminal sends Ctrl-C to npm and to us, and npm passes it on: the two arrive together and are one wish.
const SAME_WISH_MS = 500;

export function stopOnSignal(stop: () => Promise<void>, log: Log): void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > SAME_WISH_MS) process.exit(130);
      return;
    }
    firstAt = performance.now();
    log.info({ signal }, "stopping");
    stop().then(
      () => process.exit(0),
      (error) => exitWith(error, log),
    );
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
}
