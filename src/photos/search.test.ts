/** The queries: newest first, page by page, each photo once, whatever is missing or hidden in between. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import type { PageRequest } from "../platform/http/paging.ts";
import type { Page, Query, Table } from "../platform/ports.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { type PhotoItem, photoKey } from "./items.ts";
import { findPhoto, listEventPhotos, listPhotographerInEvent, listPhotographerPhotos, searchBib } from "./search.ts";

const eventOf = (scene: PhotoScene) => scene.facts.events.get(EVENT.eventId) as EventForPhotos;
const START = Date.UTC(2027, 3, 18);

/** All pages, and how many there were. */
async function readAll(list: (page: PageRequest) => Promise<Page<PhotoItem>>, limit: number) {
  const items: PhotoItem[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await list({ limit, cursor });
    assert.ok(page.items.length <= limit);
    items.push(...page.items);
    cursor = page.cursor;
    pages += 1;
    assert.ok(pages < 1000, "the list has no end");
  } while (cursor !== undefined);
  return { ulids: items.map(({ ulid }) => ulid), pages };
}

async function addMany(scene: PhotoScene, count: number, about: Parameters<PhotoScene["add"]>[0] = {}) {
  const ulids: string[] = [];
  const from = START + added;
  for (let index = 0; index < count; index += 1) {
    added += 1000;
    const fileName = `${about.event?.eventId ?? ""}${added}.jpg`;
    ulids.push((await scene.add({ createdAt: from + index * 1000, fileName, ...about })).ulid);
  }
  return ulids.reverse();
}
let added = 0;

/** Hears of every query. */
function listening(table: Table, queries: Query[]): Table {
  return {
    get: (key) => table.get(key),
    batchGet: (keys) => table.batchGet(keys),
    write: (actions) => table.write(actions),
    update: (update) => table.update(update),
    query: (query) => {
      queries.push(query);
      return table.query(query);
    },
  };
}

test("an event's photos come newest first, each once, also when more come meanwhile", async (t) => {
  const scene = await openPhotoScene(t, { workers: false });
  const ulids = await addMany(scene, 7);
  const list = (page: PageRequest) => listEventPhotos(scene.photos, EVENT, page);
  assert.deepEqual((await readAll(list, 3)).ulids, ulids);
  const first = await list({ limit: 3 });
  await addMany(scene, 2);
  const second = await list({ limit: 3, cursor: first.cursor as string });
  assert.deepEqual(
    second.items.map(({ ulid }) => ulid),
    ulids.slice(3, 6),
  );
  const other = { orgId: "han-river", eventId: "han-river-10k-2028" };
  assert.deepEqual((await listEventPhotos(scene.photos, other, { limit: 3 })).items, []);
  await assert.rejects(listEventPhotos(scene.photos, other, { limit: 3, cursor: first.cursor as string }), {
    code: "cursor.invalid",
  });
});

