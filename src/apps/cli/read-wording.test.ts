/** A photo's reading as people and as scripts get it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { type PhotoReading, readingJson, readingText, tallyText } from "./read-wording.ts";

const reading: PhotoReading = {
  file: "finish/\u001b[31mIMG_1.jpg",
  width: 3000,
  height: 2000,
  bibs: [{ bib: "1234", confidence: 0.98765, box: { left: 0.1234567, top: 0.5, width: 0.1, height: 0.05 }, face: 0 }],
  partial: [{ text: "12?", confidence: 0.8, box: { left: 0.9, top: 0.5, width: 0.1, height: 0.05 } }],
  faces: [{ box: { left: 0.1, top: 0.2, width: 0.05, height: 0.1 }, quality: 0.912345 }],
  refused: [{ text: "SEOUL", confidence: 1, box: { left: 0, top: 0, width: 0.2, height: 0.1 }, reason: "pattern" }],
};

test("people get lines with pixels, and no control characters", () => {
  const found = [
    "finish/ [31mIMG_1.jpg  3000 x 2000",
    "  bib      1234  0.99  at 370,1000 size 300x100   face 1",
    "  partial  12?   0.80  at 2700,1000 size 300x100",
    "  face     1     0.91  at 300,400 size 150x200",
  ];
  assert.equal(readingText(reading, false), found.join("\n"));
  const why = readingText(reading, true).split("\n").at(-1);
  assert.match(why ?? "", /^ {2}refused +SEOUL +1\.00 +at 0,0 size 600x200 +pattern$/);
});

test("a photo that shows nothing is one line", () => {
  const empty = { ...reading, file: "a.jpg", bibs: [], partial: [], faces: [], refused: [] };
  assert.equal(readingText(empty, true), "a.jpg  3000 x 2000");
});

test("scripts get shares of the photo's sides, and the face's place in the list", () => {
  const json = JSON.parse(JSON.stringify(readingJson(reading, false)));
  assert.deepEqual(json, {
    file: reading.file,
    width: 3000,
    height: 2000,
    bibs: [{ bib: "1234", confidence: 0.9877, box: { left: 0.12346, top: 0.5, width: 0.1, height: 0.05 }, face: 0 }],
    partial: [{ text: "12?", confidence: 0.8, box: { left: 0.9, top: 0.5, width: 0.1, height: 0.05 } }],
    faces: [{ box: { left: 0.1, top: 0.2, width: 0.05, height: 0.1 }, quality: 0.9123 }],
  });
  const why = readingJson(reading, true) as { refused: unknown };
  assert.deepEqual(why.refused, reading.refused);
});

test("the tally counts", () => {
  assert.equal(tallyText({ photos: 1200, bibs: 1, partial: 0, faces: 2 }), "1,200 photos: 1 bib, 0 partial, 2 faces.");
});
