/** A photo as it is shown: URLs that last an hour and lead to pictures, and nothing that is not to be told. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { openPhotoScene } from "../../tests/harness/photo-scene.ts";
import { systemClock } from "../platform/clock.ts";
import { PhotoDetail, PhotoView, showPhoto, showPhotoDetail } from "./view.ts";

const HOUR_MS = 3_600_000;

test("a picture keeps its URL within the hour, and has another in the next, while the first still works", async (t) => {
  let now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const clock = { ...systemClock, now: () => now };
  const { photos, add, engines } = await openPhotoScene(t, { workers: false, clock });
  const item = await add({ bibs: ["7"], photographerId: "minji-kim" });
  await photos.blobs.put(item.processedKey, Buffer.from("picture"), { contentType: "image/jpeg" });
  await photos.blobs.put(item.thumbnailKey, Buffer.from("small"), { contentType: "image/jpeg" });
  const first = await showPhoto(photos, item);
  now += HOUR_MS - 1;
  assert.deepEqual(await showPhoto(photos, item), first);
  const fetched = async (url: string) => (await engines.serveBlob(new Request(url))).text();
  now += 1;
  const next = await showPhoto(photos, item);
  assert.notEqual(next.imageUrl, first.imageUrl);
  assert.notEqual(next.thumbnailUrl, first.thumbnailUrl);
  assert.deepEqual([await fetched(first.imageUrl), await fetched(next.thumbnailUrl)], ["picture", "small"]);
  assert.equal(Date.parse(first.urlsExpireAt), now + HOUR_MS);
  now += HOUR_MS + 1;
  await assert.rejects(fetched(first.imageUrl), { code: "blob.expired" });
  assert.equal(await fetched(next.imageUrl), "picture");
});

test("a browser that has the picture is not sent it again, until it is another one", async (t) => {
  const { photos, add, engines } = await openPhotoScene(t, { workers: false });
  const { processedKey } = await add();
  const put = (text: string) => photos.blobs.put(processedKey, Buffer.from(text), { contentType: "image/jpeg" });
  const url = await photos.blobs.signDownload({ key: processedKey, expiresInMs: HOUR_MS });
  await put("picture");
  const first = await engines.serveBlob(new Request(url));
  assert.match(first.headers.get("cache-control") ?? "", /^private, max-age=\d+$/);
  await first.body?.cancel();
  const again = () =>
    engines.serveBlob(new Request(url, { headers: { "if-none-match": first.headers.get("etag") as string } }));
  const same = await again();
  assert.deepEqual([same.status, await same.text()], [304, ""]);
  await put("another");
  const other = await again();
  assert.deepEqual([other.status, await other.text()], [200, "another"]);
});

test("it shows what the schema says, with the photographer's name, and never where the original is", async (t) => {
  const { photos, add } = await openPhotoScene(t, { workers: false });
  const item = await add({ bibs: ["7", "12"], photographerId: "minji-kim", fileName: "0123456789abcdef-DSC_1.jpg" });
  const view = await showPhoto(photos, item);
  assert.deepEqual(PhotoView.parse(view), view);
  assert.deepEqual([view.fileName, view.bibs.toSorted()], ["DSC_1.jpg", ["12", "7"]]);
  const photographer = { photographerId: "minji-kim", handle: "minji.runs", displayName: "Minji Kim Photo" };
  assert.deepEqual(view.photographer, photographer);
  assert.equal((await showPhoto(photos, await add({ fileName: "nobody.jpg" }))).photographer, null);
  assert.ok(!JSON.stringify(view).includes("/raw/"));
});

test("the detail has boxes but no ids of faces, and other names for organizers only", async (t) => {
  const { photos, add } = await openPhotoScene(t, { workers: false });
  const box = { left: 0.1, top: 0.2, width: 0.1, height: 0.1 };
  const item = await add({ bibs: ["7"], faces: [{ faceId: "face-secret", box, quality: 0.9 }] });
  item.alsoUploadedAs = ["copy.jpg"];
  const forAll = await showPhotoDetail(photos, item, { forOrganizers: false });
  assert.deepEqual(PhotoDetail.parse(forAll), forAll);
  assert.deepEqual(forAll.faces, [{ box }]);
  assert.equal(forAll.seenBibs[0]?.bib, "7");
  const told = JSON.stringify(forAll);
  for (const secret of ["face-secret", "copy.jpg", "/raw/"]) assert.ok(!told.includes(secret), secret);
  const forOrganizers = await showPhotoDetail(photos, item, { forOrganizers: true });
  assert.deepEqual(forOrganizers.alsoUploadedAs, ["copy.jpg"]);
  assert.deepEqual(PhotoDetail.parse(forOrganizers), forOrganizers);
  assert.ok(!JSON.stringify(forOrganizers).includes("face-secret"));
});