describe("a bib's photos", () => {
  test("come newest first, page by page, without those that are gone", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const event = eventOf(scene);
    const ulids = await addMany(scene, 7, { bibs: ["1284"] });
    await addMany(scene, 2, { bibs: ["1285"] });
    const list = (page: PageRequest) => searchBib(scene.photos, event, { bib: "1284" }, page);
    assert.deepEqual((await readAll(list, 3)).ulids, ulids);
    const [, gone] = ulids as [string, string];
    await scene.photos.table.write([{ delete: photoKey(EVENT, gone) }]);
    const left = ulids.filter((ulid) => ulid !== gone);
    assert.deepEqual((await readAll(list, 3)).ulids, left);
    const page = await list({ limit: 3 });
    assert.deepEqual(
      page.items.map(({ ulid }) => ulid),
      left.slice(0, 3),
      "the page is filled up",
    );
    assert.equal(page.nearMisses, undefined);
  });

  test("are found with other zeros before the number, and the list goes on so", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const event = eventOf(scene);
    const ulids = await addMany(scene, 3, { bibs: ["123"] });
    const typed = (bib: string) => (page: PageRequest) => searchBib(scene.photos, event, { bib }, page);
    const first = await typed("00123")({ limit: 2 });
    assert.deepEqual([first.bib, first.nearMisses], ["123", undefined]);
    assert.deepEqual((await readAll(typed("00123"), 2)).ulids, ulids);
    scene.facts.rosters.set(EVENT.eventId, new Set(["0045"]));
    scene.photos.rosters.forget(EVENT.eventId);
    const [listed] = await addMany(scene, 1, { bibs: ["0045"] });
    const found = await typed("45")({ limit: 2 });
    assert.deepEqual([found.bib, found.items.map(({ ulid }) => ulid)], ["0045", [listed]]);
    assert.equal((await typed("0045")({ limit: 2 })).bib, "0045");
  });

  test("has near misses exactly when there is not one", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    await addMany(scene, 1, { bibs: ["1285"] });
    const none = await searchBib(scene.photos, eventOf(scene), { bib: "1284" }, { limit: 5 });
    assert.deepEqual(none.nearMisses, { onRoster: null, suggestions: [{ bib: "1285", photos: 1 }] });
    const some = await searchBib(scene.photos, eventOf(scene), { bib: "1285" }, { limit: 5 });
    assert.equal(some.nearMisses, undefined);
  });

  test("of one photographer: all of them in the end, none of others', with a bound on each page", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const event = eventOf(scene);
    const own: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      own.unshift(...(await addMany(scene, 1, { bibs: ["7"], photographerId: "minji-kim" })));
      await addMany(scene, 20, { bibs: ["7"], photographerId: "other" });
    }
    const queries: Query[] = [];
    const photos = { ...scene.photos, table: listening(scene.photos.table, queries) };
    const ask = { bib: "7", photographerId: "minji-kim" };
    const { ulids, pages } = await readAll((page) => searchBib(photos, event, ask, page), 2);
    assert.deepEqual(ulids, own);
    assert.ok(queries.length <= pages * 8, `${queries.length} queries for ${pages} pages`);
    const nobody = await searchBib(scene.photos, event, { bib: "7", photographerId: "nobody" }, { limit: 100 });
    assert.deepEqual([nobody.items, nobody.nearMisses], [[], undefined], "the bib has photos, only not theirs");
    const none = await searchBib(scene.photos, event, { bib: "8", photographerId: "nobody" }, { limit: 100 });
    assert.deepEqual(none.nearMisses?.suggestions, [{ bib: "7", photos: 63 }]);
  });

  test("a cursor is good for its own bib only", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    await addMany(scene, 3, { bibs: ["11"] });
    const { cursor } = await searchBib(scene.photos, eventOf(scene), { bib: "11" }, { limit: 1 });
    const page = { limit: 1, cursor };
    await assert.rejects(searchBib(scene.photos, eventOf(scene), { bib: "12" }, page), { code: "cursor.invalid" });
  });
});

