/** One's own request as server-sent events: its state at once, then at each change of its line, until the result. */

import type { Answer } from "../platform/http/route.ts";
import { Problem } from "../platform/problem.ts";
import type { EntryHttp } from "./http.ts";
import { isFinal } from "./items.ts";
import { findState } from "./line-state.ts";
import { findRequest } from "./requests.ts";
import { showRequest } from "./view.ts";

/** A line that moves a thousand times a second is shown once a second. */
const PAUSE_MS = 1000;
/** So that proxies keep the connection, and a client that is gone is noticed. */
const HEARTBEAT_MS = 15_000;
const LONGEST_MS = 30 * 60_000;

export async function eventStream(
  { entry, states, hasLive }: EntryHttp,
  requestId: string,
  userId: string,
  gone: AbortSignal,
): Promise<Answer> {
  if (!hasLive) {
    const sentence = "This installation has no live updates. Ask for the request again after `askAgainInMs`.";
    throw new Problem("missing", "live.not-here", sentence);
  }
  const { eventId } = await findRequest(entry, requestId, userId);
  const ended = new AbortController();
  const signal = AbortSignal.any([gone, ended.signal, entry.live.ending]);
  const encoder = new TextEncoder();
  let moves = new AbortController();
  const stopWatching = entry.live.watch(eventId, () => moves.abort());
  const endAt = entry.clock.now() + LONGEST_MS;

  async function* events(): AsyncGenerator<string> {
    for (let last = ""; !signal.aborted && entry.clock.now() < endAt; ) {
      moves = new AbortController();
      const request = await findRequest(entry, requestId, userId);
      const view = JSON.stringify(showRequest(request, await findState(states, eventId), entry.clock.now()));
      yield view === last ? ":\n\n" : `event: request\ndata: ${view}\n\n`;
      last = view;
      if (isFinal(request.status)) return;
      await entry.clock.sleep(PAUSE_MS, signal);
      await entry.clock.sleep(HEARTBEAT_MS, AbortSignal.any([signal, moves.signal]));
    }
  }

  const source = events();
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await source.next();
      if (!done) return controller.enqueue(encoder.encode(value));
      stopWatching();
      controller.close();
    },
    cancel: () => {
      ended.abort();
      stopWatching();
    },
  });
  return { stream, headers: { "content-type": "text/event-stream", "x-accel-buffering": "no" } };
}
