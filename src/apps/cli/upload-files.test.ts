/** Which files are uploaded, and what is left out. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { checksum, checkUnchanged, findFiles, type UploadFile } from "./upload-files.ts";

const never = new AbortController().signal;

describe("files to upload", () => {
  test("are found in folders by name, however deep, each once", async (t) => {
    const folder = await temporaryFolder(t);
    await mkdir(join(folder, "b", "c"), { recursive: true });
    await mkdir(join(folder, ".trash"));
    const names = ["IMG_10.JPG", "IMG_9.jpg", "b/c/x.tiff", "b/y.heic", ".trash/z.jpg", ".z.jpg", "notes.txt"];
    for (const name of names) await writeFile(join(folder, name), name);
    await symlink(folder, join(folder, "b", "round"));
    await symlink(folder, join(folder, "b", "round.jpg"));
    await symlink(join(folder, "IMG_9.jpg"), join(folder, "b", "link.jpg"));
    const found = await findFiles([folder, join(folder, "b"), join(folder, "IMG_9.jpg"), join(folder, "notes.txt")]);
    assert.deepEqual(
      found.files.map(({ file }) => file.slice(folder.length + 1)),
      ["b/c/x.tiff", "b/link.jpg", "b/y.heic", "IMG_9.jpg", "IMG_10.JPG", "notes.txt"],
    );
    assert.deepEqual(
      found.skipped.map(({ file, why }) => [file.slice(folder.length + 1), why]),
      [
        [".trash", "hidden"],
        [".z.jpg", "hidden"],
        ["b/round", "no photo"],
        ["b/round.jpg", "no file"],
        ["notes.txt", "no photo"],
      ],
    );
    assert.deepEqual(found.failed, []);
  });

  test("that can't be read are told, and what is not there at all is a slip", async (t) => {
    const folder = await temporaryFolder(t);
    await symlink(join(folder, "nothing"), join(folder, "broken.jpg"));
    const { failed } = await findFiles([folder]);
    assert.deepEqual(
      failed.map(({ problem }) => problem.code),
      ["file.not-found"],
    );
    await assert.rejects(findFiles([join(folder, "nothing")]), { code: "file.not-found" });
  });

  test("are summed as they are, and noticed when they change", async (t) => {
    const file = join(await temporaryFolder(t), "a.jpg");
    const bytes = randomBytes(3_000_000);
    await writeFile(file, bytes);
    const [found] = (await findFiles([file])).files as [UploadFile];
    const counts: number[] = [];
    const sum = await checksum(found, (count) => void counts.push(count), never);
    assert.equal(sum, createHash("sha256").update(bytes).digest("hex"));
    assert.equal(
      counts.reduce((all, count) => all + count),
      bytes.length,
    );
    await checkUnchanged(found);
    await utimes(file, new Date(), new Date(Date.now() + 5000));
    await assert.rejects(checkUnchanged(found), { code: "file.changed" });
  });
});
