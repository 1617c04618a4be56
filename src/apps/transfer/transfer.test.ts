/** What was exported from one machine is the same on another machine and on AWS, also when the import crashed on the way. */

import assert from "node:assert/strict";
import { cp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { after, describe, it, type TestContext } from "node:test";
import { openAwsEngines } from "../../platform/aws/engines.ts";
import { localSettings } from "../../platform/contracts/doubles/aws-subject.ts";
import { dynoxideMissing, startDynoxide } from "../../platform/contracts/doubles/dynoxide.ts";
import { startFauxqs } from "../../platform/contracts/doubles/fauxqs.ts";
import { refusedWith } from "../../platform/contracts/refused.ts";
import type { EmbeddedEngines } from "../../platform/embedded/engines.ts";
import type { Engines, Message, Queue, Table } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import type { Progress } from "./bundle.ts";
import { exportData } from "./export-data.ts";
import { importData } from "./import-data.ts";
import {
  allOf,
  assertSame,
  blobOf,
  fill,
  filledRegistry,
  type MemoryRegistry,
  memoryRegistry,
  open,
  QUEUE,
  temporary,
} from "./transfer-scene.ts";

describe("transfer", async () => {
  const source = await open({ after });
  await fill(source);
  const exported = path.join(await temporary({ after }), "new", "folder");
  const manifest = await exportData({ engines: source, registry: filledRegistry(), folder: exported });

  /** A copy to spoil, with a fresh target. */
  async function scene(t: TestContext) {
    const folder = await temporary(t);
    await cp(exported, folder, { recursive: true });
    const [engines, registry] = [await open(t), memoryRegistry()];
    const untouched = async () => {
      assert.ok(await registry.isEmpty());
      assert.equal(await engines.table("Transfer").get({ PK: "IMPORT", SK: "IMPORT" }), undefined);
    };
    return { folder, engines, registry, untouched, run: () => importData({ engines, registry, folder }) };
  }

  it("brings everything to another machine, where no photo is announced again", async (t) => {
    const { engines, registry, run, folder } = await scene(t);
    assert.deepEqual(await run(), { manifest, wasImported: false });
    await assertSame(engines, source);
    assert.deepEqual(registry.held, filledRegistry().held);
    const counts = (part: "registry" | "items" | "blobs" | "messages") =>
      Object.fromEntries(manifest[part].map(({ name, count }) => [name, count]));
    assert.deepEqual(counts("registry"), { organizations: 1, events: 230 });
    assert.deepEqual(counts("items"), { Archive: 20, Entries: 250, Photos: 260 });
    assert.deepEqual(counts("blobs"), { photos: 20, proofs: 1 });
    assert.deepEqual(counts("messages"), { ingest: 21, settling: 111 });
    assert.deepEqual((await readdir(folder)).sort(), ["blobs", "items", "manifest.json", "messages", "registry"]);
    assert.equal((await stat(path.join(exported, "manifest.json"))).mode & 0o077, 0);
  });

  it("touches nothing when it is run again after its end", async (t) => {
    const { engines, run } = await scene(t);
    await run();
    const changed = { PK: "E", SK: "1", changed: true };
    await engines.table("Entries").write([{ put: changed }, { delete: { PK: "E", SK: "2" } }]);
    assert.deepEqual(await run(), { manifest, wasImported: true });
    assert.deepEqual(await engines.table("Entries").get({ PK: "E", SK: "1" }), changed);
    assert.equal(await engines.table("Entries").get({ PK: "E", SK: "2" }), undefined);
    assert.equal((await engines.queue("settling", QUEUE).depth()).waiting, 111);
  });

  it("tells how far it is", async (t) => {
    const { engines, registry, folder } = await scene(t);
    const told: Progress[] = [];
    await importData({ engines, registry, folder, onProgress: (progress) => told.push(progress) });
    assert.deepEqual([...new Set(told.map(({ part }) => part))], ["registry", "items", "blobs", "messages"]);
    const photos = told.filter(({ name }) => name === "Photos");
    assert.deepEqual(
      photos.map(({ done }) => done),
      [100, 200, 260],
    );
    assert.ok(photos.every(({ total }) => total === 260));
  });

  it("brings parents before children, in whatever order they were exported", async (t) => {
    const { folder, registry, run } = await scene(t);
    const turned = { ...manifest, registry: manifest.registry.toReversed() };
    await writeFile(path.join(folder, "manifest.json"), JSON.stringify(turned));
    await run();
    assert.deepEqual(registry.held, filledRegistry().held);
  });

  it("ends the same when it crashes after every page and is run again each time", async (t) => {
    const { engines, registry, folder } = await scene(t);
    let crashes = 0;
    for (let isDone = false; !isDone; ) {
      let pages = 0;
      const onProgress = () => {
        pages += 1;
        if (pages > crashes) throw new Error("crash");
      };
      isDone = await importData({ engines, registry, folder, onProgress }).then(
        () => true,
        (error: Error) => {
          assert.equal(error.message, "crash");
          return false;
        },
      );
      if (!isDone) crashes += 1;
    }
    assert.ok(crashes > 20, `${crashes} crashes`);
    await assertSame(engines, source);
    assert.deepEqual(registry.held, filledRegistry().held);
  });

  it("loses no message when it crashes while sending, or before that is written down", async (t) => {
    const { engines, registry, folder, run } = await scene(t);
    const mute: Partial<Queue> = { send: () => Promise.reject(new Error("not sent")) };
    const silent = { ...engines, queue: () => mute as Queue };
    await assert.rejects(importData({ engines: silent, registry, folder }), /not sent/);
    const table = engines.table("Transfer");
    const forgetful: Partial<Table> = {
      get: (key) => table.get(key),
      write: (actions) => table.write(actions),
      update: () => Promise.reject(new Error("crash")),
    };
    const crashing = {
      ...engines,
      table: (name: string) => (name === "Transfer" ? (forgetful as Table) : engines.table(name)),
    };
    await assert.rejects(importData({ engines: crashing, registry, folder }), /crash/);
    assert.equal((await run()).wasImported, false);
    const { messages } = await allOf(engines);
    assert.equal(messages.ingest?.length, 42);
    const [found, wanted] = [messages.settling ?? [], (await allOf(source)).messages.settling ?? []];
    assert.deepEqual(found, wanted);
  });

  it("leaves alone what was changed between a crash and the next run", async (t) => {
    const { engines, registry, folder, run } = await scene(t);
    const crash = ({ part }: Progress) => {
      if (part === "messages") throw new Error("crash");
    };
    await assert.rejects(importData({ engines, registry, folder, onProgress: crash }), /crash/);
    const [changed, photos] = [{ PK: "E", SK: "1", changed: true }, engines.blobs("photos")];
    await engines.table("Entries").write([{ put: changed }]);
    await photos.put("org/사진 1.jpg", Buffer.from("changed"), { contentType: "text/plain" });
    await run();
    assert.deepEqual(await engines.table("Entries").get({ PK: "E", SK: "1" }), changed);
    assert.equal((await blobOf(photos, "org/사진 1.jpg")).contentType, "text/plain");
  });

  it("refuses a damaged file by its name before anything is written", async (t) => {
    for (const file of ["registry/events", "items/Photos", "blobs/photos", "messages/settling"]) {
      const { folder, run, untouched } = await scene(t);
      await spoil(path.join(folder, `${file}.ndjson`));
      await refusedNaming("import.damaged", `${file}.ndjson`, run());
      await untouched();
    }
    const { folder, run, untouched } = await scene(t);
    await writeFile(path.join(folder, "blobs/photos/3"), "another size");
    await refusedNaming("import.damaged", "blobs/photos/3", run());
    await untouched();
  });

  it("refuses a folder that lacks a file before anything is written", async (t) => {
    for (const file of ["manifest.json", "items/Photos.ndjson", "blobs/photos.ndjson", "blobs/photos/3"]) {
      const { folder, run, untouched } = await scene(t);
      await rm(path.join(folder, file));
      await refusedNaming("import.incomplete", file, run());
      await untouched();
    }
  });

  it("never keeps a blob with other bytes, and goes on when the folder is whole again", async (t) => {
    const { folder, engines, run } = await scene(t);
    await spoil(path.join(folder, "blobs/photos/3"));
    await refusedNaming("import.damaged", "blobs/photos/3", run());
    const heads = (await Array.fromAsync(engines.contents().heads("photos"))).flat();
    assert.equal(heads.length, 7);
    await cp(exported, folder, { recursive: true });
    assert.equal((await run()).wasImported, false);
    await assertSame(engines, source);
  });

  it("notices rows that went away while it was reading", async (t) => {
    const { folder, engines, registry } = await scene(t);
    const file = path.join(folder, "items/Photos.ndjson");
    const text = await readFile(file, "utf8");
    const shortened = writeFile.bind(undefined, file, text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1));
    let changing: Promise<void> | undefined;
    const slowly = {
      ...registry,
      insert: async (...rows: Parameters<typeof registry.insert>) => {
        changing ??= shortened();
        await changing;
        await registry.insert(...rows);
      },
    };
    await refusedNaming("import.damaged", "items/Photos.ndjson", importData({ engines, registry: slowly, folder }));
  });

  it("refuses a manifest it can't understand", async (t) => {
    const { folder, registry, run, untouched } = await scene(t);
    const write = (changes: object) =>
      writeFile(path.join(folder, "manifest.json"), JSON.stringify({ ...manifest, ...changes }));
    await write({ format: 2, items: "elsewhere" });
    await refusedWith("import.unknown-format", run());
    const [listed] = manifest.items;
    for (const name of ["../items/Photos", "..", "a/b", ""]) {
      await write({ items: [{ ...listed, name }] });
      await refusedNaming("import.damaged", "manifest.json", run());
    }
    await writeFile(path.join(folder, "manifest.json"), JSON.stringify(manifest).slice(0, -9));
    await refusedNaming("import.damaged", "manifest.json", run());
    await write({});
    registry.tables.pop();
    await refusedWith("import.unknown-format", run());
    await untouched();
  });

  it("refuses a target that holds other data, and leaves that alone", async (t) => {
    const there = { PK: "EVENT#0", SK: "PHOTO#0", mine: true };
    const fillings: ((engines: EmbeddedEngines, registry: MemoryRegistry) => Promise<unknown>)[] = [
      (_, registry) => registry.insert("organizations", [{ id: "mine" }]),
      (engines) => engines.table("Photos").write([{ put: there }]),
      (engines) => engines.blobs("proofs").put("mine", Buffer.from("mine"), { contentType: "text/plain" }),
    ];
    for (const fillTarget of fillings) {
      const { engines, registry, run } = await scene(t);
      await fillTarget(engines, registry);
      const held = [await allOf(engines), structuredClone(registry.held)];
      await refusedWith("import.not-empty", run());
      assert.deepEqual([await allOf(engines), registry.held], held);
    }
  });

  it("refuses another export where one was begun, also when that one brought nothing yet", async (t) => {
    const { engines, registry, folder, run } = await scene(t);
    const crash = () => {
      throw new Error("crash");
    };
    await assert.rejects(importData({ engines, registry, folder, onProgress: crash }), /crash/);
    const other = path.join(await temporary(t), "other");
    await exportData({ engines: source, registry: filledRegistry(), folder: other });
    await refusedWith("import.not-empty", importData({ engines, registry, folder: other }));
    assert.equal((await run()).wasImported, false);
    await assertSame(engines, source);
  });

  it("lets what was imported be exported again, without the mark of where it came from", async (t) => {
    const { engines, registry, run } = await scene(t);
    await run();
    const folder = path.join(await temporary(t), "again");
    const again = await exportData({ engines, registry, folder });
    assert.deepEqual(
      { ...again, messages: [] },
      { ...manifest, id: again.id, exportedAt: again.exportedAt, messages: [] },
    );
    assert.notEqual(again.id, manifest.id);
  });

  it("is not exported while executions have not finished, unless forced, and never over something", async (t) => {
    const engines = await open(t);
    const States = { Wait: { Type: "Wait", Seconds: 3600, Next: "Done" }, Done: { Type: "Succeed" } };
    await engines.workflow({ name: "draw", asl: { StartAt: "Wait", States }, tasks: {} }).start("tomorrow", {});
    const [registry, folder] = [memoryRegistry(), path.join(await temporary(t), "to")];
    await refusedWith("export.unfinished", exportData({ engines, registry, folder }));
    const forced = await exportData({ engines, registry, folder, force: true });
    assert.deepEqual(forced.leftBehind, { unfinished: { draw: 1 }, failed: {} });
    const ask = { engines, registry, force: true };
    await refusedWith("export.folder-not-empty", exportData({ ...ask, folder }));
    await refusedWith("storage.not-a-folder", exportData({ ...ask, folder: path.join(folder, "manifest.json") }));
  });

  it("leaves no manifest when the export did not finish", async (t) => {
    const folder = path.join(await temporary(t), "to");
    const onProgress = ({ part }: Progress) => {
      if (part === "messages") throw new Error("crash");
    };
    await assert.rejects(exportData({ engines: source, registry: filledRegistry(), folder, onProgress }), /crash/);
    const target = { engines: await open(t), registry: memoryRegistry() };
    await refusedNaming("import.incomplete", "manifest.json", importData({ ...target, folder }));
  });

  it("brings everything to AWS", { skip: dynoxideMissing() ?? false }, async (t) => {
    const [dynoxide, fauxqs] = [await startDynoxide(), await startFauxqs()];
    const engines = openAwsEngines(
      localSettings({ dynamodb: dynoxide.endpoint, sqs: fauxqs.endpoint, s3: fauxqs.endpoint }),
    );
    t.after(async () => {
      await engines.close();
      await Promise.all([dynoxide.stop(), fauxqs.stop()]);
    });
    for (const table of ["Transfer", "Photos", "Entries", "Archive"]) await dynoxide.createTable(table);
    for (const bucket of ["photos", "proofs"]) await fauxqs.createBucket(bucket);
    await fauxqs.createQueue("settling", QUEUE);
    const { folder, registry } = await scene(t);
    await refusedWith("queue.unknown", importData({ engines, registry, folder }), "before all is deployed");
    assert.ok(await registry.isEmpty());
    await fauxqs.createQueue("ingest", QUEUE);
    await spoil(path.join(folder, "blobs/photos/3"));
    await refusedNaming("import.damaged", "blobs/photos/3", importData({ engines, registry, folder }));
    assert.equal((await engines.blobs("photos").list({ prefix: "", limit: 100 })).items.length, 7);
    await cp(exported, folder, { recursive: true });
    await importData({ engines, registry, folder });
    assert.deepEqual(registry.held, filledRegistry().held);
    await assertSameOnAws(engines, await allOf(source));
  });
});

