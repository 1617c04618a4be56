/** The ZIP: whole, as long as promised, read piece by piece, and over when nobody reads it any more. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { photoApi } from "../../tests/harness/photo-api.ts";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import type { Blobs } from "../platform/ports.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { galleryRoutes } from "./http.ts";
import type { PhotoItem } from "./items.ts";
import { zipPhotos } from "./zip.ts";

const JPEG = { contentType: "image/jpeg" };
const ZIP = `/events/${EVENT.eventId}/photos.zip`;
const MEGABYTE = 1024 * 1024;
const eventOf = (scene: PhotoScene) => scene.facts.events.get(EVENT.eventId) as EventForPhotos;
const never = new AbortController().signal;

async function addPictures(scene: PhotoScene, bib: string, pictures: string[]): Promise<PhotoItem[]> {
  const items: PhotoItem[] = [];
  for (const [index, picture] of pictures.entries()) {
    const item = await scene.add({ bibs: [bib], createdAt: Date.UTC(2027, 3, 18, 9, 0, index) });
    await scene.photos.blobs.put(item.processedKey, Buffer.from(picture), JPEG);
    items.push(item);
  }
  return items;
}

/** Reads it as programs do: from the list at its end. */
function unzip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from("PK\x05\x06"));
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    assert.equal(zip.toString("latin1", at, at + 4), "PK\x01\x02");
    assert.equal(zip.readUInt16LE(at + 10), 0, "it is stored as it is");
    const [nameLength, extraLength] = [zip.readUInt16LE(at + 28), zip.readUInt16LE(at + 30)];
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 24));
    assert.equal(crc32(bytes), zip.readUInt32LE(at + 16), `the checksum of ${name}`);
    assert.ok(!files.has(name), `${name} is there twice`);
    files.set(name, bytes);
    at += 46 + nameLength + extraLength;
  }
  assert.equal(at, end);
  return files;
}

/** Blobs that tell which objects are open, and let something happen before one is read. */
function watched(blobs: Blobs, before: (key: string) => Promise<void> | void = () => {}) {
  const opened: string[] = [];
  const closed: string[] = [];
  const get: Blobs["get"] = async (key) => {
    await before(key);
    const found = await blobs.get(key);
    if (!found) return undefined;
    opened.push(key);
    const body = found.body as AsyncIterable<Uint8Array> & NodeJS.EventEmitter;
    body.once("close", () => closed.push(key));
    return found;
  };
  const head: Blobs["head"] = (key) => blobs.head(key);
  return { opened, closed, blobs: { get, head } as Blobs };
}

async function untilTrue(holds: () => boolean, what: string): Promise<void> {
  for (const deadline = Date.now() + 30_000; !holds(); await delay(5)) assert.ok(Date.now() < deadline, what);
}

describe("a ZIP over HTTP", () => {
  test("has the bib's pictures under distinct names, and the length it says", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const { fetch } = photoApi(scene, galleryRoutes(scene.photos));
    const pictures = ["first", "second", "x".repeat(300_000)];
    const items = await addPictures(scene, "1024", pictures);
    const twin = await scene.add({
      bibs: ["1024"],
      createdAt: Date.parse(items[0]?.createdAt as string),
      fileName: "b",
    });
    await scene.photos.blobs.put(twin.processedKey, Buffer.from("twin"), JPEG);
    await addPictures(scene, "1025", ["not asked for"]);
    const answer = await fetch(`${ZIP}?bib=1024`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-type"), "application/zip");
    assert.equal(answer.headers.get("content-disposition"), 'attachment; filename="Han-River-10K_1024.zip"');
    const zip = Buffer.from(await answer.arrayBuffer());
    assert.equal(Number(answer.headers.get("content-length")), zip.length);
    const files = unzip(zip);
    assert.deepEqual([...files.values()].map(String).toSorted(), [...pictures, "twin"].toSorted());
    const names = [...files.keys()];
    assert.ok(names.includes("Han-River-10K_1024_20270418-090000.jpg"), names.join());
    assert.ok(names.includes("Han-River-10K_1024_20270418-090000-2.jpg"), names.join());
    const [first, , third] = items as [PhotoItem, PhotoItem, PhotoItem];
    const some = await fetch(`${ZIP}?ulids=${third.ulid},${first.ulid},${third.ulid},01KXDJ6T3V9QN4W8Y2ZB5C7D1E`);
    const chosen = unzip(Buffer.from(await some.arrayBuffer()));
    assert.deepEqual([...chosen.values()].map(String), [pictures[2], pictures[0]]);
  });

  test("asked for its head only, it opens nothing", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    await addPictures(scene, "7", ["picture"]);
    const { opened, blobs } = watched(scene.photos.blobs);
    const { fetch } = photoApi(scene, galleryRoutes({ ...scene.photos, blobs }));
    const answer = await fetch(`${ZIP}?bib=7`, "HEAD");
    assert.equal(answer.status, 200);
    assert.ok(Number(answer.headers.get("content-length")) > 7);
    assert.deepEqual(opened, []);
  });
});

