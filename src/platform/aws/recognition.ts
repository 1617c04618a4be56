/** Text and faces in pictures through Amazon Rekognition. */

import {
  CreateCollectionCommand,
  DeleteCollectionCommand,
  DeleteFacesCommand,
  DetectFacesCommand,
  DetectTextCommand,
  IndexFacesCommand,
  ListCollectionsCommand,
  type RekognitionClient,
  SearchFacesByImageCommand,
  SearchFacesCommand,
} from "@aws-sdk/client-rekognition";
import { systemClock } from "../clock.ts";
import { checkCollection, checkExternalImageId, noFace } from "../picture-limits.ts";
import type { Clock, FaceAsk, FaceMatch, ImageSearch, Recognition, SelfieFace } from "../ports.ts";
import { wantedWords } from "../wanted-words.ts";
import { isNamed } from "./failures.ts";
import { facesOf, matchesOf, selfieFacesOf, wordsOf } from "./recognition-answers.ts";
import { recognitionFailure, unlessMissing } from "./recognition-failures.ts";
import { createPace } from "./recognition-pace.ts";
import { heightOf, pictureForRekognition } from "./recognition-picture.ts";
import { inGroupsOf, retryOn } from "./retry.ts";

const OPERATIONS = [
  "DetectText",
  "IndexFaces",
  "SearchFaces",
  "SearchFacesByImage",
  "DetectFaces",
  "DeleteFaces",
  "CreateCollection",
  "DeleteCollection",
  "ListCollections",
] as const;
type Operation = (typeof OPERATIONS)[number];

export type RekognitionSettings = {
  client: RekognitionClient;
  clock?: Clock;
  /** What this process may ask of the account's quota; quotas are per operation, account and region. */
  callsPerSecond?: { [operation in Operation]?: number };
  /** Who would have to wait longer for a turn is told to come later. */
  maxWaitMs?: number;
};

/** The default quota of most regions; a few large ones give 50. */
const CALLS_PER_SECOND = 5;
const MAX_WAIT_MS = 10_000;
const MAX_FACES_PER_PICTURE = 100;
const MAX_MATCHES = 4096;
const MAX_DELETIONS = 4096;
const FACE_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** A collection that was just made may not be known everywhere at once. */
const NEW_COLLECTION = { attempts: 6, firstMs: 100, maxMs: 2000 };

export function rekognition(settings: RekognitionSettings): Recognition & { checkReady(): Promise<void> } {
  const asking = { client: settings.client, clock: settings.clock ?? systemClock, call: pacedCalls(settings) };
  return {
    detectText: async (image, ask) => {
      const words = await detectText(asking, image, ask.minConfidence);
      return wantedWords(words, ask);
    },
    indexFaces: (collection, image, externalImageId) => indexFaces(asking, collection, image, externalImageId),
    searchFaces: (collection, faceId, ask) => searchFaces(asking, collection, faceId, ask),
    searchByImage: (collection, image, ask) => searchByImage(asking, collection, image, ask),
    deleteFaces: (collection, faceIds) => deleteFaces(asking, collection, faceIds),
    deleteCollection: (collection) => deleteCollection(asking, collection),
    checkReady: async () => {
      await asking.call("ListCollections", () => asking.client.send(new ListCollectionsCommand({ MaxResults: 1 })));
    },
  };
}

type Asking = {
  client: RekognitionClient;
  clock: Clock;
  call<T>(operation: Operation, work: () => Promise<T>): Promise<T>;
};

function pacedCalls({ clock = systemClock, callsPerSecond = {}, maxWaitMs = MAX_WAIT_MS }: RekognitionSettings) {
  const paces = new Map(
    OPERATIONS.map((operation) => {
      const pace = createPace({ clock, callsPerSecond: callsPerSecond[operation] ?? CALLS_PER_SECOND, maxWaitMs });
      return [operation, pace];
    }),
  );
  return async <T>(operation: Operation, work: () => Promise<T>): Promise<T> => {
    await paces.get(operation)?.();
    try {
      return await work();
    } catch (error) {
      throw recognitionFailure(error);
    }
  };
}

/** Of more than 100 words Rekognition answers with 100, and does not say which it leaves out or that it did. */
async function detectText({ client, call }: Asking, image: Uint8Array, minConfidence: number) {
  const Bytes = await pictureForRekognition(image);
  // Unless told otherwise, Rekognition keeps words below 80 % to itself.
  const Filters = { WordFilter: { MinConfidence: percent(minConfidence) } };
  const command = new DetectTextCommand({ Image: { Bytes }, Filters });
  const { TextDetections = [] } = await call("DetectText", () => client.send(command));
  return wordsOf(TextDetections);
}

