/** Rekognition's operations, done by another recognition engine; which collections and faces there are is kept here. */

import { createHash } from "node:crypto";
import type { Box, Face, FaceMatch, Recognition, SelfieFace } from "../../ports.ts";
import { Problem } from "../../problem.ts";
import {
  type Input,
  optionalNumber,
  RekognitionError,
  requireFaceId,
  requireFaceIds,
  requireId,
  requireImage,
} from "./rekognition-requests.ts";

const MAX_WORDS = 100;
const MAX_FACES = 100;
const MODEL = { FaceModelVersion: "7.0" };

export class RekognitionService {
  readonly #engine: Recognition;
  /** Per collection the engine's id of each face, by Rekognition's. */
  readonly #collections = new Map<string, Map<string, string>>();

  constructor(engine: Recognition) {
    this.#engine = engine;
  }

  async act(action: string, input: Input): Promise<object> {
    switch (action) {
      case "DetectText":
        return this.#detectText(input);
      case "ListCollections":
        return { CollectionIds: [...this.#collections.keys()] };
      case "CreateCollection":
        return this.#createCollection(requireId(input, "CollectionId"));
      case "DeleteCollection":
        return this.#deleteCollection(requireId(input, "CollectionId"));
      case "IndexFaces":
        return this.#indexFaces(requireId(input, "CollectionId"), input);
      case "SearchFaces":
        return this.#searchFaces(requireId(input, "CollectionId"), input);
      case "SearchFacesByImage":
        return this.#searchFacesByImage(requireId(input, "CollectionId"), input);
      case "DetectFaces":
        return this.#detectFaces(input);
      case "DeleteFaces":
        return this.#deleteFaces(requireId(input, "CollectionId"), requireFaceIds(input));
      default:
        throw new RekognitionError("UnknownOperationException", action);
    }
  }

  async #detectText(input: Input): Promise<object> {
    const image = await requireImage(input);
    const { WordFilter = {} } = (input.Filters ?? {}) as { WordFilter?: Input };
    const minConfidence = optionalNumber(WordFilter, "MinConfidence", [0, 100], 80) / 100;
    const words = await this.#engine.detectText(image, { watermarkZones: [], minConfidence });
    const kept = words.slice(0, MAX_WORDS).map(({ text, confidence, box }) => ({
      DetectedText: text,
      Confidence: confidence * 100,
      Geometry: { BoundingBox: boundingBox(box) },
    }));
    const lines = kept.map((word, Id) => ({ ...word, Type: "LINE", Id }));
    const parts = kept.map((word, ParentId) => ({ ...word, Type: "WORD", Id: kept.length + ParentId, ParentId }));
    return { TextDetections: [...lines, ...parts], TextModelVersion: "3.0" };
  }

  #createCollection(collection: string): object {
    if (this.#collections.has(collection)) {
      const message = `The collection id: ${collection} already exists`;
      throw new RekognitionError("ResourceAlreadyExistsException", message);
    }
    this.#collections.set(collection, new Map());
    return { StatusCode: 200, CollectionArn: `aws:rekognition:us-east-1:0:collection/${collection}`, ...MODEL };
  }

