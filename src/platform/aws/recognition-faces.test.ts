/** What Rekognition is asked about faces, and what the engine makes of its answers. */

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { onScriptedRekognition, type Script } from "../contracts/doubles/rekognition-scripted.ts";
import { type Answer, awsError } from "../contracts/doubles/scripted-aws.ts";
import { drawTexts } from "../contracts/recognition-samples.ts";
import { refusedWith } from "../contracts/refused.ts";

const { png: PICTURE } = await drawTexts(200, 200, []);
const BYTES = PICTURE.toString("base64");
const [FACE, OTHER, THIRD] = [randomUUID(), randomUUID(), randomUUID()];
const ASK = { minSimilarity: 0.9, limit: 10 };
const BOX = { Left: 0.25, Top: 0.5, Width: 0.25, Height: 0.125 };

const found = (faceId: string, Similarity: number) => ({
  Similarity,
  Face: { FaceId: faceId, ExternalImageId: `photo-of-${faceId}` },
});
const match = (faceId: string, similarity: number) => ({ faceId, externalImageId: `photo-of-${faceId}`, similarity });

describe("asking to index faces", () => {
  const record = (FaceId: string, BoundingBox: object, Confidence: number, Sharpness?: number) => ({
    Face: { FaceId, BoundingBox, Confidence },
    FaceDetail: { ...(Sharpness !== undefined && { Quality: { Sharpness } }) },
  });

  test("quality is confidence times sharpness, and boxes end where the picture does", () =>
    onScriptedRekognition(
      () => ({
        json: {
          FaceRecords: [
            record(FACE, BOX, 50, 50),
            record(OTHER, { Left: -0.25, Top: 0.75, Width: 0.5, Height: 0.5 }, 100),
          ],
        },
      }),
      async ({ engine, calls }) => {
        assert.deepEqual(await engine.indexFaces("evt-1", PICTURE, "photo:1"), [
          { faceId: FACE, box: { left: 0.25, top: 0.5, width: 0.25, height: 0.125 }, quality: 0.25 },
          { faceId: OTHER, box: { left: 0, top: 0.75, width: 0.25, height: 0.25 }, quality: 0 },
        ]);
        assert.deepEqual(
          calls.map(({ action, input }) => [action, input]),
          [
            [
              "IndexFaces",
              {
                CollectionId: "evt-1",
                Image: { Bytes: BYTES },
                ExternalImageId: "photo:1",
                DetectionAttributes: ["DEFAULT"],
                MaxFaces: 100,
                QualityFilter: "AUTO",
              },
            ],
          ],
        );
      },
    ));

  /** A collection that is known only from the given call on. */
  const knownFrom =
    (first: number, creation: Answer): Script =>
    ({ action }, number) => {
      if (action === "CreateCollection") return creation;
      return number < first
        ? awsError("ResourceNotFoundException")
        : { json: { FaceRecords: [record(FACE, BOX, 1, 1)] } };
    };
  const creations: [what: string, creation: Answer][] = [
    ["is made", { json: { StatusCode: 200 } }],
    ["that another made meanwhile is used", awsError("ResourceAlreadyExistsException")],
  ];
  for (const [what, creation] of creations) {
    test(`a collection that is not there ${what}`, () =>
      onScriptedRekognition(knownFrom(5, creation), async ({ engine, calls }) => {
        assert.equal((await engine.indexFaces("evt-1", PICTURE, "photo")).length, 1);
        const actions = ["IndexFaces", "CreateCollection", "IndexFaces", "IndexFaces", "IndexFaces"];
        assert.deepEqual(
          calls.map(({ action }) => action),
          actions,
        );
        assert.deepEqual(calls[1]?.input, { CollectionId: "evt-1" });
      }));
  }

  test("a collection that stays away is given up on", () =>
    onScriptedRekognition(knownFrom(Number.POSITIVE_INFINITY, { json: {} }), ({ engine }) =>
      assert.rejects(engine.indexFaces("evt-1", PICTURE, "photo"), { name: "ResourceNotFoundException" }),
    ));
});

