/** Every photo gets a drawing of its own, and no photo is overwritten. */

import assert from "node:assert/strict";
import { mkdir, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { planDrawings } from "./draw-names.ts";

test("names are the photos', made different where they meet", async (t) => {
  const folder = join(await temporaryFolder(t), "new", "drawn");
  const photos = ["/a/IMG_1.jpg", "/b/IMG_1.JPG", "/b/img_1.png", "/b/img_1-2.heic", "/b/two.dots.jpg"];
  const names = ["IMG_1.jpg", "IMG_1-2.jpg", "img_1-3.jpg", "img_1-2-2.jpg", "two.dots.jpg"];
  assert.deepEqual(
    await planDrawings(photos, folder),
    names.map((name) => join(folder, name)),
  );
  assert.ok((await stat(folder)).isDirectory());
});

test("the photos' own folder is refused, by whatever name", async (t) => {
  const folder = await temporaryFolder(t);
  await mkdir(join(folder, "photos"));
  await symlink(join(folder, "photos"), join(folder, "other-name"));
  const photo = join(folder, "photos", "a.png");
  for (const name of ["photos", "photos/../photos/.", "other-name"]) {
    await assert.rejects(planDrawings([photo], join(folder, name)), { code: "draw.same-folder", kind: "conflict" });
  }
  await writeFile(join(folder, "file"), "x");
  await assert.rejects(planDrawings([photo], join(folder, "file")), { code: "storage.not-a-folder" });
});
