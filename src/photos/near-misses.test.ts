/** What is suggested for a bib without photos: slips of the finger, and zeros that came or went. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import type { Key, Table } from "../platform/ports.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { lookAround, similarBibs } from "./near-misses.ts";

const eventOf = (scene: PhotoScene) => scene.facts.events.get(EVENT.eventId) as EventForPhotos;

/** One digit other, missing, too many, or two neighbours swapped. */
function isOneSlip(from: string, to: string): boolean {
  const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
  const places = (text: string) => Array.from({ length: text.length }, (_, at) => at);
  if (to.length === from.length + 1)
    return places(to).some((at) => /\d/.test(to[at] ?? "") && without(to, at) === from);
  if (to.length === from.length - 1) return isOneSlip(to, from);
  const differ = places(from).filter((at) => from[at] !== to[at]);
  const [first = 0, second = 0] = differ;
  if (![...differ].every((at) => /\d/.test(from[at] ?? "") && /\d/.test(to[at] ?? ""))) return false;
  if (differ.length === 1) return true;
  return differ.length === 2 && second === first + 1 && from[first] === to[second] && from[second] === to[first];
}

describe("similar bibs", () => {
  const AnyBib = fc
    .tuple(fc.constantFrom("", "A", "VIP-", "가"), fc.stringMatching(/^\d{1,6}$/))
    .map((parts) => parts.join(""));

  test("are one slip away, each once, and never the bib itself", () => {
    fc.assert(
      fc.property(AnyBib, (bib) => {
        const similar = similarBibs(bib);
        assert.equal(new Set(similar).size, similar.length);
        assert.ok(!similar.includes(bib));
        for (const each of similar) assert.ok(isOneSlip(bib, each), `${bib} became ${each}`);
      }),
    );
  });

  test("are all that are one slip away", () => {
    const all = Array.from({ length: 100_000 }, (_, number) => String(number));
    const expected = all.filter((each) => each !== "1284" && isOneSlip("1284", each));
    const found = similarBibs("1284").filter((each) => !each.startsWith("0"));
    assert.deepEqual(found.toSorted(), expected.toSorted());
    for (const each of ["1234", "1285", "2184", "128", "12844", "12284"]) assert.ok(found.includes(each), each);
  });

  test("leave letters alone, and are none where there is no digit", () => {
    assert.deepEqual(similarBibs("ABC"), []);
    assert.deepEqual(
      similarBibs("VIP7").filter((each) => !each.startsWith("VIP")),
      [],
    );
    assert.ok(!similarBibs("7").includes(""));
    assert.ok(similarBibs("123456789012").every((each) => each.length <= 12));
  });
});

describe("looking around a bib without photos", () => {
  test("the likeliest come first: swapped digits, then those with more photos, six at most", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    for (const [bib, photos] of [
      ["1234", 1],
      ["1285", 2],
      ["2184", 1],
      ["1284", 0],
      ["9999", 5],
    ] as const) {
      for (let added = 0; added < photos; added += 1) await scene.add({ bibs: [bib] });
    }
    const { photos, spelled, nearMisses } = await lookAround(scene.photos, eventOf(scene), "1284");
    assert.deepEqual([photos, spelled], [0, undefined]);
    const expected = [
      { bib: "2184", photos: 1 },
      { bib: "1285", photos: 2 },
      { bib: "1234", photos: 1 },
    ];
    assert.deepEqual(nearMisses, { onRoster: null, suggestions: expected });
    for (const bib of ["1280", "1281", "1282", "1283", "1286"]) await scene.add({ bibs: [bib] });
    const many = await lookAround(scene.photos, eventOf(scene), "1284");
    assert.equal(many.nearMisses.suggestions.length, 6);
    assert.deepEqual(many.nearMisses.suggestions.slice(0, 2), expected.slice(0, 2));
  });

  test("a bib that lost its last photo is no suggestion", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const { photos } = scene;
    const key = { PK: `ORG#${EVENT.orgId}#EVT#${EVENT.eventId}`, SK: "BIBCOUNT#1285" };
    await photos.table.write([{ put: { ...key, EntityType: "BIB_COUNT", bib: "1285", photos: 0 } }]);
    assert.deepEqual((await lookAround(photos, eventOf(scene), "1284")).nearMisses.suggestions, []);
  });

  test("says whether the number is on the list, if there is one", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const roster = new Set(["1284", "0077"]);
    scene.facts.rosters.set(EVENT.eventId, roster);
    const around = (bib: string) => lookAround(scene.photos, eventOf(scene), bib);
    assert.equal((await around("1284")).nearMisses.onRoster, true);
    assert.equal((await around("1285")).nearMisses.onRoster, false);
    assert.equal((await around("77")).nearMisses.onRoster, true, "with the list's zeros it is there");
    assert.equal((await around("01284")).nearMisses.onRoster, true, "without the zero it is there");
  });

  test("is one read of a hundred keys at most, those on the list first", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    const longest = similarBibs("123456").at(-1) as string;
    scene.facts.rosters.set(EVENT.eventId, new Set([longest]));
    const reads: Key[][] = [];
    const table = {
      ...scene.photos.table,
      batchGet: (keys: Key[]) => {
        reads.push(keys);
        return scene.photos.table.batchGet(keys);
      },
    } as Table;
    await lookAround({ ...scene.photos, table }, eventOf(scene), "123456");
    assert.ok(similarBibs("123456").length > 100);
    assert.deepEqual(
      reads.map(({ length }) => length),
      [100],
    );
    assert.ok(
      reads[0]?.some(({ SK }) => SK === `BIBCOUNT#${longest}`),
      "the one that somebody runs with is asked for",
    );
  });
});
