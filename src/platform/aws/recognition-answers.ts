/** Rekognition's answers in the words of the recognition port. */

import type {
  BoundingBox,
  FaceDetail,
  FaceRecord,
  FaceMatch as RekognitionMatch,
  TextDetection,
} from "@aws-sdk/client-rekognition";
import type { Box, Face, FaceMatch, SelfieFace, Word } from "../ports.ts";

/** Lines are left out: they repeat their words, and put a bib together with whatever stands beside it. */
export function wordsOf(detections: TextDetection[]): Word[] {
  return detections.flatMap(({ Type, DetectedText, Confidence = 0, Geometry }) =>
    Type === "WORD" && DetectedText !== undefined
      ? [{ text: DetectedText, confidence: Confidence / 100, box: boxOf(Geometry?.BoundingBox) }]
      : [],
  );
}

export function facesOf(records: FaceRecord[]): Face[] {
  return records.flatMap(({ Face, FaceDetail }) => {
    if (Face?.FaceId === undefined) return [];
    return [{ faceId: Face.FaceId, box: boxOf(Face.BoundingBox), quality: qualityOf({ ...FaceDetail, ...Face }) }];
  });
}

/** The largest first, as Rekognition chooses the one it searches with. */
export function selfieFacesOf(details: FaceDetail[], pictureHeightPixels: number): SelfieFace[] {
  const area = ({ Width = 0, Height = 0 }: BoundingBox = {}) => Width * Height;
  return details
    .toSorted((a, b) => area(b.BoundingBox) - area(a.BoundingBox))
    .map((detail) => ({
      box: boxOf(detail.BoundingBox),
      quality: qualityOf(detail),
      heightPixels: (detail.BoundingBox?.Height ?? 0) * pictureHeightPixels,
    }));
}

/**
 * How sure Rekognition is of the face, times how sharp it is: the first alone is near 100 % for every face that passes
 * its filter, and sharpness alone says nothing of what is sharp.
 */
function qualityOf({ Confidence = 0, Quality }: Pick<FaceDetail, "Confidence" | "Quality">): number {
  return (Confidence / 100) * ((Quality?.Sharpness ?? 0) / 100);
}

export function matchesOf(matches: RekognitionMatch[]): FaceMatch[] {
  return matches.flatMap(({ Face, Similarity = 0 }) =>
    Face?.FaceId !== undefined && Face.ExternalImageId !== undefined
      ? [{ faceId: Face.FaceId, externalImageId: Face.ExternalImageId, similarity: Similarity / 100 }]
      : [],
  );
}

/** The part that lies in the picture: of a face at the edge Rekognition's box goes beyond. */
function boxOf({ Left = 0, Top = 0, Width = 0, Height = 0 }: BoundingBox = {}): Box {
  const [left, top] = [inPicture(Left), inPicture(Top)];
  return { left, top, width: inPicture(Left + Width) - left, height: inPicture(Top + Height) - top };
}

function inPicture(fraction: number): number {
  return Math.min(1, Math.max(0, fraction));
}
