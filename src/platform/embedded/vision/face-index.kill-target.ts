/**
 * A process to be killed: it adds, replaces and deletes faces all at once, and prints a line before and after each.
 * Arguments: the folder, the round, and `early` to acknowledge before the disk has it.
 */

import { embeddingOf } from "./face-index.samples.ts";
import { openFaceIndex } from "./face-index.ts";

const [folder = "", round = "0", mode = ""] = process.argv.slice(2);
const dimensions = 512;
const index = await openFaceIndex({ folder, model: { name: "test", dimensions } });

// Writing to a pipe is synchronous on Linux: a line that was printed was printed before the kill.
const say = (...words: string[]) => process.stdout.write(`${words.join(" ")}\n`);

async function tell(what: "add" | "delete", faceIds: string[], looks: string, work: () => Promise<void>) {
  for (const faceId of faceIds) say("asked", what, faceId, looks);
  const done = work();
  if (mode !== "early") await done;
  for (const faceId of faceIds) say("done", what, faceId, looks);
  await done;
}

function add(faceIds: string[], looks: string): Promise<void> {
  const faces = faceIds.map((faceId) => ({
    faceId,
    externalImageId: `photo:${looks}`,
    embedding: embeddingOf(`${faceId} ${looks}`, dimensions),
  }));
  return tell("add", faceIds, looks, () => index.add("event", faces));
}

async function work(worker: number): Promise<void> {
  for (let number = 0; ; number += 1) {
    const faceIds = [0, 1, 2].map((face) => `${round}-${worker}-${number}-${face}`);
    await add(faceIds, "first");
    if (number % 3 === 0) await add(faceIds.slice(0, 2), "second");
    if (number % 4 === 0) await tell("delete", faceIds.slice(1), "none", () => index.delete("event", faceIds.slice(1)));
  }
}

say("ready");
await Promise.all([0, 1, 2, 3, 4, 5].map(work));
