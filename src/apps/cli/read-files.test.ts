/** Which files of which folders are photos, and what is said of those that can't be read. */

import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { photosAt, readPhoto } from "./read-files.ts";

test("files as they are named, photos of folders by name", async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, "later.jpg"));
  const names = ["IMG_10.JPG", "IMG_9.jpg", "b.jpeg", "c.PNG", "d.webp", "e.heic", "f.tif", "g.tiff"];
  const others = [".hidden.jpg", "._IMG_9.jpg", "notes.txt", "jpg", "x.jpg.part", "clip.mp4"];
  for (const name of [...names, ...others]) await writeFile(join(folder, name), "x");
  await symlink(join(folder, "b.jpeg"), join(folder, "linked.jpg"));
  const inFolder = ["b.jpeg", "c.PNG", "d.webp", "e.heic", "f.tif", "g.tiff", "IMG_9.jpg", "IMG_10.JPG", "linked.jpg"];
  const found = await photosAt([join(folder, "notes.txt"), folder, "nowhere.jpg"]);
  assert.deepEqual(found, [join(folder, "notes.txt"), ...inFolder.map((name) => join(folder, name)), "nowhere.jpg"]);
});

test("a folder without photos is told", async (t) => {
  const folder = await temporaryFolder(t);
  await writeFile(join(folder, "notes.txt"), "x");
  await assert.rejects(photosAt([folder]), { code: "photos.none", kind: "missing" });
});

test("reading gives the bytes, or says what is wrong", async (t) => {
  const folder = await temporaryFolder(t);
  const bytes = Buffer.alloc(300_000, "snap");
  await writeFile(join(folder, "a.jpg"), bytes);
  assert.deepEqual(await readPhoto(join(folder, "a.jpg")), bytes);
  await assert.rejects(readPhoto(join(folder, "b.jpg")), { code: "file.not-found", kind: "missing" });
  await assert.rejects(readPhoto(folder), { code: "file.is-folder", kind: "invalid" });
  await assert.rejects(readPhoto(`${folder}/${"n".repeat(300)}.jpg`), { code: "file.not-readable", kind: "invalid" });
});
