/** The SHA-256 of a file, by which the server knows it again under any name. */

import type { ChecksumAnswer, ChecksumAsk } from "./checksum-worker.ts";
import { FileTrouble } from "./trouble.ts";

type Waiting = { resolve: (sha256: string) => void; reject: (error: unknown) => void };

let worker: Worker | undefined;
let asked = 0;
const waiting = new Map<number, Waiting>();

export function checksum(file: File): Promise<string> {
  worker ??= startWorker();
  asked += 1;
  const ask: ChecksumAsk = { id: asked, file };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  waiting.set(ask.id, { resolve, reject });
  worker.postMessage(ask);
  return promise;
}

function startWorker(): Worker {
  const started = new Worker(new URL("./checksum-worker.ts", import.meta.url), { type: "module" });
  started.addEventListener("message", ({ data }: MessageEvent<ChecksumAnswer>) => {
    const who = waiting.get(data.id);
    waiting.delete(data.id);
    if ("sha256" in data) who?.resolve(data.sha256);
    else who?.reject(new FileTrouble("file.not-readable", data.error));
  });
  return started;
}
