/** Recognition on one machine: worker processes look at the pictures, the face index remembers faces. */

import { createHash } from "node:crypto";
import { checkCollection, checkExternalImageId, noFace } from "../picture-limits.ts";
import type { FaceAsk, FaceMatch, Recognition } from "../ports.ts";
import { wantedWords } from "../wanted-words.ts";
import type { SeenFace } from "./vision/eye.ts";
import { type FaceIndex, openFaceIndex } from "./vision/face-index.ts";
import { type LookerSettings, type Lookers, openLookers } from "./vision/lookers.ts";
import { described, type LoadedModel, readModels } from "./vision/models.ts";
import { pictureHash } from "./vision/picture-hash.ts";
import { recentLooks } from "./vision/recent-looks.ts";
import { cosineOf, similarityOf } from "./vision/similarity.ts";

export type VisionSettings = LookerSettings & {
  /** Where the faces are kept. */
  folder: string;
  /** Faces that are smaller or worse are not remembered: they would match anybody. */
  minFaceHeightPixels?: number;
  minFaceQuality?: number;
};

export type Vision = Recognition &
  Lookers & {
    /** What the workers will load, checked; throws a Problem when a file is missing or another one than named. */
    models(): LoadedModel[];
  };

const MIN_FACE_HEIGHT_PIXELS = 36;
const MIN_FACE_QUALITY = 0.25;
/** Of an embedding, where the manifest says nothing else. */
const DIMENSIONS = 512;

type Parts = { settings: VisionSettings; looks: ReturnType<typeof recentLooks>; index: () => Promise<FaceIndex> };

export function openVision(settings: VisionSettings): Vision {
  const lookers = openLookers(settings);
  let opened: Promise<FaceIndex> | undefined;
  const index = () => {
    opened ??= openIndex(settings);
    return opened;
  };
  const parts: Parts = { settings, looks: recentLooks(lookers.look), index };
  return {
    detectText: async (image, ask) => wantedWords((await parts.looks.everything(image)).words, ask),
    indexFaces: (collection, image, externalImageId) => indexFaces(parts, collection, image, externalImageId),
    searchFaces: async (collection, faceId, ask) => {
      checkCollection(collection);
      return matches(await (await index()).searchFace(collection, faceId, cosineAsk(ask)));
    },
    searchByImage: async (collection, image, ask) => {
      checkCollection(collection);
      // Not among the recent looks: nothing of a selfie is kept, not even for a moment.
      const { faces, others = [] } = await lookers.look(image, "largest-face");
      const [largest] = faces;
      if (!largest) throw noFace();
      const { embedding, ...face } = largest;
      const found = await (await index()).search(collection, embedding, cosineAsk(ask));
      return { faces: [face, ...others], matches: matches(found) };
    },
    deleteFaces: async (collection, faceIds) => {
      checkCollection(collection);
      await (await index()).delete(collection, faceIds);
    },
    deleteCollection: async (collection) => {
      checkCollection(collection);
      await (await index()).deleteCollection(collection);
    },
    ...lookers,
    models: () => Object.values(readModels(settings.modelsFile)).map(described),
    close: async () => {
      await lookers.close();
      await (await opened)?.close();
    },
  };
}

/** Embeddings of two models have nothing to do with each other, so the index knows whose it holds. */
function openIndex({ folder, modelsFile, onError }: VisionSettings): Promise<FaceIndex> {
  const { name, sha256, dimensions = DIMENSIONS } = readModels(modelsFile).faceEmbedder;
  return openFaceIndex({ folder, model: { name: `${name} ${sha256}`, dimensions }, ...(onError && { onError }) });
}

async function indexFaces(parts: Parts, collection: string, image: Uint8Array, externalImageId: string) {
  checkCollection(collection);
  checkExternalImageId(externalImageId);
  const { minFaceHeightPixels = MIN_FACE_HEIGHT_PIXELS, minFaceQuality = MIN_FACE_QUALITY } = parts.settings;
  const { faces } = await parts.looks.everything(image);
  const good = faces.filter((face) => face.heightPixels >= minFaceHeightPixels && face.quality >= minFaceQuality);
  const picture = pictureHash(image);
  const remembered = good.map((face) => ({
    ...face,
    faceId: faceIdOf(face, picture, externalImageId),
    externalImageId,
  }));
  if (remembered.length > 0) await (await parts.index()).add(collection, remembered);
  return remembered.map(({ faceId, box, quality }) => ({ faceId, box, quality }));
}

/** The same face of the same picture gets the same id, so that indexing again changes nothing. */
function faceIdOf({ box }: SeenFace, picture: string, externalImageId: string): string {
  const hash = createHash("sha256").update(externalImageId).update("\n").update(JSON.stringify(box));
  hash.update(picture, "base64");
  return hash.digest("hex").slice(0, 32);
}

function cosineAsk({ minSimilarity, limit }: FaceAsk): { minCosine: number; limit: number } {
  return { minCosine: cosineOf(minSimilarity), limit };
}

function matches(found: { faceId: string; externalImageId: string; cosine: number }[]): FaceMatch[] {
  return found.map(({ faceId, externalImageId, cosine }) => ({
    faceId,
    externalImageId,
    similarity: similarityOf(cosine),
  }));
}
