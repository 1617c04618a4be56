/** The recognition port on Rekognition, on a double around the embedded engine; and the rules that the double keeps. */

import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { callJson } from "../contracts/doubles/aws-json.ts";
import { startRekognition } from "../contracts/doubles/rekognition.ts";
import { openRekognitionClient } from "../contracts/doubles/rekognition-scripted.ts";
import { testRecognition } from "../contracts/recognition.contract.ts";
import { refusedWith } from "../contracts/refused.ts";
import { openVision } from "../embedded/recognition.ts";
import { rekognition } from "./recognition.ts";

/** A double has no quota to stay under. */
const IN_NO_TIME = { clock: { now: () => Date.now(), sleep: async () => {} }, maxWaitMs: Number.POSITIVE_INFINITY };
const MAX_ATTEMPTS = 3;

async function openOnDouble() {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-vision-"));
  const vision = await openVision({ folder, workers: 1 });
  const double = await startRekognition(vision);
  const client = openRekognitionClient(double.endpoint, MAX_ATTEMPTS);
  const close = async () => {
    client.destroy();
    await double.stop();
    await vision.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { recognition: rekognition({ client, ...IN_NO_TIME }), double, close };
}

testRecognition("aws", openOnDouble);

describe("the double of Rekognition", () => {
  let subject: Awaited<ReturnType<typeof openOnDouble>>;
  before(async () => {
    subject = await openOnDouble();
    await call("CreateCollection", { CollectionId: "known" });
  });
  after(() => subject.close());
  const call = (action: string, input: object) =>
    callJson(subject.double.endpoint, `RekognitionService.${action}`, input);

  const blank = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "white" } });
  const image = async (picture: Promise<Buffer>) => ({ Image: { Bytes: (await picture).toString("base64") } });
  const fine = image(blank(80, 80).png().toBuffer());
  const known = { CollectionId: "known" };
  const unknown = { CollectionId: "unknown" };
  const FaceId = randomUUID();
  const refusals: [error: string, what: string, action: string, input: object | Promise<object>][] = [
    ["ValidationException", "more than 5 MiB", "DetectText", image(Promise.resolve(randomBytes(5_242_881)))],
    ["ValidationException", "no bytes", "DetectText", image(Promise.resolve(Buffer.alloc(0)))],
    ["InvalidImageFormatException", "text", "DetectText", image(Promise.resolve(Buffer.from("no picture")))],
    ["InvalidImageFormatException", "WebP", "DetectText", image(blank(80, 80).webp().toBuffer())],
    ["InvalidParameterException", "79 pixels", "DetectText", image(blank(79, 300).png().toBuffer())],
    [
      "ValidationException",
      "a confidence of 101",
      "DetectText",
      imageAnd(fine, { Filters: { WordFilter: { MinConfidence: 101 } } }),
    ],
    ["ValidationException", "a bad collection", "CreateCollection", { CollectionId: "a b" }],
    ["ResourceAlreadyExistsException", "a collection that is there", "CreateCollection", known],
    ["ResourceNotFoundException", "no collection", "DeleteCollection", unknown],
    ["ResourceNotFoundException", "no collection", "DeleteFaces", { ...unknown, FaceIds: [FaceId] }],
    ["ResourceNotFoundException", "no collection", "SearchFaces", { ...unknown, FaceId }],
    ["ResourceNotFoundException", "no collection", "SearchFacesByImage", imageAnd(fine, unknown)],
    ["ResourceNotFoundException", "no collection", "IndexFaces", imageAnd(fine, { ...unknown, ExternalImageId: "a" })],
    ["ValidationException", "a bad image id", "IndexFaces", imageAnd(fine, { ...known, ExternalImageId: "a b" })],
    ["InvalidParameterException", "no such face", "SearchFaces", { ...known, FaceId }],
    ["ValidationException", "a bad face id", "SearchFaces", { ...known, FaceId: "face" }],
    ["ValidationException", "no matches asked for", "SearchFaces", { ...known, FaceId, MaxFaces: 0 }],
    ["ValidationException", "no ids", "DeleteFaces", { ...known, FaceIds: [] }],
    ["ValidationException", "4,097 ids", "DeleteFaces", { ...known, FaceIds: Array(4097).fill(FaceId) }],
    ["InvalidParameterException", "no face", "SearchFacesByImage", imageAnd(fine, known)],
    ["InvalidImageFormatException", "text", "DetectFaces", image(Promise.resolve(Buffer.from("no picture")))],
    ["UnknownOperationException", "another operation", "CompareFaces", {}],
  ];
  for (const [error, what, action, input] of refusals) {
    test(`${action} with ${what} is a ${error}`, async () => {
      await assert.rejects(call(action, await input), new RegExp(`answered 400: .*"${error}"`));
    });
  }

  test("a call that is not signed is refused", async () => {
    const response = await fetch(subject.double.endpoint, { method: "POST", body: "{}" });
    assert.match(await response.text(), /MissingAuthenticationTokenException/);
  });

  test("above the quota it refuses: the SDK tries again, and after that people are told to", async () => {
    const { recognition, double } = subject;
    const ask = { watermarkZones: [], minConfidence: 0 };
    const picture = await blank(200, 200).png().toBuffer();
    double.throttleNext(MAX_ATTEMPTS - 1);
    assert.deepEqual(await recognition.detectText(picture, ask), []);
    double.throttleNext(MAX_ATTEMPTS);
    await refusedWith("recognition.busy", recognition.detectText(picture, ask));
    await recognition.checkReady();
  });
});

async function imageAnd(image: Promise<object>, others: object): Promise<object> {
  return { ...(await image), ...others };
}
