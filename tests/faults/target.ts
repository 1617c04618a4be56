/**
 * A process to be killed: it writes, sends, uploads and runs workflows on embedded engines all at once, and prints a
 * line for each thing that was acknowledged. Arguments: data folder, round, mode (`work` or `drain`), a deliberate bug.
 */

import { randomBytes } from "node:crypto";
import { absent } from "../../src/platform/conditions.ts";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import { loadInterpreter } from "../../src/platform/embedded/workflow-states.ts";
import type { Value } from "../../src/platform/ports.ts";
import { BUCKET, CREATED_QUEUE, contentOf, PLAIN_QUEUE, SETTINGS, TABLE, WORKFLOW_ASL } from "./scene.ts";

const [dataFolder = "", round = "0", mode = "work", bug = "none"] = process.argv.slice(2);
const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1", workflowConcurrency: 8 });
const table = engines.table(TABLE);
const plain = engines.queue(PLAIN_QUEUE, SETTINGS);
const created = engines.queue(CREATED_QUEUE, SETTINGS);
const blobs = engines.blobs(BUCKET, bug === "message-first" ? {} : { notify: CREATED_QUEUE });
const step = (name: string) => async (input: Value) => {
  const { id } = input as { id: string };
  await table.write([{ put: { PK: `RUN#${id}`, SK: name } }]);
  // Shows whoever waits for quiet that there is still work under way.
  acknowledge("stepped", `${id}/${name}`);
  return input;
};
const workflow = engines.workflow({
  name: "fault",
  asl: WORKFLOW_ASL,
  tasks: { First: step("First"), Left: step("Left"), Right: step("Right"), Last: step("Last") },
});

function acknowledge(kind: string, id: string): void {
  // Writing to a pipe is synchronous on Linux: a line that was printed was acknowledged before the kill.
  process.stdout.write(`${kind} ${id}\n`);
}

/** With the bug, the answer comes before the disk has it. */
async function acknowledged(kind: string, id: string, work: () => Promise<unknown>): Promise<void> {
  if (bug === "ack-early") acknowledge(kind, id);
  await work();
  if (bug !== "ack-early") acknowledge(kind, id);
}

const kinds = {
  /** A counter and an item of its own, which must never be seen apart. */
  write: (id: string) => {
    const count = { update: { PK: "COUNT", SK: `${Number(id.slice(-1)) % 8}` }, add: { items: 1 } };
    const item = { put: { PK: `ITEMS#${count.update.SK}`, SK: id, filler: "x".repeat(300) }, if: absent("PK") };
    if (bug === "two-writes") return table.write([count]).then(() => table.write([item]));
    return table.write([count, item]);
  },
  send: (id: string) => plain.send([id]),
  upload: async (id: string) => {
    const message = { detail: { bucket: { name: BUCKET }, object: { key: id } } };
    if (bug === "message-first") await created.send([JSON.stringify(message)]);
    await blobs.put(id, contentOf(id), { contentType: "image/jpeg" });
  },
  start: (id: string) => workflow.start(id, { id }),
};

async function keepDoing(kind: keyof typeof kinds, loops: number): Promise<void> {
  const loop = async () => {
    for (;;) {
      const id = `${round}-${randomBytes(6).toString("hex")}${Math.floor(Math.random() * 10)}`;
      await acknowledged(kind, id, () => kinds[kind](id));
    }
  };
  await Promise.all(Array.from({ length: loops }, loop));
}

plain.consume(
  async (messages) => {
    for (const { body } of messages) acknowledge("handled", body);
    return [];
  },
  { concurrency: 2 },
);
created.consume(
  async (messages) => {
    for (const { body } of messages) acknowledge("notified", JSON.parse(body).detail.object.key);
    return [];
  },
  { concurrency: 2 },
);

// The first execution would load it, and the kill comes within half a second.
await loadInterpreter();
process.stdout.write("ready\n");
if (mode === "work") {
  await Promise.all([keepDoing("write", 24), keepDoing("send", 8), keepDoing("upload", 3), keepDoing("start", 4)]);
}
