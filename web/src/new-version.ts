/** Loading the document anew: when its parts are gone because the pages were built anew, or when the connection is back. */

/** Only when the server has other pages than this one: otherwise loading anew would not help. */
export function watchForNewVersion(): void {
  addEventListener("vite:preloadError", () => {
    void readDocument().then((text) => {
      const own = document.querySelector<HTMLScriptElement>("script[type=module]");
      if (own && text !== undefined && !text.includes(new URL(own.src).pathname)) location.reload();
    });
  });
}

/** Without a connection, loading anew would leave nothing but the browser's own error. */
export async function reloadIfReachable(): Promise<void> {
  if ((await readDocument()) !== undefined) location.reload();
}

/** As the server has it now. */
async function readDocument(): Promise<string | undefined> {
  try {
    const answer = await fetch("/", { cache: "no-store" });
    return answer.ok ? await answer.text() : undefined;
  } catch {
    return undefined;
  }
}
