/** Blobs on this machine keep the contract, announce each object once and notice damage. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { bytes, JPEG, textOf } from "../contracts/blob-samples.ts";
import { testBlobs } from "../contracts/blobs.contract.ts";
import { ObjectCreated } from "../object-created.ts";
import { newRequestId, withRequestId } from "../request-context.ts";
import { openEmbeddedEngines } from "./engines.ts";
import { openEmbeddedSubject } from "./subject.ts";

testBlobs("embedded", openEmbeddedSubject);

describe("blobs: embedded only", async () => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  const settings = { dataFolder, publicUrl: "http://127.0.0.1" };
  let engines = await openEmbeddedEngines(settings);
  after(async () => {
    await engines.close();
    await rm(dataFolder, { recursive: true });
  });

  const filesOnDisk = async () =>
    (await readdir(path.join(dataFolder, "blobs"), { recursive: true })).filter((name) => name.includes("/"));

  it("sends one object-created message for each object, in EventBridge's shape, under the same request id", async () => {
    const queue = engines.queue("created", { visibilityMs: 30_000, maxReceives: 3 });
    const blobs = engines.blobs("photos", { notify: "created" });
    const requestId = newRequestId();
    const put = () => blobs.put("org/evt/raw/1.jpg", bytes("picture"), JPEG);
    const { etag, createdAt } = await withRequestId(requestId, put);
    const { promise, resolve } = Promise.withResolvers<{ body: string; requestId?: string }>();
    const consumer = queue.consume(async ([message]) => {
      if (message) resolve(message);
      return [];
    });
    const message = await promise;
    await consumer.stop();
    assert.equal(message.requestId, requestId);
    assert.deepEqual(ObjectCreated.parse(JSON.parse(message.body)), {
      source: "aws.s3",
      "detail-type": "Object Created",
      time: new Date(createdAt).toISOString(),
      detail: { bucket: { name: "photos" }, object: { key: "org/evt/raw/1.jpg", size: 7, etag } },
    });
    assert.deepEqual(await queue.depth(), { waiting: 0, inFlight: 0, dead: 0 });
  });

  it("keeps no file of what was replaced or deleted", async () => {
    const blobs = engines.blobs("tidy");
    const before = (await filesOnDisk()).length;
    await blobs.put("a", bytes("1"), JPEG);
    await blobs.put("a", bytes("2"), JPEG);
    assert.equal((await filesOnDisk()).length, before + 1);
    await blobs.delete(["a"]);
    assert.equal((await filesOnDisk()).length, before);
  });

  it("ends a read in an error when the bytes on disk are not those that were stored", async () => {
    const blobs = engines.blobs("damaged");
    const before = new Set(await filesOnDisk());
    await blobs.put("a", bytes("picture"), JPEG);
    const file = (await filesOnDisk()).find((name) => !before.has(name)) as string;
    await writeFile(path.join(dataFolder, "blobs", file), "pictyre");
    await assert.rejects(textOf((await blobs.get("a"))?.body), { code: "blob.damaged" });
    await assert.rejects(blobs.getWhole("a", 100), { code: "blob.damaged" });
    await writeFile(path.join(dataFolder, "blobs", file), "pict");
    await assert.rejects(blobs.getWhole("a", 100), { code: "blob.damaged" });
    await rm(path.join(dataFolder, "blobs", file));
    await assert.rejects(blobs.get("a"), { code: "blob.damaged" });
    await blobs.delete(["a"]);
  });

  it("removes at the start what a crash left half written", async () => {
    const orphan = path.join(dataFolder, "blobs", "00", "00112233445566778899aabbccddeeff");
    await engines.blobs("kept").put("a", bytes("kept"), JPEG);
    await engines.close();
    await mkdir(path.dirname(orphan), { recursive: true });
    await writeFile(orphan, "half");
    await utimes(orphan, 1, 1);
    engines = await openEmbeddedEngines(settings);
    await engines.removeOrphans();
    assert.ok(!(await filesOnDisk()).includes("00/00112233445566778899aabbccddeeff"));
    assert.equal(await textOf((await engines.blobs("kept").get("a"))?.body), "kept");
  });
});
