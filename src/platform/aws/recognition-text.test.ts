/** What Rekognition is asked about text, at which pace, and what the engine makes of its errors. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { onScriptedRekognition, openRekognitionClient } from "../contracts/doubles/rekognition-scripted.ts";
import { awsError } from "../contracts/doubles/scripted-aws.ts";
import { drawTexts } from "../contracts/recognition-samples.ts";
import { refusedWith } from "../contracts/refused.ts";
import type { Recognition } from "../ports.ts";
import { Problem } from "../problem.ts";
import { rekognition } from "./recognition.ts";

const { png: PICTURE } = await drawTexts(200, 200, []);
const BYTES = PICTURE.toString("base64");
const FACE = randomUUID();
const ALL = { watermarkZones: [], minConfidence: 0 };
const ASK = { minSimilarity: 0.9, limit: 10 };
const BOX = { Left: 0.25, Top: 0.5, Width: 0.25, Height: 0.125 };

describe("asking for text", () => {
  const detection = (Type: string, DetectedText: string, Confidence: number) => ({
    Type,
    DetectedText,
    Confidence,
    Geometry: { BoundingBox: BOX },
  });

  test("less sure words are asked for too where they are wanted, and lines are no words", () =>
    onScriptedRekognition(
      () => ({ json: { TextDetections: [detection("LINE", "12 34", 99), detection("WORD", "12", 62.5)] } }),
      async ({ engine, calls }) => {
        const words = await engine.detectText(PICTURE, { ...ALL, minConfidence: 0.5 });
        assert.deepEqual(words, [
          { text: "12", confidence: 0.625, box: { left: 0.25, top: 0.5, width: 0.25, height: 0.125 } },
        ]);
        assert.deepEqual(
          calls.map(({ action, input }) => [action, input]),
          [["DetectText", { Image: { Bytes: BYTES }, Filters: { WordFilter: { MinConfidence: 50 } } }]],
        );
        assert.equal(calls[0]?.headers["x-amz-target"], "RekognitionService.DetectText");
      },
    ));

  test("no answer's words are no words", () =>
    onScriptedRekognition(
      () => ({ json: {} }),
      async ({ engine }) => assert.deepEqual(await engine.detectText(PICTURE, ALL), []),
    ));

  const refusals: [name: string, code: string, status?: number][] = [
    ["InvalidImageFormatException", "picture.unreadable"],
    ["ImageTooLargeException", "picture.too-large"],
    ["ProvisionedThroughputExceededException", "recognition.busy"],
    ["ThrottlingException", "recognition.busy", 500],
    ["LimitExceededException", "recognition.busy"],
    ["InternalServerError", "recognition.busy", 500],
    ["ServiceQuotaExceededException", "recognition.quota-reached"],
  ];
  for (const [name, code, status = 400] of refusals) {
    test(`${name} is ${code}`, () =>
      onScriptedRekognition(
        () => awsError(name, {}, status),
        ({ engine }) => refusedWith(code, engine.detectText(PICTURE, ALL)),
      ));
  }

  test("a picture with more pixels than Rekognition takes is picture.too-large", () => {
    const message = "Input image dimensions 20000 x 100 exceed maximum dimension size of 10000 pixels";
    return onScriptedRekognition(
      () => awsError("InvalidParameterException", { message }),
      async ({ engine }) => {
        await refusedWith("picture.too-large", engine.detectText(PICTURE, ALL));
        await refusedWith("picture.too-large", engine.searchByImage("c", PICTURE, ASK));
      },
    );
  });

  for (const name of ["AccessDeniedException", "InvalidParameterException"]) {
    test(`${name} stays what it is`, () =>
      onScriptedRekognition(
        () => awsError(name),
        ({ engine }) => assert.rejects(engine.detectText(PICTURE, ALL), { name }),
      ));
  }

  test("too many calls are tried again by the SDK", () =>
    onScriptedRekognition(
      (_, number) => (number < 3 ? awsError("ProvisionedThroughputExceededException") : { json: {} }),
      async ({ engine, calls }) => {
        await engine.detectText(PICTURE, ALL);
        assert.equal(calls.length, 3);
      },
      { maxAttempts: 3 },
    ));

  test("Rekognition that can't be reached is recognition.busy", async () => {
    const client = openRekognitionClient("http://127.0.0.1:9", 1);
    const engine = rekognition({ client });
    await refusedWith("recognition.busy", engine.detectText(PICTURE, ALL));
    await refusedWith("recognition.busy", engine.checkReady());
    client.destroy();
  });

  test("what is no picture is never sent", () =>
    onScriptedRekognition(
      () => ({ json: {} }),
      async ({ engine, calls }) => {
        const text = Buffer.from("no picture");
        await refusedWith("picture.unreadable", engine.detectText(text, ALL));
        await refusedWith("picture.unreadable", engine.indexFaces("c", text, "photo"));
        await refusedWith("picture.unreadable", engine.searchByImage("c", text, ASK));
        assert.equal(calls.length, 0);
      },
    ));
});

describe("the pace of calls", () => {
  const three = (engine: Recognition) => Promise.all([1, 2, 3].map(() => engine.searchFaces("c", FACE, ASK)));

  test("calls of one operation are kept apart, others do not wait for them", () =>
    onScriptedRekognition(
      () => ({ json: {} }),
      async ({ engine, sleeps }) => {
        await three(engine);
        await engine.deleteFaces("c", [FACE]);
        assert.deepEqual(sleeps, [200, 400]);
      },
    ));

  test("a higher quota lets more through", () =>
    onScriptedRekognition(
      () => ({ json: {} }),
      async ({ engine, sleeps }) => {
        await three(engine);
        assert.deepEqual(sleeps, [20, 40]);
      },
      { callsPerSecond: { SearchFaces: 50 } },
    ));

  test("who would wait too long is told when to come again, and takes no turn", () =>
    onScriptedRekognition(
      () => ({ json: {} }),
      async ({ engine, calls }) => {
        await engine.searchFaces("c", FACE, ASK);
        await engine.searchFaces("c", FACE, ASK);
        for (const _ of [1, 2]) {
          const error = await engine.searchFaces("c", FACE, ASK).catch((reason: unknown) => reason);
          assert.ok(error instanceof Problem);
          assert.deepEqual([error.code, error.kind, error.retryInMs], ["recognition.busy", "unavailable", 400]);
        }
        assert.equal(calls.length, 2);
      },
      { maxWaitMs: 300 },
    ));
});

test("it is ready when it answers", () =>
  onScriptedRekognition(
    () => ({ json: { CollectionIds: [] } }),
    async ({ engine, calls }) => {
      await engine.checkReady();
      assert.deepEqual(
        calls.map(({ action, input }) => [action, input]),
        [["ListCollections", { MaxResults: 1 }]],
      );
    },
  ));
