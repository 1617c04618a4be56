/** The workflow's file is what AWS takes and the specification says, and every way through it is gone in truth. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import aslValidator from "asl-validator";
import { until } from "../../tests/harness/entry-event.ts";
import { EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene } from "../../tests/harness/photo-scene.ts";
import { bombPng } from "../../tests/pictures/bad-pictures.ts";
import { drawBib, drawScene } from "../../tests/pictures/scene.ts";
import type { Recognition } from "../platform/ports.ts";
import { workflowFile } from "./index.ts";
import { readCounts } from "./uploads.ts";

// biome-ignore lint/suspicious/noExplicitAny: the states are looked at in many places.
const asl = workflowFile() as any;
const picture = (await drawBib({ seed: 3, kind: "plain" })).jpeg;

const TASKS = ["PreprocessImage", "DetectText", "IndexFaces", "FanoutToDynamoDB"];

describe("the file", () => {
  test("is valid for AWS once it is told where the functions are", () => {
    const deployed = workflowFile((task) => `arn:aws:lambda:ap-northeast-2:123456789012:function:${task}`);
    const validate = (definition: object) => aslValidator(definition as never, { checkArn: true, checkPaths: true });
    const { isValid, errorsText } = validate(deployed);
    assert.ok(isValid, errorsText());
    const broken = structuredClone(deployed);
    Object.assign((broken.States as typeof asl).PreprocessImage, { Next: "Nowhere" });
    assert.equal(validate(broken).isValid, false);
  });

  test("has the specified time-outs, retries and ways out", () => {
    const [detectText, indexFaces] = asl.States.AnalyzeImage.Branches;
    const states = { ...asl.States, ...detectText.States, ...indexFaces.States };
    const retried = (name: string) =>
      states[name].Retry.filter(({ MaxAttempts }: { MaxAttempts: number }) => MaxAttempts > 0).map((retry: object) =>
        Object.values(retry),
      );
    const shape = TASKS.map((name) => [name, states[name].TimeoutSeconds, retried(name), states[name].Catch[0].Next]);
    assert.deepEqual(shape, [
      ["PreprocessImage", 300, [[["States.TaskFailed"], 2, 2, 3]], "ProcessingFailed"],
      ["DetectText", 30, [[["States.TaskFailed"], 1, 2, 2]], "DetectTextFallback"],
      ["IndexFaces", 30, [[["States.TaskFailed"], 1, 2, 2]], "IndexFacesFallback"],
      ["FanoutToDynamoDB", 60, [[["States.TaskFailed"], 2, 2, 3]], "ProcessingFailed"],
    ]);
    assert.deepEqual(states.DetectTextFallback.Result, { bibs: [], rawText: [], confidence: 0 });
    assert.deepEqual(states.IndexFacesFallback.Result, { faceIds: [], faceCount: 0 });
    assert.deepEqual([states.ProcessingFailed.Type, states.ProcessingFailed.Error], ["Fail", "ImageProcessingError"]);
    assert.equal(states.AnalyzeImage.Catch[0].Next, "ProcessingFailed");
  });

  test("has a function for every Task state, and a Task state for every function", async (t) => {
    const scene = await openPhotoScene(t, { workers: false });
    assert.deepEqual(Object.keys(scene.tasks).sort(), [...TASKS].sort());
    const { PreprocessImage: _, ...fewer } = scene.tasks;
    const wrong = (tasks: typeof scene.tasks) => () => scene.engines.workflow({ name: "Other", asl, tasks });
    assert.throws(wrong(fewer), { code: "workflow.bad-definition" });
    assert.throws(wrong({ ...scene.tasks, Extra: async () => null }), { code: "workflow.bad-definition" });
    const lambdas = readFileSync(new URL("../apps/lambda/photo-tasks.ts", import.meta.url), "utf8");
    const deployed = [...lambdas.matchAll(/export const (\w+) = task\("(\w+)"\)/g)].map(([, name, state]) => {
      assert.equal(name, state);
      return name;
    });
    assert.deepEqual(deployed.sort(), [...TASKS].sort());
  });
});

test("a photo of runners is found by their numbers and has their faces", async (t) => {
  const scene = await openPhotoScene(t);
  const { jpeg, truth } = await drawScene({ seed: 11, kind: "plain", width: 2400 });
  const ulid = await scene.put("finish.jpg", jpeg);
  const upload = await scene.settled(ulid);
  assert.equal(upload.status, "DONE", JSON.stringify(upload.failure));
  const photo = await scene.photo(ulid);
  const numbers = truth.bibs.map(({ number }) => number);
  const found = photo?.bibs.filter((bib) => numbers.includes(bib)) ?? [];
  assert.ok(found.length > 0, `${photo?.bibs} of ${numbers}`);
  // The upload is done a moment before the execution is.
  await until(async () => (await scene.photos.workflow.status(`${ulid}-1`))?.status === "SUCCEEDED");
  assert.deepEqual((await scene.photos.workflow.status(`${ulid}-1`))?.output, { ok: true });
});

describe("when a step fails", { concurrency: true }, () => {
  test("text that can't be read leaves a photo without bibs, after three tries", async (t) => {
    const scene = await openPhotoScene(t);
    let calls = 0;
    breakRecognition(scene.photos, {
      detectText: async () => {
        calls += 1;
        throw new Error("no eyes");
      },
    });
    const ulid = await scene.put("IMG_1.jpg", picture);
    assert.equal((await scene.settled(ulid)).status, "DONE");
    const photo = await scene.photo(ulid);
    assert.deepEqual([photo?.bibs, photo?.unread, calls], [[], ["TEXT"], 3]);
  });

  test("faces that can't be remembered leave a photo with its bibs, after three tries", async (t) => {
    const scene = await openPhotoScene(t);
    let calls = 0;
    breakRecognition(scene.photos, {
      indexFaces: async () => {
        calls += 1;
        throw new Error("no memory");
      },
    });
    const ulid = await scene.put("IMG_1.jpg", picture);
    assert.equal((await scene.settled(ulid)).status, "DONE");
    const photo = await scene.photo(ulid);
    assert.deepEqual([photo?.faceIds, photo?.unread, calls], [[], ["FACES"], 3]);
    assert.equal(photo?.bibCount, 1);
  });

  test("a photo that can't be stored is given up after four tries, and the organizer sees it", async (t) => {
    const scene = await openPhotoScene(t);
    let calls = 0;
    const { blobs } = scene.photos;
    const put = blobs.put.bind(blobs);
    blobs.put = async (key, ...rest) => {
      if (!key.includes("/processed/") || key.includes("thumbnail")) return put(key, ...rest);
      calls += 1;
      throw new Error("disk full");
    };
    const ulid = await scene.put("IMG_1.jpg", picture);
    const upload = await scene.settled(ulid);
    assert.deepEqual([upload.status, upload.failure?.code, calls], ["FAILED", "photo.failed", 4]);
    const execution = await scene.photos.workflow.status(`${ulid}-1`);
    assert.equal(execution?.error, "ImageProcessingError");
    const { processing, failed } = await readCounts(scene.photos.table, EVENT);
    assert.deepEqual({ processing, failed }, { processing: 0, failed: 1 });
  });

  test("a photo that can't be written down is given up after four tries", async (t) => {
    const scene = await openPhotoScene(t);
    let calls = 0;
    const { table } = scene.photos;
    const write = table.write.bind(table);
    table.write = async (actions) => {
      if (!actions.some((action) => "put" in action && action.put.EntityType === "PHOTO")) return write(actions);
      calls += 1;
      throw new Error("no answer");
    };
    const upload = await scene.settled(await scene.put("IMG_1.jpg", picture));
    assert.deepEqual([upload.status, calls], ["FAILED", 4]);
  });
});

describe("a file that is no usable picture fails at once, with its own reason", { concurrency: true }, () => {
  const files: { name: string; bytes: Uint8Array; code: string }[] = [
    { name: "empty.jpg", bytes: new Uint8Array(0), code: "photo.empty" },
    { name: "paper.jpg", bytes: Buffer.from("%PDF-1.7\n%âãÏÓ\n1 0 obj"), code: "photo.not-a-picture" },
    { name: "cut.jpg", bytes: picture.subarray(0, picture.length / 2), code: "photo.truncated" },
    { name: "bomb.png", bytes: bombPng(50_000), code: "photo.too-many-pixels" },
  ];
  for (const { name, bytes, code } of files) {
    test(`${name}: ${code}`, async (t) => {
      const scene = await openPhotoScene(t);
      const ulid = await scene.put(name, bytes);
      const upload = await scene.settled(ulid);
      assert.deepEqual([upload.status, upload.failure?.code], ["FAILED", code]);
      const history = await scene.photos.workflow.history(`${ulid}-1`);
      assert.ok(!history.some(({ type }) => /Retried/.test(type)), JSON.stringify(history));
    });
  }
});

function breakRecognition(photos: { recognition: Recognition }, broken: Partial<Recognition>): void {
  photos.recognition = { ...photos.recognition, ...broken };
}
