/** Asking for uploads: what each file is answered, whose photos they are, and keys that lead elsewhere. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { after, before, beforeEach, describe, test } from "node:test";
import { type Called, photoApi } from "../../tests/harness/photo-api.ts";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import { asProblem } from "../platform/problem.ts";
import { uploadRoutes } from "./http-uploads.ts";
import { type ContentItem, contentKey, type UploadStatus } from "./items.ts";
import { photoIdOf } from "./photo-id.ts";
import { photographerIn } from "./photographer-metadata.ts";
import { beginUpload, findUpload, moveUpload } from "./uploads.ts";

const UPLOADS = `/events/${EVENT.eventId}/uploads`;
const minji = { photographers: ["minji-kim"] };
const organizer = { organizations: [EVENT.orgId] };
const operator = { operator: true };
const LARGE_BYTES = 25_000_000;

const sumOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const fileOf = (name: string, bytes: Uint8Array) => ({ name, sizeBytes: bytes.length, sha256: sumOf(bytes) });

describe("uploads", () => {
  let scene: PhotoScene;
  let api: { post(who: object, path: string, body: unknown): Promise<Called> };

  const cleaners: (() => Promise<void>)[] = [];
  after(async () => {
    for (const clean of cleaners.reverse()) await clean();
  });
  before(async () => {
    // What is registered inside of a hook would run when the hook is over.
    scene = await openPhotoScene({ after: (clean) => void cleaners.push(clean) }, { workers: false });
    const { post } = photoApi(scene, uploadRoutes(scene.photos));
    api = { post: (who, path, body) => post(path, who, body) };
  });
  beforeEach(() => {
    const event = scene.facts.events.get(EVENT.eventId);
    assert.ok(event);
    scene.facts.events.set("other-10k", { ...event, eventId: "other-10k", orgId: "other" });
    scene.facts.assignments.set(EVENT.eventId, new Set(["minji-kim", "tom"]));
    scene.facts.assignments.set("other-10k", new Set(["minji-kim"]));
  });

  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
  async function ask(files: unknown[], who: object = minji, more: object = {}): Promise<any[]> {
    const { status, body } = await api.post(who, UPLOADS, { files, ...more });
    assert.equal(status, 200, JSON.stringify(body));
    return body.items;
  }
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  async function send({ upload }: any, bytes: Uint8Array): Promise<number> {
    const headers = { ...upload.headers, "content-length": String(bytes.length) };
    const request = new Request(upload.url, { method: "PUT", headers, body: new Uint8Array(bytes) });
    return scene.engines.serveBlob(request).then(
      ({ status }) => status,
      (error) => asProblem(error).httpStatus,
    );
  }
  async function standing(key: string, status: UploadStatus, change: object = {}): Promise<string> {
    const head = await scene.photos.blobs.head(key);
    assert.ok(head);
    const about = { ...EVENT, ulid: photoIdOf(scene.photos.bucket, head), rawKey: key, uploadedAt: "2027-04-18" };
    await scene.photos.table.write(beginUpload(about, "2027-04-18"));
    const upload = await findUpload(scene.photos.table, about);
    assert.ok(upload);
    if (status !== "PROCESSING") {
      await scene.photos.table.write(moveUpload(upload, status, { now: "2027-04-19", set: { ...change } }));
    }
    return about.ulid;
  }

  async function claim(bytes: Uint8Array, ulid: string, rawKey: string): Promise<void> {
    const sha256 = sumOf(bytes);
    const key = contentKey(EVENT, sha256);
    const content: ContentItem = { ...key, EntityType: "CONTENT", sha256, ulid, rawKey, also: [] };
    await scene.photos.table.write([{ put: content }]);
  }

  test("are answered in the order asked, and a bad file spoils no other", async () => {
    const items = await ask([
      { name: "a.jpg", sizeBytes: 10 },
      { name: "b.jpg", sizeBytes: 0 },
      { name: "c.jpg", sizeBytes: 100 * 1024 * 1024 + 1 },
      { name: "d.heic", sizeBytes: 10 },
      { name: "e.pdf", sizeBytes: 10 },
      { name: "..", sizeBytes: 10 },
      { name: "g.png", sizeBytes: 20_000_000 },
      { name: "h.tif", sizeBytes: 20_000_001 },
    ]);
    assert.deepEqual(
      items.map(({ name, state, problem }) => [name, problem?.code ?? state]),
      [
        ["a.jpg", "upload"],
        ["b.jpg", "photo.empty"],
        ["c.jpg", "photo.too-large"],
        ["d.heic", "photo.heic"],
        ["e.pdf", "photo.not-a-picture"],
        ["..", "photo.bad-name"],
        ["g.png", "upload"],
        ["h.tif", "parts"],
      ],
    );
  });

  test("lead to a photo with its name, its type and its photographer", async () => {
    const bytes = randomBytes(1000);
    const [item] = await ask([fileOf("결승선 1.JPG", bytes)]);
    assert.equal(item.key, `han-river/han-river-10k/raw/${sumOf(bytes).slice(0, 16)}-결승선 1.JPG`);
    assert.ok(Date.parse(item.expiresAt) > Date.now() + 3_500_000);
    assert.equal(await send(item, bytes.subarray(1)), 403);
    assert.equal(await send(item, bytes), 200);
    const head = await scene.photos.blobs.head(item.key);
    assert.equal(head?.contentType, "image/jpeg");
    assert.equal(photographerIn(head?.metadata ?? {}), "minji-kim");
  });

  test("without a checksum never meet: two cameras name alike", async () => {
    const items = await ask([
      { name: "IMG_1.jpg", sizeBytes: 10 },
      { name: "IMG_1.jpg", sizeBytes: 10 },
    ]);
    assert.notEqual(items[0].key, items[1].key);
    assert.match(items[0].key, /\/raw\/[0-9a-f]{16}-IMG_1\.jpg$/);
  });

  test("of bytes that are there are known, by whatever name", async () => {
    const bytes = randomBytes(500);
    const [item] = await ask([fileOf("a.jpg", bytes)]);
    await send(item, bytes);
    const waiting = await ask([fileOf("a.jpg", bytes)]);
    assert.deepEqual([waiting[0].state, waiting[0].ulid], ["known", undefined]);
    const ulid = await standing(item.key, "PROCESSING");
    const working = await ask([fileOf("a.jpg", bytes)]);
    assert.deepEqual([working[0].state, working[0].ulid], ["known", ulid]);

    await claim(bytes, ulid, item.key);
    const upload = await findUpload(scene.photos.table, { ...EVENT, ulid });
    assert.ok(upload);
    await scene.photos.table.write(moveUpload(upload, "DONE", { now: "2027-04-19" }));
    const [same, renamed] = await ask([fileOf("a.jpg", bytes), fileOf("copy.jpg", bytes)]);
    assert.deepEqual(same, { name: "a.jpg", state: "known", ulid, why: "It is here already." });
    assert.deepEqual(renamed, { name: "copy.jpg", state: "known", ulid, why: "It is here already, as a.jpg." });
    // In capitals it is the same sum.
    const [loud] = await ask([{ ...fileOf("a.jpg", bytes), sha256: sumOf(bytes).toUpperCase() }]);
    assert.equal(loud.state, "known");
  });

  test("of bytes that are there leave their names with the photo, once each and not without end", async () => {
    const { photos } = scene;
    const { ulid, rawKey, sha256 } = await scene.add({ fileName: "0123456789abcdef-first.jpg" });
    const content = { EntityType: "CONTENT", sha256, ulid, rawKey, also: [] };
    await photos.table.write([{ put: { ...contentKey(EVENT, sha256), ...content } }]);
    const again = (name: string) => ask([{ name, sizeBytes: 10, sha256 }]);
    for (const name of ["first.jpg", "second.jpg", "second.jpg", "third.jpg"]) await again(name);
    assert.deepEqual((await scene.photo(ulid))?.alsoUploadedAs, ["second.jpg", "third.jpg"]);
    for (let n = 0; n < 30; n += 1) await again(`more-${n}.jpg`);
    assert.equal((await scene.photo(ulid))?.alsoUploadedAs?.length, 20);
  });

  test("of bytes that could not be worked on are refused with that reason", async () => {
    const bytes = randomBytes(500);
    const [item] = await ask([fileOf("bad.jpg", bytes)]);
    await send(item, bytes);
    const failure = { code: "photo.truncated", message: "A part of it is missing." };
    await standing(item.key, "FAILED", { failure });
    assert.deepEqual(await ask([fileOf("bad.jpg", bytes)]), [{ name: "bad.jpg", state: "refused", problem: failure }]);
  });

  test("of a deleted photo wait until it is removed, and then are taken again", async () => {
    const bytes = randomBytes(500);
    const file = fileOf("gone.jpg", bytes);
    const [item] = await ask([file]);
    await send(item, bytes);
    const ulid = await standing(item.key, "DELETED");
    await claim(bytes, ulid, item.key);
    assert.equal((await ask([file]))[0].problem?.code, "photo.being-removed");
    await scene.photos.blobs.delete([item.key]);
    assert.equal((await ask([file]))[0].state, "upload");
  });

  describe("in parts", () => {
    const bytes = randomBytes(LARGE_BYTES);
    const file = fileOf("large.tif", bytes);
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const partsOf = async ({ key, parts }: any, more: object = {}) =>
      api.post(minji, `${UPLOADS}/parts`, { key, uploadId: parts.uploadId, sizeBytes: LARGE_BYTES, ...more });
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const sendPart = ({ part, sizeBytes, upload }: any, partSizeBytes: number) => {
      const from = (part - 1) * partSizeBytes;
      return send({ upload }, bytes.subarray(from, from + sizeBytes));
    };

    test("go on where they stopped, and become one object", async () => {
      const [item] = await ask([file]);
      assert.deepEqual([item.state, item.parts.count], ["parts", 3]);
      const { partSizeBytes } = item.parts;
      const first = (await partsOf(item)).body;
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      const states = (answer: any) => answer.parts.map(({ state }: any) => state);
      assert.deepEqual(states(first), ["upload", "upload", "upload"]);
      assert.equal(await sendPart(first.parts[1], partSizeBytes), 200);

      // After a restart of the sender, who remembers the upload's id.
      const [again] = await ask([{ ...file, uploadId: item.parts.uploadId }]);
      assert.deepEqual(again, item);
      const second = (await partsOf(again)).body;
      assert.deepEqual(states(second), ["upload", "sent", "upload"]);
      const complete = { key: item.key, uploadId: item.parts.uploadId, parts: 3 };
      const early = await api.post(minji, `${UPLOADS}/complete`, complete);
      assert.deepEqual([early.status, early.body.code], [409, "blob.parts-missing"]);
      for (const part of [second.parts[0], second.parts[2]]) await sendPart(part, partSizeBytes);
      for (let times = 0; times < 2; times += 1) {
        const done = await api.post(minji, `${UPLOADS}/complete`, complete);
        assert.deepEqual([done.status, done.body], [200, { key: item.key, sizeBytes: LARGE_BYTES }]);
      }
      const found = await scene.photos.blobs.get(item.key);
      assert.equal(photographerIn(found?.head.metadata ?? {}), "minji-kim");
      const pieces: Uint8Array[] = [];
      for await (const piece of found?.body ?? []) pieces.push(piece);
      assert.equal(sumOf(Buffer.concat(pieces)), file.sha256);
      assert.equal((await ask([file]))[0].state, "known");
      const ended = await partsOf(item);
      assert.deepEqual([ended.status, ended.body.code], [404, "upload.not-found"]);
    });

    test("begin anew when what is remembered has ended or is of another file", async () => {
      const other = { ...file, name: "other.tif" };
      const [item] = await ask([other]);
      for (const uploadId of ["never-begun", item.parts.uploadId]) {
        const [anew] = await ask([{ ...file, name: "new.tif", uploadId }]);
        assert.equal(anew.state, "parts");
        assert.notEqual(anew.parts.uploadId, uploadId);
      }
    });

    test("are not where the caller may not upload", async () => {
      const [item] = await ask([{ ...file, name: "mine.tif" }]);
      const { uploadId } = item.parts;
      const keys = [
        item.key.replace("han-river/han-river-10k/", "other/other-10k/"),
        item.key.replace("/raw/", "/processed/"),
        item.key.replace("/raw/", "/raw/../raw/"),
        item.key.replace("/raw/", "/raw//"),
        `${EVENT.orgId}/${EVENT.eventId}/../../other/other-10k/raw/a.jpg`,
        `other/${EVENT.eventId}/raw/a.jpg`,
        `/${item.key}`,
        `${EVENT.orgId}/${EVENT.eventId}/raw/`,
        "",
      ];
      for (const key of keys) {
        const parts = await api.post(minji, `${UPLOADS}/parts`, { key, uploadId, sizeBytes: LARGE_BYTES });
        const complete = await api.post(minji, `${UPLOADS}/complete`, { key, uploadId, parts: 3 });
        for (const { status, body } of [parts, complete]) {
          assert.deepEqual([status, body.code], [400, "upload.bad-key"], key);
        }
      }
      // The key is right, but of the event that is not asked.
      const elsewhere = await api.post(minji, "/events/other-10k/uploads/parts", {
        ...{ key: item.key, uploadId, sizeBytes: LARGE_BYTES },
      });
      assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, "upload.bad-key"]);
      const dots = await api.post(minji, `${UPLOADS}/complete`, {
        ...{ key: `${EVENT.orgId}/${EVENT.eventId}/raw/..`, uploadId, parts: 3 },
      });
      assert.equal(dots.status, 400);
      const tooLarge = await partsOf(item, { sizeBytes: 100 * 1024 * 1024 + 1 });
      assert.deepEqual([tooLarge.status, tooLarge.body.code], [413, "photo.too-large"]);
    });
  });

  describe("are of a photographer", () => {
    const file = { name: "a.jpg", sizeBytes: 10 };
    const headerOf = async (who: object, more: object = {}) => {
      const [item] = await ask([file], who, more);
      return item.upload.headers["x-amz-meta-photographer-id"];
    };
    const refusal = async (who: object, more: object = {}) => {
      const { status, body } = await api.post(who, UPLOADS, { files: [file], ...more });
      return [status, body.code];
    };

    test("who the caller is, or whom an organizer names", async () => {
      assert.equal(await headerOf(minji), "minji-kim");
      assert.equal(await headerOf(minji, { photographerId: "minji-kim" }), "minji-kim");
      assert.equal(await headerOf({ photographers: ["minji-kim", "idle"] }), "minji-kim");
      assert.equal(await headerOf({ photographers: ["minji-kim", "tom"] }, { photographerId: "tom" }), "tom");
      assert.equal(await headerOf(organizer, { photographerId: "tom" }), "tom");
      assert.equal(await headerOf(operator, { photographerId: "tom" }), "tom");
      assert.equal(await headerOf(organizer), undefined);
      assert.equal(await headerOf(operator), undefined);
    });

    test("and nobody else", async () => {
      assert.deepEqual(await refusal(minji, { photographerId: "tom" }), [403, "upload.other-photographer"]);
      const two = { photographers: ["minji-kim", "tom"] };
      assert.deepEqual(await refusal(two), [400, "upload.which-photographer"]);
      const idle = { photographers: ["minji-kim", "idle"] };
      const notAssigned = [400, "upload.photographer-not-assigned"];
      assert.deepEqual(await refusal(idle, { photographerId: "idle" }), notAssigned);
      assert.deepEqual(await refusal(organizer, { photographerId: "idle" }), notAssigned);
      assert.deepEqual(await refusal(operator, { photographerId: "nobody" }), notAssigned);
      const otherOrganizer = { ...minji, organizations: ["other"] };
      assert.deepEqual(await refusal(otherOrganizer, { photographerId: "tom" }), [403, "upload.other-photographer"]);
      assert.deepEqual(await refusal({ photographers: ["idle"] }), [403, "access.forbidden"]);
      assert.deepEqual(await refusal({ organizations: ["other"] }), [404, "event.not-found"]);
      assert.deepEqual(await refusal({}), [403, "access.forbidden"]);
    });
  });

  test("are taken for drafts, and for no event that was removed", async () => {
    const event = scene.facts.events.get(EVENT.eventId);
    assert.ok(event);
    scene.facts.events.set("draft", { ...event, eventId: "draft", published: false });
    scene.facts.assignments.set("draft", new Set(["minji-kim"]));
    const files = [{ name: "a.jpg", sizeBytes: 10 }];
    assert.equal((await api.post(minji, "/events/draft/uploads", { files })).status, 200);
    scene.facts.events.delete("draft");
    // Even if who is assigned were still known.
    const calls = [
      api.post(minji, "/events/draft/uploads", { files }),
      api.post(minji, "/events/draft/uploads/parts", { key: "a", uploadId: "a", sizeBytes: 1 }),
      api.post(operator, "/events/draft/uploads/complete", { key: "a", uploadId: "a", parts: 1 }),
    ];
    for (const { status, body } of await Promise.all(calls)) {
      assert.deepEqual([status, body.code], [404, "event.not-found"]);
    }
  });

  test("are asked for by 1 to 1000 files", async () => {
    const files = Array.from({ length: 1001 }, (_, n) => fileOf(`${n}.jpg`, Buffer.from(String(n))));
    assert.equal((await api.post(minji, UPLOADS, { files })).status, 400);
    assert.equal((await api.post(minji, UPLOADS, { files: [] })).status, 400);
    const items = await ask(files.slice(1));
    assert.deepEqual(
      items.map(({ name, state }) => [name, state]),
      files.slice(1).map(({ name }) => [name, "upload"]),
    );
    const wrong = [{ sha256: "abc" }, { sizeBytes: -1 }, { sizeBytes: 1.5 }, { size: 3 }];
    for (const each of wrong) {
      assert.equal((await api.post(minji, UPLOADS, { files: [{ ...files[0], ...each }] })).status, 400);
    }
  });
});