describe("asking for matches", () => {
  test("a face is searched for with one place more, lest it takes one itself", () =>
    onScriptedRekognition(
      () => ({ json: { FaceMatches: [found(FACE, 100), found(OTHER, 97), found(THIRD, 95)] } }),
      async ({ engine, calls }) => {
        assert.deepEqual(await engine.searchFaces("evt-1", FACE, { ...ASK, limit: 2 }), [
          match(OTHER, 0.97),
          match(THIRD, 0.95),
        ]);
        assert.deepEqual(await engine.searchFaces("evt-1", FACE, { ...ASK, limit: 1 }), [match(OTHER, 0.97)]);
        assert.deepEqual(calls[0]?.input, {
          CollectionId: "evt-1",
          FaceId: FACE,
          FaceMatchThreshold: 90,
          MaxFaces: 3,
        });
      },
    ));

  const detail = (Left: number, Width: number, Sharpness: number) => ({
    BoundingBox: { Left, Top: 0.5, Width, Height: 0.25 },
    Confidence: 50,
    Quality: { Sharpness },
  });
  /** Faces that DetectFaces sees, and what a search finds. */
  const seeing =
    (FaceDetails: object[], FaceMatches: object[] = [found(OTHER, 97)]): Script =>
    ({ action }) => ({ json: action === "DetectFaces" ? { FaceDetails } : { FaceMatches } });
  const inputOf = (calls: { action: string; input: object }[], action: string) =>
    calls.filter((call) => call.action === action).map(({ input }) => input);

  test("a selfie is searched whatever its quality, and its faces are asked for at the same time", () =>
    onScriptedRekognition(seeing([detail(0, 0.125, 50), detail(0.5, 0.25, 80)]), async ({ engine, calls }) => {
      assert.deepEqual(await engine.searchByImage("evt-1", PICTURE, ASK), {
        faces: [
          { box: { left: 0.5, top: 0.5, width: 0.25, height: 0.25 }, quality: 0.4, heightPixels: 50 },
          { box: { left: 0, top: 0.5, width: 0.125, height: 0.25 }, quality: 0.25, heightPixels: 50 },
        ],
        matches: [match(OTHER, 0.97)],
      });
      const search = { CollectionId: "evt-1", Image: { Bytes: BYTES }, QualityFilter: "NONE" };
      assert.deepEqual(inputOf(calls, "SearchFacesByImage"), [{ ...search, FaceMatchThreshold: 90, MaxFaces: 10 }]);
      assert.deepEqual(inputOf(calls, "DetectFaces"), [{ Image: { Bytes: BYTES }, Attributes: ["DEFAULT"] }]);
      assert.equal(calls.length, 2);
    }));

  test("a selfie in which no face is seen has none, whatever was found", () =>
    onScriptedRekognition(seeing([]), ({ engine }) =>
      refusedWith("picture.no-face", engine.searchByImage("evt-1", PICTURE, ASK)),
    ));

  test("never more than Rekognition gives, never fewer than it lets one ask for", () =>
    onScriptedRekognition(seeing([detail(0, 0.5, 80)]), async ({ engine, calls }) => {
      await engine.searchByImage("c", PICTURE, { ...ASK, limit: 10_000 });
      await engine.searchFaces("c", FACE, { ...ASK, limit: 4096 });
      assert.deepEqual((await engine.searchByImage("c", PICTURE, { ...ASK, limit: 0 })).matches, []);
      assert.deepEqual(
        calls.flatMap(({ input }) => input.MaxFaces ?? []),
        [4096, 4096, 1],
      );
    }));

  test("an invalid parameter is a face that is not there, or a selfie without a face", () =>
    onScriptedRekognition(
      ({ action }) => (action === "DetectFaces" ? { json: {} } : awsError("InvalidParameterException")),
      async ({ engine }) => {
        assert.deepEqual(await engine.searchFaces("c", FACE, ASK), []);
        await refusedWith("picture.no-face", engine.searchByImage("c", PICTURE, ASK));
      },
    ));

  test("an id that Rekognition never gives is not asked for", () =>
    onScriptedRekognition(
      () => ({ json: {} }),
      async ({ engine, calls }) => {
        assert.deepEqual(await engine.searchFaces("c", "face-1", ASK), []);
        await engine.deleteFaces("c", ["face-1"]);
        assert.equal(calls.length, 0);
      },
    ));
});

describe("asking to delete", () => {
  test("thousands of faces go in groups that Rekognition takes, each face once", () =>
    onScriptedRekognition(
      () => ({ json: {} }),
      async ({ engine, calls }) => {
        const faceIds = Array.from({ length: 5000 }, () => randomUUID());
        await engine.deleteFaces("c", [...faceIds, ...faceIds]);
        const groups = calls.map(({ input }) => input.FaceIds as string[]);
        assert.deepEqual(
          groups.map(({ length }) => length),
          [4096, 904],
        );
        assert.deepEqual(groups.flat(), faceIds);
      },
    ));

  const kept = (FaceId: string, reason: string): Answer => ({
    json: { DeletedFaces: [], UnsuccessfulFaceDeletions: [{ FaceId, Reasons: [reason] }] },
  });
  test("a face that was not there is as good as deleted", () =>
    onScriptedRekognition(
      () => kept(FACE, "FACE_NOT_FOUND"),
      ({ engine }) => engine.deleteFaces("c", [FACE]),
    ));

  test("a face that Rekognition keeps is an error", () =>
    onScriptedRekognition(
      () => kept(FACE, "ASSOCIATED_TO_AN_EXISTING_USER"),
      ({ engine }) => assert.rejects(engine.deleteFaces("c", [FACE]), new RegExp(FACE)),
    ));
});
