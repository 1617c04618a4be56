/** The galleries over HTTP: who sees what, pages that stay the same, downloads under good names. */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { photoApi } from "../../tests/harness/photo-api.ts";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene } from "../../tests/harness/photo-scene.ts";
import { systemClock } from "../platform/clock.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { galleryRoutes } from "./http.ts";

const GALLERY = `/events/${EVENT.eventId}/photos`;
const DRAFT: { orgId: string; eventId: string } = { orgId: EVENT.orgId, eventId: "draft" };

async function openGallery(t: TestContext) {
  // It stands still: when an hour is over, every URL is another one.
  const now = Date.now();
  const scene = await openPhotoScene(t, { workers: false, clock: { ...systemClock, now: () => now } });
  const event = scene.facts.events.get(EVENT.eventId) as EventForPhotos;
  scene.facts.events.set(DRAFT.eventId, { ...event, eventId: DRAFT.eventId, published: false });
  return { ...scene, event, ...photoApi(scene, galleryRoutes(scene.photos)) };
}

// biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
const ulidsIn = (body: any) => body.items.map(({ ulid }: { ulid: string }) => ulid);

test("a gallery is paged, newest first, fifty at a time unless asked otherwise", async (t) => {
  const { add, get } = await openGallery(t);
  const ulids: string[] = [];
  for (let at = 0; at < 60; at += 1) ulids.unshift((await add({ createdAt: 1_800_000_000_000 + at })).ulid);
  const first = await get(GALLERY);
  assert.equal(first.status, 200);
  assert.deepEqual(ulidsIn(first.body), ulids.slice(0, 50));
  const second = await get(`${GALLERY}?cursor=${first.body.cursor}`);
  assert.deepEqual([ulidsIn(second.body), second.body.cursor], [ulids.slice(50), undefined]);
  assert.equal((await get(`${GALLERY}?limit=201`)).status, 400);
  assert.equal((await get(`${GALLERY}?limit=0`)).status, 400);
  assert.equal((await get(`${GALLERY}?cursor=nonsense`)).body.code, "cursor.invalid");
});

test("a bib is found however it is typed; one without photos gets suggestions", async (t) => {
  const { add, get } = await openGallery(t);
  const { ulid } = await add({ bibs: ["A128"] });
  for (const typed of ["A128", "a128", "Ａ１２８", " a128 "]) {
    const { body } = await get(`${GALLERY}?bib=${encodeURIComponent(typed)}`);
    assert.deepEqual([ulidsIn(body), body.bib, body.nearMisses], [[ulid], "A128", undefined], typed);
  }
  const none = await get(`${GALLERY}?bib=A182`);
  assert.equal(none.status, 200);
  assert.deepEqual(none.body, {
    items: [],
    bib: "A182",
    nearMisses: { onRoster: null, suggestions: [{ bib: "A128", photos: 1 }] },
  });
  assert.equal((await get(`${GALLERY}?bib=${encodeURIComponent("1#2")}`)).status, 400);
});

test("with a photographer, theirs only, with or without a bib", async (t) => {
  const { add, get } = await openGallery(t);
  const own = await add({ bibs: ["7"], photographerId: "minji-kim", createdAt: 1_800_000_000_000 });
  const other = await add({ bibs: ["7"], photographerId: "other", createdAt: 1_800_000_001_000 });
  assert.deepEqual(ulidsIn((await get(`${GALLERY}?bib=7`)).body), [other.ulid, own.ulid]);
  assert.deepEqual(ulidsIn((await get(`${GALLERY}?photographer=minji-kim`)).body), [own.ulid]);
  assert.deepEqual(ulidsIn((await get(`${GALLERY}?bib=7&photographer=minji-kim`)).body), [own.ulid]);
});

test("a page is 304 until it changes, and others may keep it when the event is published", async (t) => {
  const { add, get } = await openGallery(t);
  await add();
  await add({ event: DRAFT });
  const first = await get(GALLERY);
  assert.equal(first.headers.get("cache-control"), "public, max-age=2");
  const known = { "if-none-match": first.headers.get("etag") as string };
  assert.equal((await get(GALLERY, undefined, known)).status, 304);
  await add({ fileName: "another.jpg" });
  assert.equal((await get(GALLERY, undefined, known)).status, 200);
  const draft = await get(`/events/${DRAFT.eventId}/photos`, { operator: true });
  assert.equal(draft.headers.get("cache-control"), "private, max-age=2");
});

test("what is of a draft is there for those who work on it and for nobody else", async (t) => {
  const { add, get, facts } = await openGallery(t);
  const { ulid } = await add({ bibs: ["7"], event: DRAFT });
  facts.assignments.set(DRAFT.eventId, new Set(["minji-kim"]));
  const gallery = `/events/${DRAFT.eventId}/photos`;
  const paths = [
    gallery,
    `${gallery}?bib=7`,
    `${gallery}/${ulid}`,
    `${gallery}/${ulid}/download`,
    `${gallery}.zip?bib=7`,
  ];
  const strangers = [
    undefined,
    {},
    { organizations: ["another"] },
    { photographers: ["other"] },
    { organizations: ["minji-kim"], photographers: [EVENT.orgId] },
  ];
  for (const path of paths) {
    for (const stranger of strangers) {
      const { status, body } = await get(path, stranger);
      assert.deepEqual([status, body.code], [404, "event.not-found"], `${path} by ${JSON.stringify(stranger)}`);
    }
  }
  for (const insider of [{ organizations: [EVENT.orgId] }, { photographers: ["minji-kim"] }, { operator: true }]) {
    for (const path of paths.slice(0, 3)) assert.equal((await get(path, insider)).status, 200);
    assert.equal((await get(paths[3] as string, insider)).status, 302);
  }
  for (const path of [`/events/nothing/photos`, `/events/nothing/photos.zip?bib=7`]) {
    assert.equal((await get(path, { operator: true })).body.code, "event.not-found");
  }
});

