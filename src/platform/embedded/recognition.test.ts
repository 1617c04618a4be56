/** Recognition on one machine keeps the contract, and what it promises beyond it. */

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { drawScene } from "../../../tests/pictures/scene.ts";
import { testRecognition } from "../contracts/recognition.contract.ts";
import { refusedWith } from "../contracts/refused.ts";
import type { Face } from "../ports.ts";
import { openVision, type Vision, type VisionSettings } from "./recognition.ts";

const folders: string[] = [];
const opened: Vision[] = [];
after(async () => {
  await Promise.all(opened.map((vision) => vision.close()));
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function open(settings: Partial<VisionSettings>): Vision {
  const folder = mkdtempSync(join(tmpdir(), "snaprace-test-"));
  folders.push(folder);
  const vision = openVision({ folder, workers: 1, ...settings });
  opened.push(vision);
  return vision;
}

testRecognition("embedded", async () => {
  const recognition = open({});
  return { recognition, close: () => recognition.close() };
});

const people = readFileSync(new URL("../../../node_modules/@vladmandic/face-api/demo/sample1.jpg", import.meta.url));

describe("recognition on one machine", () => {
  let vision: Vision;
  before(() => {
    vision = open({ workers: 2 });
  });

  test("says which models it loaded, from where and with which checksum", async () => {
    const loaded = await vision.load();
    assert.deepEqual(loaded, vision.models());
    assert.equal(loaded.length, 8);
    for (const { version, sha256 } of loaded) {
      assert.match(version, / \d+\.\d+\.\d+$/);
      assert.match(sha256, /^[0-9a-f]{64}$/);
    }
  });

  test("the same picture under the same id is remembered once", async () => {
    const first = await vision.indexFaces("again", people, "photo");
    assert.ok(first.length > 0);
    assert.deepEqual(await vision.indexFaces("again", people, "photo"), first);
    const [face] = first as [Face, ...Face[]];
    const found = await vision.searchFaces("again", face.faceId, { minSimilarity: 0, limit: 100 });
    assert.equal(found.length, first.length - 1);
  });

  test("faces that are too small or too poor are not remembered", async () => {
    const strict = open({ minFaceHeightPixels: 100_000 });
    const picky = open({ minFaceQuality: 1 });
    assert.deepEqual(await strict.indexFaces("faces", people, "photo"), []);
    assert.deepEqual(await picky.indexFaces("faces", people, "photo"), []);
  });

  test("one look at a picture gives its text and its faces", async () => {
    const { jpeg } = await drawScene({ seed: 3, kind: "plain", width: 1600, runners: 1 });
    const [words, faces, seen] = await Promise.all([
      vision.detectText(jpeg, { watermarkZones: [], minConfidence: 0 }),
      vision.indexFaces("together", jpeg, "photo"),
      vision.look(jpeg),
    ]);
    assert.deepEqual(words, seen.words);
    for (const { box } of faces) assert.ok(seen.faces.some((face) => JSON.stringify(face.box) === JSON.stringify(box)));
  });

  test("a picture that takes too long costs itself only", async () => {
    const hasty = open({ timeLimitMs: 1 });
    const { jpeg } = await drawScene({ seed: 4, kind: "plain", width: 1600, runners: 1 });
    await refusedWith("vision.timed-out", hasty.look(jpeg));
    await refusedWith("vision.timed-out", hasty.look(jpeg));
  });
});
