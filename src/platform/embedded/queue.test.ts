/** Queues on this machine keep the contract, and end with their engines. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { testQueue } from "../contracts/queue.contract.ts";
import { openEmbeddedEngines } from "./engines.ts";
import { openEmbeddedSubject } from "./subject.ts";

testQueue("embedded", openEmbeddedSubject);

it("closing the engines lets the running handler finish, and its message is done with", async () => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  const settings = { visibilityMs: 30_000, maxReceives: 3 };
  const errors: unknown[] = [];
  const open = () =>
    openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1", onError: (error) => errors.push(error) });
  const first = await open();
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const queue = first.queue("jobs", settings);
  queue.consume(
    async () => {
      begin();
      await new Promise((resolve) => setTimeout(resolve, 100));
      return [];
    },
    { batchSize: 1, concurrency: 2 },
  );
  await queue.send(["job"]);
  await begun;
  await first.close();
  assert.deepEqual(errors, []);
  const second = await open();
  assert.deepEqual(await second.queue("jobs", settings).depth(), { waiting: 0, inFlight: 0, dead: 0 });
  await second.close();
  await rm(dataFolder, { recursive: true });
});
