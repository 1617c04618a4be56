/** Sends bytes to a signed URL and tells how far it is, which only XMLHttpRequest can. */

import type { SignedUpload } from "../../../api/types.ts";
import { FileTrouble, isPassingStatus, PassingTrouble, StaleGrant } from "./trouble.ts";

/** A connection that takes nothing for so long is dead, though nobody says so. */
const STALLED_MS = 60_000;

export type Sending = { signal: AbortSignal; onProgress: (sentBytes: number) => void };

export async function putBytes(bytes: Blob, to: SignedUpload, { signal, onProgress }: Sending): Promise<void> {
  signal.throwIfAborted();
  const status = await request(bytes, to, { signal, onProgress });
  signal.throwIfAborted();
  if (status >= 200 && status < 300) return;
  // A file that was changed or taken away ends the request as a lost connection does.
  if (status === 0) await checkReadable(bytes);
  if (isPassingStatus(status)) throw new PassingTrouble();
  if (status === 403 || status === 404) throw new StaleGrant();
  throw new FileTrouble("upload.not-taken", String(status));
}

/** The answer's status; 0 when there was none. */
function request(bytes: Blob, to: SignedUpload, { signal, onProgress }: Sending): Promise<number> {
  return new Promise((resolve) => {
    const sending = new XMLHttpRequest();
    const abort = () => sending.abort();
    let watch = setTimeout(abort, STALLED_MS);
    sending.upload.addEventListener("progress", ({ loaded }) => {
      clearTimeout(watch);
      watch = setTimeout(abort, STALLED_MS);
      onProgress(loaded);
    });
    sending.addEventListener("loadend", () => {
      clearTimeout(watch);
      signal.removeEventListener("abort", abort);
      resolve(sending.status);
    });
    signal.addEventListener("abort", abort);
    sending.open(to.method, to.url);
    for (const [name, value] of Object.entries(to.headers)) sending.setRequestHeader(name, value);
    sending.send(bytes);
  });
}

async function checkReadable(bytes: Blob): Promise<void> {
  try {
    await bytes.slice(0, 1).arrayBuffer();
  } catch {
    throw new FileTrouble("file.changed");
  }
}
