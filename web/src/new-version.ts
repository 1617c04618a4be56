/** A page that was opened before the pages were built anew may ask for parts that are gone: then it loads itself anew. */

/** Only when the server has other pages than this one: without a connection, loading anew would lose what is there. */
export function watchForNewVersion(): void {
  addEventListener("vite:preloadError", () => {
    void isOutdated().then((outdated) => {
      if (outdated) location.reload();
    });
  });
}

async function isOutdated(): Promise<boolean> {
  const own = document.querySelector<HTMLScriptElement>("script[type=module]");
  try {
    const answer = await fetch("/", { cache: "no-store" });
    return own !== null && answer.ok && !(await answer.text()).includes(new URL(own.src).pathname);
  } catch {
    return false;
  }
}
