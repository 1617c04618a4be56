/** Uploads in parts on this machine: their files, their messages, their end, and folders from before they were there. */

import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, it } from "node:test";
import { systemClock } from "../clock.ts";
import { bytes, bytesOf, JPEG, textOf } from "../contracts/blob-samples.ts";
import type { PartsUpload } from "../ports.ts";
import { sendPart } from "./blob-parts.samples.ts";
import { openEmbeddedEngines } from "./engines.ts";

const BUCKET = "large";
const ENOUGH_BYTES = 5 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;

describe("uploads in parts: embedded only", async () => {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  let now = Date.now();
  const settings = { dataFolder, publicUrl: "http://127.0.0.1", clock: { ...systemClock, now: () => now } };
  let engines = await openEmbeddedEngines(settings);
  after(async () => {
    await engines.close();
    await rm(dataFolder, { recursive: true });
  });

  const blobs = () => engines.blobs(BUCKET, { notify: "created" });
  const send = (upload: PartsUpload, part: number, body: Uint8Array<ArrayBuffer>) =>
    sendPart(engines, { bucket: BUCKET, upload, part, body });
  const begin = async (key: string): Promise<PartsUpload> => {
    return { key, uploadId: await blobs().beginParts({ key, contentType: "application/zip" }) };
  };
  const filesOnDisk = async () =>
    (await readdir(path.join(dataFolder, "blobs"), { recursive: true }))
      .filter((name) => name.includes("/"))
      .map((name) => path.join(dataFolder, "blobs", name));
  const reopen = async (between: () => void) => {
    await engines.close();
    between();
    engines = await openEmbeddedEngines(settings);
  };

  it("keeps one file of a completed object, none of parts that were replaced, dropped or abandoned", async () => {
    await blobs().put("beside", bytes("beside"), JPEG);
    const before = (await filesOnDisk()).length;
    const upload = await begin("tidy");
    for (const [part, text] of ["one", "again"].entries()) await send(upload, 1, bytes(`${text}${part}`));
    await send(upload, 2, bytes("dropped"));
    assert.equal((await filesOnDisk()).length, before + 2);
    await assert.rejects(send({ ...upload, uploadId: "other" }, 1, bytes("lost")), { code: "blob.no-such-upload" });
    assert.equal((await filesOnDisk()).length, before + 2);
    await blobs().completeParts({ ...upload, parts: 1 });
    assert.equal((await filesOnDisk()).length, before + 1);
    const abandoned = await begin("tidy");
    await send(abandoned, 1, bytes("abandoned"));
    await blobs().abandonParts(abandoned);
    assert.equal((await filesOnDisk()).length, before + 1);
  });

  it("sends one object-created message when it is completed, however often that is asked", async () => {
    const queue = engines.queue("created", { visibilityMs: 30_000, maxReceives: 3 });
    const upload = await begin("announced");
    await send(upload, 1, bytes("picture"));
    const { waiting } = await queue.depth();
    const complete = () => blobs().completeParts({ ...upload, parts: 1 });
    await Promise.all([complete(), complete()]);
    await complete();
    assert.equal((await queue.depth()).waiting, waiting + 1);
  });

  it("keeps parts over a restart, and its sweep knows them", async () => {
    const upload = await begin("kept");
    await send(upload, 1, bytes("kept"));
    for (const file of await filesOnDisk()) await utimes(file, 1, 1);
    await reopen(() => {});
    await engines.removeOrphans();
    assert.equal((await blobs().listParts(upload))?.length, 1);
    await blobs().completeParts({ ...upload, parts: 1 });
    assert.equal(await textOf((await blobs().get("kept"))?.body), "kept");
  });

  it("ends uploads seven days after they began", async () => {
    const before = (await filesOnDisk()).length;
    const old = await Promise.all(Array.from({ length: 11 }, (_, n) => begin(`old-${n}`)));
    for (const upload of old) await send(upload, 1, bytes("old"));
    now += DAY_MS;
    const young = await begin("young");
    await send(young, 1, bytes("young"));
    now += 6 * DAY_MS;
    assert.equal(await engines.removeExpired(), 0);
    now += 1;
    assert.equal(await engines.removeExpired(), 11);
    for (const upload of old) assert.equal(await blobs().listParts(upload), undefined);
    assert.equal((await blobs().listParts(young))?.length, 1);
    assert.equal((await filesOnDisk()).length, before + 1);
    await blobs().abandonParts(young);
  });

  it("refuses to complete a damaged part, and takes it when it is sent again", async () => {
    const upload = await begin("damaged");
    for (const damage of [(file: string) => writeFile(file, "pictyre"), (file: string) => rm(file)]) {
      const before = new Set(await filesOnDisk());
      await send(upload, 1, bytes("picture"));
      const file = (await filesOnDisk()).find((name) => !before.has(name)) ?? assert.fail("there is a file");
      await damage(file);
      await assert.rejects(blobs().completeParts({ ...upload, parts: 1 }), { code: "blob.damaged" });
    }
    await send(upload, 1, bytes("picture"));
    await blobs().completeParts({ ...upload, parts: 1 });
    assert.equal(await textOf((await blobs().get("damaged"))?.body), "picture");
  });

  it("joins whole parts, also while they are replaced", async () => {
    const upload = await begin("restless");
    for (const part of [1, 2]) await send(upload, part, new Uint8Array(ENOUGH_BYTES).fill(1));
    let completing = true;
    const replacing = (async () => {
      for (let fill = 2; completing && fill < 20; fill += 1)
        await send(upload, 1, new Uint8Array(ENOUGH_BYTES).fill(fill));
    })().catch((error) => assert.equal(error.code, "blob.no-such-upload"));
    const { sizeBytes } = await blobs().completeParts({ ...upload, parts: 2 });
    completing = false;
    await replacing;
    assert.equal(sizeBytes, 2 * ENOUGH_BYTES);
    const body = await bytesOf((await blobs().get("restless"))?.body);
    assert.ok(body.subarray(0, ENOUGH_BYTES).every((byte) => byte === body[0]));
    assert.ok(body.subarray(ENOUGH_BYTES).every((byte) => byte === 1));
  });

  it("is not seen by an export", async () => {
    await send(await begin("unfinished"), 1, bytes("unfinished"));
    const keys: string[] = [];
    for await (const heads of engines.contents().heads(BUCKET)) keys.push(...heads.map(({ key }) => key));
    assert.ok(keys.length > 0);
    assert.ok(!keys.includes("unfinished"));
    assert.equal(
      engines
        .contents()
        .buckets()
        .find(({ name }) => name === BUCKET)?.count,
      keys.length,
    );
  });

  it("opens a folder from before there were such uploads", async () => {
    await engines.blobs("before").put("a", bytes("old"), JPEG);
    await reopen(() => {
      const db = new DatabaseSync(path.join(dataFolder, "store.db"));
      db.exec(`DROP TABLE uploads; DROP TABLE upload_parts; ALTER TABLE objects DROP COLUMN made_of;
        PRAGMA user_version = 1`);
      db.close();
    });
    assert.equal(await textOf((await engines.blobs("before").get("a"))?.body), "old");
    const upload = await begin("a");
    await send(upload, 1, bytes("new"));
    const head = await blobs().completeParts({ ...upload, parts: 1 });
    assert.deepEqual(await blobs().completeParts({ ...upload, parts: 1 }), head);
  });
});
