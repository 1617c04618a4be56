/** Texts as they are said: in the form a count asks for, filled in, and never silently missing. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { say } from "../../web/src/texts/say.ts";

const texts = new Map([
  ["photos_zero", "No photos"],
  ["photos_one", "{{count, number}} photo"],
  ["photos_other", "{{count, number}} photos"],
  ["credit", "by {{name}} in {{year}}"],
]);

test("a count chooses the form, and is written as the language writes numbers", () => {
  const said = [0, 1, 2, 12345].map((count) => say(texts, "en", "photos", { count }));
  assert.deepEqual(said, ["No photos", "1 photo", "2 photos", "12,345 photos"]);
  const korean = new Map([["photos_other", "사진 {{count, number}}장"]]);
  assert.deepEqual(
    [0, 1, 12345].map((count) => say(korean, "ko", "photos", { count })),
    ["사진 0장", "사진 1장", "사진 12,345장"],
  );
});

test("values are filled in as they are; one that is not there stays to be seen", () => {
  assert.equal(say(texts, "en", "credit", { name: "$& {{year}} <b>", year: 2027 }), "by $& {{year}} <b> in 2027");
  assert.equal(say(texts, "en", "credit", { name: "Kim", year: null }), "by Kim in {{year}}");
});

test("a text that is missing is complained about", (t) => {
  const complain = t.mock.method(console, "error", () => {});
  assert.equal(say(texts, "en", "nowhere"), "nowhere");
  assert.equal(complain.mock.callCount(), 1);
});