async function assertSameOnAws(engines: Engines, wanted: Awaited<ReturnType<typeof allOf>>): Promise<void> {
  for (const [name, items] of Object.entries(wanted.items)) {
    assert.deepEqual(await engines.table(name).batchGet(items.map(({ PK, SK }) => ({ PK, SK }))), items);
  }
  for (const [place, blob] of Object.entries(wanted.blobs)) {
    const [bucket = "", ...key] = place.split(" ");
    assert.deepEqual(await blobOf(engines.blobs(bucket), key.join(" ")), blob);
  }
  for (const [name, messages] of Object.entries(wanted.messages)) {
    const byBody = (list: unknown[]) => Map.groupBy(list as Message[], ({ body }) => body);
    assert.deepEqual(byBody(await receive(engines, name, messages.length)), byBody(messages));
  }
}

async function receive(engines: Engines, queue: string, count: number): Promise<unknown[]> {
  const received: unknown[] = [];
  const { promise: all, resolve } = Promise.withResolvers<void>();
  const consumer = engines.queue(queue, QUEUE).consume(async (messages) => {
    received.push(...messages.map(({ body, requestId }) => ({ body, requestId })));
    if (received.length >= count) resolve();
    return [];
  });
  await all;
  await consumer.stop();
  return received;
}

/** Changes one byte in the middle. */
async function spoil(file: string): Promise<void> {
  const content = await readFile(file);
  const middle = Math.floor(content.length / 2);
  content.writeUInt8(content.readUInt8(middle) ^ 1, middle);
  await writeFile(file, content);
}

async function refusedNaming(code: string, file: string, work: Promise<unknown>): Promise<void> {
  await assert.rejects(work, (error) => {
    assert.ok(error instanceof Problem, `${error}`);
    assert.equal(error.code, code);
    assert.ok(error.message.startsWith(`${file} is `), error.message);
    return true;
  });
}