test("a photographer's page leaves drafts out, unless they or those who work on it look", async (t) => {
  const { add, get } = await openGallery(t);
  const photographerId = "minji-kim";
  const shown = await add({ photographerId });
  const hidden = await add({ photographerId, event: DRAFT, fileName: "hidden.jpg" });
  const gone = { orgId: EVENT.orgId, eventId: "about-to-go" };
  const path = `/photographers/${photographerId}/photos`;
  const seenBy = async (holder?: object) => new Set(ulidsIn((await get(path, holder)).body));
  assert.deepEqual(await seenBy(), new Set([shown.ulid]));
  assert.deepEqual(await seenBy({ photographers: ["other"] }), new Set([shown.ulid]));
  assert.deepEqual(await seenBy({ photographers: [photographerId] }), new Set([shown.ulid, hidden.ulid]));
  assert.deepEqual(await seenBy({ organizations: [EVENT.orgId] }), new Set([shown.ulid, hidden.ulid]));
  assert.deepEqual(ulidsIn((await get(`${path}?eventId=${EVENT.eventId}`)).body), [shown.ulid]);
  assert.equal((await get(`${path}?eventId=${DRAFT.eventId}`)).body.code, "event.not-found");
  assert.equal((await get(`${path}?eventId=${gone.eventId}`, { operator: true })).body.code, "event.not-found");
  const own = await get(`${path}?eventId=${DRAFT.eventId}`, { photographers: [photographerId] });
  assert.deepEqual(ulidsIn(own.body), [hidden.ulid]);
  assert.equal(own.headers.get("cache-control"), "private, max-age=2");
  assert.equal((await get("/photographers/nobody/photos")).body.code, "photographer.not-found");
});

test("one photo tells more, and more still to organizers; small letters in its id are fine", async (t) => {
  const { add, get, photos } = await openGallery(t);
  const item = await add({ bibs: ["7"] });
  await photos.table.write([{ put: { ...item, alsoUploadedAs: ["copy.jpg"] } }]);
  const path = `${GALLERY}/${item.ulid.toLowerCase()}`;
  const shown = await get(path);
  assert.deepEqual([shown.status, shown.body.ulid, shown.body.alsoUploadedAs], [200, item.ulid, undefined]);
  assert.equal(shown.headers.get("cache-control"), "public, max-age=2");
  const organizer = await get(path, { organizations: [EVENT.orgId] });
  assert.deepEqual(organizer.body.alsoUploadedAs, ["copy.jpg"]);
  assert.equal(organizer.headers.get("cache-control"), "private, max-age=2");
  assert.equal((await get(path, { organizations: ["another"] })).body.alsoUploadedAs, undefined);
  assert.equal((await get(`${GALLERY}/01KXDJ6T3V9QN4W8Y2ZB5C7D1E`)).body.code, "photo.not-found");
  assert.equal((await get(`${GALLERY}/nonsense`)).status, 400);
});

test("a download is the picture in full size, never the original, under a name that says what it is", async (t) => {
  const { add, get, photos, engines, facts, event } = await openGallery(t);
  facts.events.set(EVENT.eventId, { ...event, name: "한강 10K" });
  photos.events.forget(EVENT.eventId);
  const item = await add({ bibs: ["1024"], createdAt: Date.UTC(2027, 3, 18, 9, 31, 5) });
  await photos.blobs.put(item.rawKey, Buffer.from("original"), { contentType: "image/jpeg" });
  await photos.blobs.put(item.processedKey, Buffer.from("picture"), { contentType: "image/jpeg" });
  const { status, headers } = await get(`${GALLERY}/${item.ulid}/download`);
  assert.deepEqual([status, headers.get("cache-control")], [302, "no-store"]);
  const served = await engines.serveBlob(new Request(headers.get("location") as string));
  assert.equal(await served.text(), "picture");
  const name = "한강-10K_1024_20270418-093105.jpg";
  const expected = `attachment; filename="__-10K_1024_20270418-093105.jpg"; filename*=UTF-8''${encodeURIComponent(name)}`;
  assert.equal(served.headers.get("content-disposition"), expected);
});

test("a ZIP wants a bib or ids, not both, not too many, and not none at all", async (t) => {
  const { get, add } = await openGallery(t);
  const { ulid } = await add({ bibs: ["7"] });
  const zip = (query: string) => get(`${GALLERY}.zip${query}`);
  assert.equal((await zip("")).body.code, "zip.which");
  assert.equal((await zip(`?bib=7&ulids=${ulid}`)).body.code, "zip.which");
  assert.equal((await zip("?ulids=a,b")).status, 400);
  assert.equal((await zip(`?ulids=${Array(141).fill(ulid).join(",")}`)).status, 400);
  assert.equal((await zip(`?ulids=${Array(140).fill(ulid).join("%2C")}`)).body.code, "photo.not-found");
  assert.equal((await zip("?bib=8")).body.code, "photo.not-found");
  assert.equal((await zip("?bib=7")).body.code, "photo.not-found", "a photo without a picture is no photo to save");
});