describe("a photographer's photos", () => {
  const ofEvent = (eventId: string) => ({ orgId: EVENT.orgId, eventId });
  const photographerId = "minji-kim";

  async function openEvents(scene: PhotoScene, ...eventIds: string[]) {
    for (const eventId of eventIds) scene.facts.events.set(eventId, { ...eventOf(scene), eventId });
  }

  test("within one event are its own only, also when another's id begins alike", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    await openEvents(scene, "race", "race-2");
    const ulids = await addMany(scene, 5, { photographerId, event: ofEvent("race") });
    await addMany(scene, 3, { photographerId, event: ofEvent("race-2") });
    await addMany(scene, 3, { photographerId: "other", event: ofEvent("race") });
    const list = (page: PageRequest) => listPhotographerInEvent(scene.photos, ofEvent("race"), photographerId, page);
    assert.deepEqual((await readAll(list, 2)).ulids, ulids);
  });

  test("of hidden events are passed over, however many they are, in few reads", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const hidden = ["b-hidden", "d-hidden", "e-hidden", "z-hidden"];
    await openEvents(scene, "a", "c", "f", ...hidden);
    for (const eventId of hidden) await addMany(scene, 30, { photographerId, event: ofEvent(eventId) });
    const expected: string[] = [];
    for (const eventId of ["a", "c", "f"]) {
      expected.unshift(...(await addMany(scene, 3, { photographerId, event: ofEvent(eventId) })));
    }
    const queries: Query[] = [];
    const photos = { table: listening(scene.photos.table, queries) };
    const ownerOf = async (eventId: string) => (eventId.endsWith("hidden") ? undefined : EVENT.orgId);
    const list = (page: PageRequest) => listPhotographerPhotos(photos, photographerId, ownerOf, page);
    for (const limit of [1, 2, 5, 200]) {
      queries.length = 0;
      const { ulids, pages } = await readAll(list, limit);
      assert.deepEqual(ulids, expected, `with pages of ${limit}`);
      assert.ok(queries.length <= pages + hidden.length + 3, `${queries.length} queries, ${pages} pages of ${limit}`);
    }
  });

  test("a page ends although nothing is to be seen, and the cursor leads on", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const hidden = Array.from({ length: 12 }, (_, index) => `hidden-${index}`);
    await openEvents(scene, "a", ...hidden);
    const expected = await addMany(scene, 1, { photographerId, event: ofEvent("a") });
    for (const eventId of hidden) await addMany(scene, 2, { photographerId, event: ofEvent(eventId) });
    const ownerOf = async (eventId: string) => (eventId === "a" ? EVENT.orgId : undefined);
    const list = (page: PageRequest) => listPhotographerPhotos(scene.photos, photographerId, ownerOf, page);
    const first = await list({ limit: 1 });
    assert.deepEqual(first.items, []);
    assert.notEqual(first.cursor, undefined);
    assert.deepEqual((await readAll(list, 1)).ulids, expected);
    const nothing = (page: PageRequest) =>
      listPhotographerPhotos(scene.photos, photographerId, async () => undefined, page);
    assert.deepEqual((await readAll(nothing, 1)).ulids, []);
  });

  test("of an event that was another organization's before are left out", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    await openEvents(scene, "race");
    const before = { orgId: "another", eventId: "race" };
    const expected = await addMany(scene, 2, { photographerId, event: ofEvent("race") });
    await addMany(scene, 3, { bibs: ["7"], photographerId, event: before });
    const lists: ((page: PageRequest) => Promise<Page<PhotoItem>>)[] = [
      (page) => listPhotographerInEvent(scene.photos, ofEvent("race"), photographerId, page),
      (page) => listPhotographerPhotos(scene.photos, photographerId, async () => EVENT.orgId, page),
    ];
    for (const list of lists) assert.deepEqual((await readAll(list, 2)).ulids, expected);
    const race = scene.facts.events.get("race") as EventForPhotos;
    assert.deepEqual((await searchBib(scene.photos, race, { bib: "7" }, { limit: 2 })).items, []);
  });

  test("a made-up cursor is refused", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    for (const position of [{ next: "", passed: "a#b" }, { next: "nothing", passed: "" }, { next: "" }]) {
      const cursor = Buffer.from(JSON.stringify(position)).toString("base64url");
      const asked = listPhotographerPhotos(scene.photos, photographerId, async () => EVENT.orgId, { limit: 1, cursor });
      await assert.rejects(asked, { code: "cursor.invalid" });
    }
  });
});

test("one photo is found in its own event only", async (t) => {
  const scene = await openPhotoScene(t, { workers: false });
  const { ulid } = await scene.add();
  assert.equal((await findPhoto(scene.photos, EVENT, ulid)).ulid, ulid);
  const elsewhere = findPhoto(scene.photos, { ...EVENT, eventId: "another" }, ulid);
  await assert.rejects(elsewhere, { code: "photo.not-found" });
});
