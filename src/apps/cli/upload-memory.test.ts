/** What is remembered of uploads in parts. */

import assert from "node:assert/strict";
import { readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { openMemory } from "./upload-memory.ts";

const file = { name: "a.tif", sha256: "0".repeat(64) };
const whose = { event: "han-10k", photographer: "minji" };

describe("the memory of uploads", () => {
  afterEach(() => {
    delete process.env.XDG_STATE_HOME;
  });

  test("outlives the process, is of one photographer at one event, and forgets", async (t) => {
    process.env.XDG_STATE_HOME = await temporaryFolder(t);
    await (await openMemory(whose)).keep(file, "upload-1");
    const again = await openMemory(whose);
    assert.equal(await again.recall(file), "upload-1");
    assert.equal(await again.recall({ ...file, name: "b.tif" }), undefined);
    assert.equal(await (await openMemory({ ...whose, photographer: undefined })).recall(file), undefined);
    assert.equal(await (await openMemory({ ...whose, event: "other" })).recall(file), undefined);
    await again.forget(file);
    assert.equal(await again.recall(file), undefined);
  });

  test("drops what no server knows any more", async (t) => {
    const state = await temporaryFolder(t);
    process.env.XDG_STATE_HOME = state;
    await (await openMemory(whose)).keep(file, "upload-1");
    const folder = join(state, "snaprace", "uploads");
    const [name = ""] = await readdir(folder);
    const old = new Date(Date.now() - 8 * 86_400_000);
    await utimes(join(folder, name), old, old);
    await openMemory(whose);
    assert.deepEqual(await readdir(folder), []);
  });

  test("is not needed: where nothing can be kept, nothing is remembered", async () => {
    process.env.XDG_STATE_HOME = "/dev/null";
    const memory = await openMemory(whose);
    await memory.keep(file, "upload-1");
    assert.equal(await memory.recall(file), undefined);
    await memory.forget(file);
  });
});
