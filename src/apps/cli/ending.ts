/** Early ends of a command, by Ctrl-C or because nobody reads on: what was opened is closed before the process goes. */

// A terminal sends Ctrl-C to the launcher and to us, and the launcher passes it on: the two are one wish.
const SAME_WISH_MS = 500;
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

const opened = new Set<() => Promise<void>>();
let endingSince: number | undefined;

/** Gives a function that closes, once. If the command ends early, it is called by itself. */
export function closeAtEnd(close: () => Promise<void>): () => Promise<void> {
  let closing: Promise<void> | undefined;
  const closeOnce = () => {
    closing ??= close().finally(() => opened.delete(closeOnce));
    return closing;
  };
  opened.add(closeOnce);
  return closeOnce;
}

/** For commands that end by themselves; a server has its own way to stop. */
export function endOnSignals(): void {
  for (const [signal, exitCode] of Object.entries(EXIT_CODES)) {
    process.on(signal, () => {
      if (endingSince === undefined) void endWith(exitCode);
      else if (performance.now() - endingSince > SAME_WISH_MS) process.exit(exitCode);
    });
  }
}

/** `snaprace … | head` has seen enough: that is no failure. */
export function endOnClosedPipe(): void {
  const onError = (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    if (endingSince === undefined) void endWith(0);
  };
  process.stdout.on("error", onError);
  process.stderr.on("error", onError);
}

/** Once the command ends early, what it was doing fails, and that is not worth a word. */
export function isEndingEarly(): boolean {
  return endingSince !== undefined;
}

async function endWith(exitCode: number): Promise<void> {
  endingSince = performance.now();
  await Promise.allSettled([...opened].map((close) => close()));
  process.exit(exitCode);
}
