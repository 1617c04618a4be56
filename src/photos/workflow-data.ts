/** What goes through the workflow from state to state, parsed at each entrance. */

import { z } from "zod";
import { EventId, OrganizationId, PhotographerId } from "../platform/ids.ts";
import type { Value } from "../platform/ports.ts";
import { PhotoId } from "./photo-id.ts";

export const WorkflowInput = z.object({
  orgId: OrganizationId,
  eventId: EventId,
  bucketName: z.string(),
  rawKey: z.string(),
  photographerId: PhotographerId.optional(),
});
export type WorkflowInput = z.infer<typeof WorkflowInput>;

/** What PreprocessImage gives, and every later state gets. */
export const PreprocessedPhoto = WorkflowInput.extend({
  ulid: PhotoId,
  processedKey: z.string(),
  thumbnailKey: z.string(),
  thumbhash: z.string(),
  dimensions: z.object({ width: z.int(), height: z.int() }),
  format: z.string(),
  size: z.int(),
  sha256: z.string(),
  takenAt: z.string().optional(),
  camera: z
    .object({ make: z.string().optional(), model: z.string().optional(), lens: z.string().optional() })
    .optional(),
  createdAt: z.iso.datetime(),
  duplicateOf: PhotoId.optional().meta({ description: "The photo whose bytes these are." }),
});
export type PreprocessedPhoto = z.infer<typeof PreprocessedPhoto>;

const Box = z.object({ left: z.number(), top: z.number(), width: z.number(), height: z.number() });

const DetectTextResult = z.object({
  bibs: z.array(z.string()).meta({ description: "As read from the words alone, before faces are known." }),
  rawText: z.array(
    z.object({
      text: z.string(),
      confidence: z.number(),
      box: Box,
      cut: z.object({ start: z.boolean(), end: z.boolean(), inside: z.array(z.int()).exactOptional() }).exactOptional(),
    }),
  ),
  confidence: z.number().meta({ description: "Of the surest bib." }),
});
export type DetectTextResult = z.infer<typeof DetectTextResult>;

const IndexFacesResult = z.object({
  faceIds: z.array(z.string()),
  faceCount: z.int(),
  faces: z.array(z.object({ faceId: z.string(), box: Box, quality: z.number() })).default([]),
  indexedAt: z.iso.datetime().optional().meta({ description: "When it began: faces forgotten later are not there." }),
});
export type IndexFacesResult = z.infer<typeof IndexFacesResult>;

export const AnalyzedPhoto = PreprocessedPhoto.extend({
  detectTextResult: DetectTextResult,
  indexFacesResult: IndexFacesResult,
  detectTextError: z.unknown().optional(),
  indexFacesError: z.unknown().optional(),
});
export type AnalyzedPhoto = z.infer<typeof AnalyzedPhoto>;

/** Step Functions carries JSON: what is undefined is not there. */
export function asValue(data: object): Value {
  return JSON.parse(JSON.stringify(data)) as Value;
}