test("a bib with more photos than fit is refused, with what to do instead", async (t) => {
  const scene = await openPhotoScene(t, { workers: false });
  const { table } = scene.photos;
  const item = await scene.add({ bibs: ["7"] });
  for (let made = 0; made < 500; made += 50) {
    const puts = Array.from({ length: 50 }, (_, index) => {
      const ulid = `01KXDJ6T3V9QN4W8Y2ZB5C${String(7000 + made + index)}`;
      const keys = { GSI1PK: `EVT#${EVENT.eventId}#BIB#7`, GSI1SK: `PHOTO#${ulid}` };
      return [
        { put: { ...item, SK: `PHOTO#${ulid}`, ulid } },
        { put: { PK: item.PK, SK: `BIB#7#PHOTO#${ulid}`, ...keys, ulid } },
      ];
    });
    await table.write(puts.flat());
  }
  const zip = zipPhotos(scene.photos, eventOf(scene), { bib: "7" }, never);
  await assert.rejects(zip, { code: "zip.too-many", message: /more than 500 photos.*ulids/ });
});

describe("while it is being read", () => {
  test("a photo deleted or changed meanwhile is left out, and the ZIP is whole and as long as promised", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const pictures = ["a".repeat(1000), "b".repeat(200_000), "c".repeat(10), "d".repeat(1000)];
    const [, gone, changed, tiny] = (await addPictures(scene, "7", pictures)) as [
      PhotoItem,
      PhotoItem,
      PhotoItem,
      PhotoItem,
    ];
    const { blobs, opened, closed } = watched(scene.photos.blobs, async () => {
      await scene.photos.blobs.delete([gone.processedKey, tiny.processedKey]);
      await scene.photos.blobs.put(changed.processedKey, Buffer.from("another picture"), JPEG);
    });
    const { sizeBytes, stream } = await zipPhotos({ ...scene.photos, blobs }, eventOf(scene), { bib: "7" }, never);
    const zip = await buffer(stream);
    assert.equal(zip.length, sizeBytes);
    const files = [...unzip(zip)];
    assert.deepEqual(
      files.filter(([name]) => name.endsWith(".jpg")).map(([, bytes]) => String(bytes)),
      [pictures[0]],
    );
    const notes = files.filter(([name]) => name.endsWith(".txt"));
    assert.deepEqual(
      notes.map(([, { length }]) => length).toSorted((a, b) => a - b),
      [10, 1000, 200_000],
    );
    assert.match(
      String(notes.find(([, { length }]) => length === 1000)?.[1]),
      /^This photo was deleted or changed .*\n +$/,
    );
    await untilTrue(() => closed.length === opened.length, "the changed picture is still open");
  });

  test("nobody reads ahead of the client, and memory does not grow with the ZIP", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const photos = 200;
    const [item] = (await addPictures(scene, "7", [""])) as [PhotoItem];
    const picture = Buffer.alloc(2 * MEGABYTE, "picture");
    await scene.photos.blobs.put("the-picture", picture, JPEG);
    const { opened, blobs } = watched(scene.photos.blobs);
    // One picture on the disk stands for all of them.
    const same = { get: () => blobs.get("the-picture"), head: () => blobs.head("the-picture") } as unknown as Blobs;
    const ulids = Array.from({ length: photos }, (_, index) => `01KXDJ6T3V9QN4W8Y2ZB5C${7000 + index}`);
    for (let from = 0; from < photos; from += 50) {
      const some = ulids.slice(from, from + 50);
      await scene.photos.table.write(some.map((ulid) => ({ put: { ...item, SK: `PHOTO#${ulid}`, ulid } })));
    }
    const zip = await zipPhotos({ ...scene.photos, blobs: same }, eventOf(scene), { ulids }, never);
    const used = () => {
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    const before = used();
    let [most, received] = [0, 0];
    for await (const piece of zip.stream) {
      received += piece.byteLength;
      most = Math.max(most, used());
      if (received % (10 * MEGABYTE) < piece.byteLength) await delay(20);
      const whole = Math.floor(received / picture.length);
      assert.ok(opened.length <= whole + 2, `${opened.length} pictures were opened when ${whole} were received`);
    }
    assert.equal(received, zip.sizeBytes);
    assert.ok(received > photos * picture.length);
    const grown = Math.round((most - before) / MEGABYTE);
    assert.ok(grown < 120, `${grown} MB more were in use while ${received / MEGABYTE} MB went through`);
  });

  test("who leaves stops the reading, and leaves nothing open", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    await addPictures(
      scene,
      "7",
      Array.from({ length: 5 }, (_, index) => String(index).repeat(MEGABYTE)),
    );
    const ways: ((stream: ReadableStream<Uint8Array>, leave: () => void) => Promise<unknown>)[] = [
      (stream) => stream.cancel(),
      async (stream, leave) => {
        const reader = stream.getReader();
        for (let pieces = 0; pieces < 5; pieces += 1) await reader.read();
        leave();
        await assert.rejects(async () => {
          while (!(await reader.read()).done);
        });
      },
      async (stream) => {
        for await (const _ of stream) break;
      },
      async (stream) => {
        let pieces = 0;
        for await (const _ of stream) if (++pieces === 8) break;
      },
    ];
    for (const [index, way] of ways.entries()) {
      const { opened, closed, blobs } = watched(scene.photos.blobs);
      const client = new AbortController();
      const asked = zipPhotos({ ...scene.photos, blobs }, eventOf(scene), { bib: "7" }, client.signal);
      await way((await asked).stream, () => client.abort());
      assert.ok(opened.length <= 2, `${opened.length} were opened in way ${index}`);
      await untilTrue(() => closed.length === opened.length, `way ${index} left one open`);
    }
  });

  test("a connection that breaks ends it too, on a server that listens", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const pictures = Array.from({ length: 30 }, (_, index) => String(index % 10).repeat(MEGABYTE));
    const items = await addPictures(scene, "7", pictures);
    const { opened, closed, blobs } = watched(scene.photos.blobs);
    const { listen } = photoApi(scene, galleryRoutes({ ...scene.photos, blobs }));
    // The first goes the short way to the API, the second through the app.
    for (const path of [`${ZIP}?bib=7`, `${ZIP}?ulids=${items.map(({ ulid }) => ulid).join()}`]) {
      const { request, response } = await listen(t, path);
      await once(response, "readable");
      response.read();
      request.destroy();
      await untilTrue(() => opened.length > 0 && closed.length === opened.length, "one is still open");
      await delay(50);
      assert.ok(opened.length < 30, `${opened.length} were opened for nobody`);
      assert.equal(closed.length, opened.length);
      opened.length = closed.length = 0;
    }
  });
});
