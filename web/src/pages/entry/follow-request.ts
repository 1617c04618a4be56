/** Follows a request as the server tells it, and finds the way back after a lost connection or a sleep. */

import { addressOf } from "../../api/call.ts";
import type { ParticipationInLine } from "../../api/types.ts";

/** `none`: this installation has no such stream, so the request must be asked for. */
export type StreamState = "open" | "lost" | "none";

type Heard = { onRequest(request: ParticipationInLine): void; onState(state: StreamState): void };

const REOPEN_MS = 4000;
/** A connection may have died unnoticed while nobody looked for so long. */
const SLEPT_MS = 10_000;

/** Answers how to stop. */
export function followRequest(requestId: string, heard: Heard): () => void {
  const stream = createStream(addressOf("/requests/{requestId}/live", { requestId }), heard);
  let hiddenAt = 0;
  const onOffline = () => heard.onState("lost");
  const onVisibility = () => {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > SLEPT_MS || !stream.isOpen()) stream.open();
  };
  stream.open();
  window.addEventListener("online", stream.open);
  window.addEventListener("offline", onOffline);
  document.addEventListener("visibilitychange", onVisibility);
  return () => {
    stream.close();
    window.removeEventListener("online", stream.open);
    window.removeEventListener("offline", onOffline);
    document.removeEventListener("visibilitychange", onVisibility);
  };
}

/** One connection at a time, which can be opened anew. */
function createStream(address: string, { onRequest, onState }: Heard) {
  let source: EventSource | undefined;
  let timer = 0;
  let wasOpen = false;
  const close = () => {
    window.clearTimeout(timer);
    source?.close();
  };
  const open = () => {
    close();
    const opened = new EventSource(address);
    source = opened;
    opened.onopen = () => {
      wasOpen = true;
      onState("open");
    };
    opened.addEventListener("request", ({ data }) => onRequest(JSON.parse(data)));
    opened.onerror = () => {
      // While it connects again by itself, it is left alone.
      const isRefused = opened.readyState === EventSource.CLOSED;
      onState(isRefused && !wasOpen ? "none" : "lost");
      if (isRefused && wasOpen) timer = window.setTimeout(open, REOPEN_MS);
    };
  };
  return { open, close, isOpen: () => source?.readyState === EventSource.OPEN };
}
