/** While files are sent: the screen stays on where it can, and leaving the page is asked about. */

let isWanted = false;
let lock: WakeLockSentinel | undefined;

export function stayAwake(wanted: boolean): void {
  if (wanted === isWanted) return;
  isWanted = wanted;
  if (wanted) {
    addEventListener("beforeunload", ask);
    document.addEventListener("visibilitychange", hold);
    void hold();
  } else {
    removeEventListener("beforeunload", ask);
    document.removeEventListener("visibilitychange", hold);
    void lock?.release();
    lock = undefined;
  }
}

function ask(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** A page that was hidden has lost it. */
async function hold(): Promise<void> {
  if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
  lock = await navigator.wakeLock.request("screen").catch(() => undefined);
  if (!isWanted) await lock?.release();
}
