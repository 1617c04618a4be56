/** Names of downloads: who and when, whatever the event is called, and no two the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { distinctNames, photoFileName, zipFileName } from "./download-names.ts";
import type { PhotoItem } from "./items.ts";

const event = { eventId: "han-river-10k", name: "Han River 10K" };
const photo = {
  ulid: "01KXDJ6T3V9QN4W8Y2ZB5C7D1E",
  bibs: ["1024"],
  takenAt: "2027-04-18T09:31:05.250+09:00",
  createdAt: "2027-04-18T02:00:00.000Z",
} as unknown as PhotoItem;

test("a photo is named after the event, its bibs and when it was taken", () => {
  assert.equal(photoFileName(event, photo), "Han-River-10K_1024_20270418-093105.jpg");
  const { takenAt: _, ...untimed } = photo;
  assert.equal(photoFileName(event, untimed as PhotoItem), "Han-River-10K_1024_20270418-020000.jpg");
  const crowd = { ...photo, bibs: ["1", "2", "3", "4", "5"] };
  assert.equal(photoFileName(event, crowd), "Han-River-10K_1-2-3_20270418-093105.jpg");
  const nobody = { ...photo, bibs: [] };
  assert.equal(photoFileName(event, nobody), "Han-River-10K_01KXDJ6T3V9QN4W8Y2ZB5C7D1E_20270418-093105.jpg");
});

test("whatever the event is called, its name is no path and not endless", () => {
  const named = (name: string) => zipFileName({ ...event, name }, "7");
  assert.equal(named("2027 한강/마라톤: 제1회"), "2027-한강-마라톤-제1회_7.zip");
  assert.equal(named("../../etc/passwd"), "etc-passwd_7.zip");
  assert.equal(named("!!!"), "han-river-10k_7.zip");
  assert.equal(named("가".repeat(300)), `${"가".repeat(60)}_7.zip`);
  assert.equal(zipFileName(event, undefined), "Han-River-10K_photos.zip");
});

test("no two are the same", () => {
  assert.deepEqual(distinctNames(["a.jpg", "a.jpg", "a-2.jpg", "a.jpg"]), ["a.jpg", "a-2.jpg", "a-2-2.jpg", "a-3.jpg"]);
});
