/** Looks at pictures with the models: what text they show, and which faces. */

import type { Box, Word } from "../../ports.ts";
import { toBox, wholeOf } from "./areas.ts";
import { type DetectedFace, detectFaces } from "./face-detector.ts";
import { type AlignedFace, alignFace, embedFace, type FaceModels } from "./face-embedder.ts";
import { faceQuality, selfieQuality } from "./face-quality.ts";
import { findWords, type TextModels } from "./find-words.ts";
import type { ModelFiles } from "./models.ts";
import { openPicture } from "./picture.ts";
import type { Pyramid } from "./raster.ts";
import { type Model, openModel } from "./session.ts";

type PlainFace = { box: Box; heightPixels: number; quality: number };
export type SeenFace = PlainFace & { embedding: Float32Array };
export type Seen = {
  width: number;
  height: number;
  words: Word[];
  faces: SeenFace[];
  /** Where only the largest was wanted: what other faces there surely are, the largest first. */
  others?: PlainFace[];
};
/** Text takes most of the time, faces take more the more there are: a selfie needs but its largest. */
export type LookFor = "everything" | "faces" | "largest-face";

export type Eye = { look(image: Uint8Array, lookFor: LookFor): Promise<Seen> };

/** Below it the detector sees faces in leaves and folds; a torso too many costs time and no accuracy. */
const MIN_FACE_SCORE = 0.6;
const SURE_FACE_SCORE = 0.9;

/** For faces only, it goes without the models for text, and must not be asked for everything. */
export async function openEye(files: ModelFiles, { facesOnly = false } = {}): Promise<Eye> {
  const faceDetector = await openModel(files.faceDetector.bytes);
  const faces: FaceModels = {
    landmarks: await openModel(files.faceLandmarks.bytes),
    // 30 ms a face instead of 75; the others take up to four times as long that way.
    embedder: await openModel(files.faceEmbedder.bytes, "extended"),
  };
  const text = facesOnly ? undefined : await openTextModels(files);
  return { look: (image, lookFor) => look({ faceDetector, faces, text }, image, lookFor) };
}

export async function openTextModels(files: ModelFiles): Promise<TextModels> {
  return {
    detector: await openModel(files.textDetector.bytes),
    reader: {
      model: await openModel(files.textReader.bytes),
      letters: lettersOf(files.letters.bytes.toString("utf8")),
    },
    lineEnds: await openModel(files.lineEnds.bytes),
    coveredCharacters: await openModel(files.coveredCharacters.bytes),
  };
}

/** The model's first class is "nothing", its last a space. */
function lettersOf(file: string): string[] {
  return ["", ...file.replace(/\n$/, "").split("\n"), " "];
}

type Models = { faceDetector: Model; faces: FaceModels; text: TextModels | undefined };

async function look(models: Models, image: Uint8Array, lookFor: LookFor): Promise<Seen> {
  const picture = await openPicture(image);
  const detected = await detectFaces(models.faceDetector, picture, wholeOf(picture), MIN_FACE_SCORE);
  const { width, height } = picture;
  if (lookFor === "largest-face") return { width, height, words: [], ...(await seeLargest(models, picture, detected)) };
  const faces: SeenFace[] = [];
  for (const face of detected) faces.push(await seeFace(models.faces, picture, face));
  if (lookFor === "faces") return { width, height, words: [], faces };
  if (!models.text) throw new Error("This eye was opened for faces only.");
  return { width, height, words: await findWords(models.text, picture, detected), faces };
}

/** What may be no face at all is never the largest one beside a face that is, nor one of several. */
async function seeLargest({ faces: models }: Models, picture: Pyramid, detected: DetectedFace[]) {
  const sure = detected.filter(({ score }) => score >= SURE_FACE_SCORE);
  const bySize = (sure.length > 0 ? sure : detected).toSorted((a, b) => b.width * b.height - a.width * a.height);
  const plain = (face: DetectedFace, aligned: AlignedFace) => plainFace(picture, face, selfieQuality(face, aligned));
  const faces: SeenFace[] = [];
  const others: PlainFace[] = [];
  for (const [index, face] of bySize.entries()) {
    if (index > 0) {
      others.push(plain(face, await alignFace(models.landmarks, picture, face)));
      continue;
    }
    const embedded = await embedFace(models, picture, face);
    faces.push({ ...plain(face, embedded), embedding: embedded.embedding });
  }
  return { faces, others };
}

async function seeFace(models: FaceModels, picture: Pyramid, face: DetectedFace): Promise<SeenFace> {
  const { embedding, landmarks } = await embedFace(models, picture, face);
  return { ...plainFace(picture, face, faceQuality(face, landmarks)), embedding };
}

function plainFace(picture: Pyramid, face: DetectedFace, quality: number): PlainFace {
  return { box: toBox(face, picture), heightPixels: face.height, quality };
}