async function indexFaces(asking: Asking, collection: string, image: Uint8Array, externalImageId: string) {
  const { client, clock, call } = asking;
  checkCollection(collection);
  checkExternalImageId(externalImageId);
  const Bytes = await pictureForRekognition(image);
  const command = {
    CollectionId: collection,
    Image: { Bytes },
    ExternalImageId: externalImageId,
    DetectionAttributes: ["DEFAULT" as const],
    MaxFaces: MAX_FACES_PER_PICTURE,
    QualityFilter: "AUTO" as const,
  };
  const index = () => call("IndexFaces", () => client.send(new IndexFacesCommand(command)));
  const answer = await unlessMissing(index());
  if (answer) return facesOf(answer.FaceRecords ?? []);
  await createCollection(asking, collection);
  const isMissing = (error: unknown) => isNamed(error, "ResourceNotFoundException");
  const { FaceRecords = [] } = await retryOn(isMissing, clock, NEW_COLLECTION, index);
  return facesOf(FaceRecords);
}

async function createCollection({ client, call }: Asking, collection: string): Promise<void> {
  const command = new CreateCollectionCommand({ CollectionId: collection });
  try {
    await call("CreateCollection", () => client.send(command));
  } catch (error) {
    if (!isNamed(error, "ResourceAlreadyExistsException")) throw error;
  }
}

async function searchFaces({ client, call }: Asking, collection: string, faceId: string, ask: FaceAsk) {
  checkCollection(collection);
  if (!FACE_ID.test(faceId)) return [];
  // One more than asked for, lest the face itself takes a place.
  const search = { CollectionId: collection, FaceId: faceId, ...limits({ ...ask, limit: ask.limit + 1 }) };
  const answered = call("SearchFaces", () => client.send(new SearchFacesCommand(search))).catch((error) => {
    // All else that it was given is checked, so what is invalid is a face that is not there.
    if (isNamed(error, "InvalidParameterException")) return undefined;
    throw error;
  });
  const answer = await unlessMissing(answered);
  return matchesOf(answer?.FaceMatches ?? [])
    .filter((match) => match.faceId !== faceId)
    .slice(0, Math.max(0, ask.limit));
}

/** Searching alone says nothing of the other faces, nor of how good the one is. */
async function searchByImage(
  asking: Asking,
  collection: string,
  image: Uint8Array,
  ask: FaceAsk,
): Promise<ImageSearch> {
  checkCollection(collection);
  const Bytes = await pictureForRekognition(image);
  const [[largest, ...others], matches] = await Promise.all([
    detectFaces(asking, Bytes),
    searchLargest(asking, collection, Bytes, ask),
  ]);
  if (!largest) throw noFace();
  return { faces: [largest, ...others], matches };
}

async function detectFaces({ client, call }: Asking, Bytes: Uint8Array): Promise<SelfieFace[]> {
  const command = new DetectFacesCommand({ Image: { Bytes }, Attributes: ["DEFAULT"] });
  const [{ FaceDetails = [] }, heightPixels] = await Promise.all([
    call("DetectFaces", () => client.send(command)),
    heightOf(Bytes),
  ]);
  return selfieFacesOf(FaceDetails, heightPixels);
}

async function searchLargest(
  { client, call }: Asking,
  collection: string,
  Bytes: Uint8Array,
  ask: FaceAsk,
): Promise<FaceMatch[]> {
  // A poor selfie is searched all the same: whether it is good enough is not for Rekognition to say.
  const search = { CollectionId: collection, Image: { Bytes }, QualityFilter: "NONE" as const, ...limits(ask) };
  const answered = call("SearchFacesByImage", () => client.send(new SearchFacesByImageCommand(search))).catch(
    (error) => {
      // All else that it was given is checked, so what is invalid is a picture without a face.
      throw isNamed(error, "InvalidParameterException") ? noFace(error) : error;
    },
  );
  const answer = await unlessMissing(answered);
  return matchesOf(answer?.FaceMatches ?? []).slice(0, Math.max(0, ask.limit));
}

async function deleteFaces({ client, call }: Asking, collection: string, faceIds: string[]): Promise<void> {
  checkCollection(collection);
  const known = [...new Set(faceIds)].filter((faceId) => FACE_ID.test(faceId));
  for (const FaceIds of inGroupsOf(MAX_DELETIONS, known)) {
    const command = new DeleteFacesCommand({ CollectionId: collection, FaceIds });
    const answer = await unlessMissing(call("DeleteFaces", () => client.send(command)));
    const kept = (answer?.UnsuccessfulFaceDeletions ?? []).filter(({ Reasons = [] }) =>
      Reasons.some((why) => why !== "FACE_NOT_FOUND"),
    );
    // A face that stays must not pass for deleted.
    if (kept.length > 0) throw new Error(`Rekognition did not delete faces of ${collection}: ${JSON.stringify(kept)}`);
  }
}

async function deleteCollection({ client, call }: Asking, collection: string): Promise<void> {
  checkCollection(collection);
  const command = new DeleteCollectionCommand({ CollectionId: collection });
  await unlessMissing(call("DeleteCollection", () => client.send(command)));
}

function limits({ minSimilarity, limit }: FaceAsk) {
  return { FaceMatchThreshold: percent(minSimilarity), MaxFaces: Math.min(MAX_MATCHES, Math.max(1, limit)) };
}

function percent(fraction: number): number {
  return Math.min(100, Math.max(0, fraction * 100));
}