  async #deleteCollection(collection: string): Promise<object> {
    this.#facesOf(collection);
    this.#collections.delete(collection);
    await this.#engine.deleteCollection(collection);
    return { StatusCode: 200 };
  }

  async #indexFaces(collection: string, input: Input): Promise<object> {
    const externalImageId = requireId(input, "ExternalImageId");
    const maxFaces = Math.min(MAX_FACES, optionalNumber(input, "MaxFaces", [1, 4096], MAX_FACES));
    const image = await requireImage(input);
    const known = this.#facesOf(collection);
    const found = await this.#engine.indexFaces(collection, image, externalImageId);
    const bySize = found.toSorted((a, b) => b.box.width * b.box.height - a.box.width * a.box.height);
    const [kept, others] = [bySize.slice(0, maxFaces), bySize.slice(maxFaces)];
    const otherIds = others.map(({ faceId }) => faceId);
    await this.#engine.deleteFaces(collection, otherIds);
    for (const { faceId } of kept) known.set(uuidOf(faceId), faceId);
    return {
      FaceRecords: kept.map((face) => faceRecord(face, externalImageId)),
      UnindexedFaces: others.map(({ box }) => ({
        Reasons: ["EXCEEDS_MAX_FACES"],
        FaceDetail: { BoundingBox: boundingBox(box), Confidence: 100 },
      })),
      ...MODEL,
    };
  }

  async #searchFaces(collection: string, input: Input): Promise<object> {
    const FaceId = requireFaceId(input.FaceId);
    const ask = askOf(input);
    const faceId = this.#facesOf(collection).get(FaceId);
    if (faceId === undefined) {
      throw new RekognitionError("InvalidParameterException", "faceId was not found in the collection");
    }
    const matches = await this.#engine.searchFaces(collection, faceId, ask);
    return { SearchedFaceId: FaceId, FaceMatches: matches.map(faceMatch), ...MODEL };
  }

  async #searchFacesByImage(collection: string, input: Input): Promise<object> {
    const ask = askOf(input);
    const image = await requireImage(input);
    this.#facesOf(collection);
    const { faces, matches } = await this.#engine.searchByImage(collection, image, ask);
    return {
      SearchedFaceBoundingBox: boundingBox(faces[0].box),
      SearchedFaceConfidence: 100,
      FaceMatches: matches.map(faceMatch),
      ...MODEL,
    };
  }

  /** In no order, as Rekognition promises none. */
  async #detectFaces(input: Input): Promise<object> {
    const image = await requireImage(input);
    const seen = this.#engine.searchByImage("nobody", image, { minSimilarity: 1, limit: 0 });
    const faces: SelfieFace[] = await seen.then((search) => search.faces).catch(noneWithoutFace);
    return { FaceDetails: faces.toReversed().map(faceDetail) };
  }

  async #deleteFaces(collection: string, FaceIds: string[]): Promise<object> {
    const known = this.#facesOf(collection);
    const [there, missing] = [FaceIds.filter((id) => known.has(id)), FaceIds.filter((id) => !known.has(id))];
    const engineIds = there.flatMap((id) => known.get(id) ?? []);
    await this.#engine.deleteFaces(collection, engineIds);
    for (const id of there) known.delete(id);
    return {
      DeletedFaces: there,
      UnsuccessfulFaceDeletions: missing.map((FaceId) => ({ FaceId, Reasons: ["FACE_NOT_FOUND"] })),
    };
  }

  #facesOf(collection: string): Map<string, string> {
    const faces = this.#collections.get(collection);
    if (faces) return faces;
    throw new RekognitionError("ResourceNotFoundException", `The collection id: ${collection} does not exist`);
  }
}

function askOf(input: Input): { minSimilarity: number; limit: number } {
  const minSimilarity = optionalNumber(input, "FaceMatchThreshold", [0, 100], 80) / 100;
  return { minSimilarity, limit: optionalNumber(input, "MaxFaces", [1, 4096], 4096) };
}

function noneWithoutFace(error: unknown): [] {
  if (error instanceof Problem && error.code === "picture.no-face") return [];
  throw error;
}

function faceRecord(face: Face, ExternalImageId: string): object {
  const FaceDetail = faceDetail(face);
  const { BoundingBox, Confidence } = FaceDetail;
  return { Face: { FaceId: uuidOf(face.faceId), ExternalImageId, BoundingBox, Confidence }, FaceDetail };
}

function faceDetail({ box, quality }: Pick<Face, "box" | "quality">) {
  return { BoundingBox: boundingBox(box), Confidence: 100, Quality: { Sharpness: quality * 100, Brightness: 50 } };
}

function faceMatch({ faceId, externalImageId, similarity }: FaceMatch): object {
  return {
    Similarity: similarity * 100,
    Face: { FaceId: uuidOf(faceId), ExternalImageId: externalImageId, Confidence: 100 },
  };
}

function boundingBox({ left, top, width, height }: Box) {
  return { Left: left, Top: top, Width: width, Height: height };
}

/** Rekognition's ids have this form, an engine's may have another. */
function uuidOf(faceId: string): string {
  const hex = createHash("sha256").update(faceId).digest("hex").slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
