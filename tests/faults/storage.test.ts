/** A disk that is full, read-only, damaged or taken: each gives its own clear message and harms nothing. */

import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { refusedWith } from "../../src/platform/contracts/refused.ts";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";

const run = promisify(execFile);
const publicUrl = "http://127.0.0.1";
const fullDisk = new URL("./full-disk.ts", import.meta.url).pathname;
const embeddedEngines = new URL("../../src/platform/embedded/engines.ts", import.meta.url).href;

/** A mount of one's own needs a namespace of one's own, so that it ends with the process and needs no root. */
const namespaces = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "true"]).status === 0;
const needsMounts = namespaces ? {} : { skip: "this machine does not allow mounts in a user namespace (unshare)" };

function inNamespace(command: string): Promise<{ stdout: string }> {
  return run("unshare", ["--user", "--map-root-user", "--mount", "sh", "-c", command], { timeout: 60_000 });
}

describe("storage trouble", () => {
  const folders: string[] = [];
  const freshFolder = async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "snaprace-storage-"));
    folders.push(folder);
    return folder;
  };
  after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

  it(
    "says that the disk is full, keeps what it acknowledged, and goes on when there is room",
    needsMounts,
    async () => {
      const disk = await freshFolder();
      const mount = `mount -t tmpfs -o size=12m tmpfs ${disk}`;
      const { stdout } = await inNamespace(`${mount} && exec ${process.execPath} ${fullDisk} ${disk}`);
      const { keptSome, readableWhileFull, ...seen } = JSON.parse(stdout);
      assert.deepEqual(seen, {
        uploadCode: "storage.full",
        code: "storage.full",
        leftOver: [],
        whole: true,
        together: true,
      });
      assert.equal(readableWhileFull, keptSome + 1);
    },
  );

  it("says that the folder is read-only", needsMounts, async () => {
    const disk = await freshFolder();
    const open = `import(${JSON.stringify(embeddedEngines)}).then((module) =>
      module.openEmbeddedEngines({ dataFolder: ${JSON.stringify(disk)}, publicUrl: "http://127.0.0.1" })).then(
      () => console.log("opened"), (error) => console.log(error.code, error.message))`;
    const { stdout } = await inNamespace(
      `mount -t tmpfs -o ro tmpfs ${disk} && exec ${process.execPath} -e '${open.replaceAll("\n", " ")}'`,
    );
    assert.equal(
      stdout.trim(),
      `storage.read-only the data folder ${disk} can't be written to. Check its permissions and mount options.`,
    );
  });

  it("says that the database file is damaged, at the start or when the damage is met, and leaves it as it is", async () => {
    const dataFolder = await freshFolder();
    const file = path.join(dataFolder, "store.db");
    await writeFile(file, "this is no database, whatever it is called".repeat(100));
    const before = await readFile(file);
    await refusedWith("storage.corrupt", openEmbeddedEngines({ dataFolder, publicUrl }));
    assert.deepEqual(await readFile(file), before);
  });

  it("says that a page is damaged when it is read or written, and goes on with the rest", async () => {
    const dataFolder = await freshFolder();
    const engines = await openEmbeddedEngines({ dataFolder, publicUrl });
    const table = engines.table("items");
    for (let n = 0; n < 200; n += 1) await table.write([{ put: { PK: "P", SK: `${n}`, body: "x".repeat(2_000) } }]);
    await engines.close();
    const file = await open(path.join(dataFolder, "store.db"), "r+");
    const { size } = await file.stat();
    // All pages but the first few, which hold the schema.
    for (let at = 24 * 4096; at < size; at += 4096) await file.write(new Uint8Array(4096).fill(0xee), 0, 4096, at);
    await file.close();
    const again = await openEmbeddedEngines({ dataFolder, publicUrl });
    try {
      await refusedWith("storage.corrupt", again.table("items").query({ partition: "P", limit: 1000 }));
      await again.table("others").write([{ put: { PK: "still", SK: "works" } }]);
    } finally {
      await again.close();
    }
  });

  it("lets only one server have the folder, also within one process, and frees it on close", async () => {
    const dataFolder = await freshFolder();
    const engines = await openEmbeddedEngines({ dataFolder, publicUrl });
    await refusedWith("data.in-use", openEmbeddedEngines({ dataFolder, publicUrl }));
    await engines.close();
    await (await openEmbeddedEngines({ dataFolder, publicUrl })).close();
  });

  it("says so when a file stands where the folder should be", async () => {
    const folder = await freshFolder();
    await mkdir(folder, { recursive: true });
    const dataFolder = path.join(folder, "file");
    await writeFile(dataFolder, "");
    await refusedWith("storage.not-a-folder", openEmbeddedEngines({ dataFolder, publicUrl }));
  });
});
