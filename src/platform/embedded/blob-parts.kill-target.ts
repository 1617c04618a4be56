/**
 * A process to be killed: it sends parts, replaces and completes them all at once, and prints a line before and after
 * each. Arguments: the data folder, the round, and `early` to acknowledge before the disk has it.
 */

import { sendPart } from "./blob-parts.samples.ts";
import { openEmbeddedEngines } from "./engines.ts";

const [dataFolder = "", round = "0", mode = ""] = process.argv.slice(2);
const bucket = "large";
const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
const blobs = engines.blobs(bucket);

// Writing to a pipe is synchronous on Linux: a line that was printed was printed before the kill.
const say = (...words: string[]) => process.stdout.write(`${words.join(" ")}\n`);

async function tell(words: string[], work: () => Promise<unknown>): Promise<void> {
  say("asked", ...words);
  const done = work();
  if (mode !== "early") await done;
  say("done", ...words);
  await done;
}

async function work(worker: number): Promise<void> {
  for (let number = 0; ; number += 1) {
    const key = `${round}-${worker}-${number}`;
    const upload = { key, uploadId: await blobs.beginParts({ key, contentType: "application/zip" }) };
    const send = (part: number, looks: string) => {
      const body = Buffer.from(`${key} ${looks} `.repeat(1000));
      const words = [key, upload.uploadId, `part-${part}`, looks];
      return tell(words, () => sendPart(engines, { bucket, upload, part, body }));
    };
    await send(1, "first");
    await send(2, "first");
    if (number % 2 === 0) await send(1, "second");
    if (number % 3 > 0) continue;
    await tell([key, upload.uploadId, "object", "whole"], () => blobs.completeParts({ ...upload, parts: 1 }));
  }
}

say("ready");
await Promise.all([0, 1, 2, 3, 4, 5].map(work));
