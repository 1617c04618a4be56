/** Sends a selfie to be searched with, and tells how much of it has arrived: a large one takes a while on a phone. */

import { type AnswerOf, ApiProblem, addressOf, UNREACHABLE } from "../../api/call.ts";

export type SelfieAnswer = AnswerOf<"POST /events/{eventId}/selfie-search">;

type SelfieAsk = {
  eventId: string;
  /** Photos that the search for this bib shows anyway are marked. */
  bib?: string | undefined;
  picture: Blob;
  onProgress: (share: number) => void;
  signal: AbortSignal;
};

/** Not by fetch, which does not tell how far it is. */
export function sendSelfie({ eventId, bib, picture, onProgress, signal }: SelfieAsk): Promise<SelfieAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<SelfieAnswer>();
  const request = new XMLHttpRequest();
  request.open("POST", addressOf("/events/{eventId}/selfie-search", { eventId }, bib === undefined ? {} : { bib }));
  request.responseType = "text";
  request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
  request.onerror = () => reject(new ApiProblem({ code: UNREACHABLE, status: 0 }));
  request.onabort = () => reject(signal.reason);
  request.onload = () => {
    const answer = readJson(request.responseText);
    if (request.status === 200 && answer) resolve(answer as SelfieAnswer);
    else reject(new ApiProblem({ code: `http.${request.status}`, status: request.status, ...answer }));
  };
  signal.addEventListener("abort", () => request.abort());
  const form = new FormData();
  form.append("selfie", picture);
  request.send(form);
  return promise;
}

function readJson(text: string): object | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
