/** The items of the table PhotoService: their keys, and what is in them. */

import type { Box, Item, Key } from "../platform/ports.ts";
import type { EventPlace } from "./object-keys.ts";

/** Why a photo shows up for a bib. */
export type LinkedBy = "TEXT";

export type SeenBib = { bib: string; box: Box; confidence: number /** Place in `faces`. */; face?: number };
export type SeenPartialBib = { text: string; box: Box; confidence: number; face?: number };
/** The id goes when the event's faces are forgotten. */
export type SeenFace = { faceId?: string; box: Box; quality: number };

/** Times are ISO 8601. */
export type PhotoItem = Item & {
  EntityType: "PHOTO";
  ulid: string;
  orgId: string;
  eventId: string;
  originalFilename: string;
  /** Other names under which the same file came. */
  alsoUploadedAs?: string[];
  rawKey: string;
  processedKey: string;
  thumbnailKey: string;
  s3Uri: string;
  thumbhash: string;
  dimensions: { width: number; height: number };
  format: string;
  /** Of the original, in bytes. */
  size: number;
  sha256: string;
  takenAt?: string;
  camera?: { make?: string; model?: string; lens?: string };
  bibs: string[];
  bibCount: number;
  seenBibs: SeenBib[];
  partialBibs: SeenPartialBib[];
  links: { bib: string; by: LinkedBy }[];
  faceIds: string[];
  faceCount: number;
  faces: SeenFace[];
  /** What could not be looked at, so that running it again may find more. */
  unread?: ("TEXT" | "FACES")[];
  photographerId?: string;
  photographerHandle?: string;
  photographerDisplayName?: string;
  /** Of the registry's message whose handle and name these are: an older one does not replace them. */
  photographerAsOf?: string;
  createdAt: string;
  updatedAt: string;
};

export type BibIndexItem = Item & {
  EntityType: "BIB_INDEX";
  ulid: string;
  orgId: string;
  eventId: string;
  bib: string;
  createdAt: string;
  linkedBy: LinkedBy;
};

export type UploadStatus = "PROCESSING" | "DONE" | "FAILED" | "DUPLICATE" | "DELETED";

/** How the work on one uploaded object stands; it stays when the photo is deleted, so that nothing brings it back. */
export type UploadItem = Item & {
  EntityType: "UPLOAD";
  ulid: string;
  orgId: string;
  eventId: string;
  rawKey: string;
  photographerId?: string;
  status: UploadStatus;
  /** Counts the executions of the workflow for it: each has its own name. */
  attempt: number;
  uploadedAt: string;
  changedAt: string;
  failure?: { code: string; message: string };
  duplicateOf?: string;
  /** What is still to be removed of a deleted photo. */
  toRemove?: { keys: string[]; faceIds: string[] };
  /** The job that last ran it again, which does so once. */
  reprocessedBy?: string;
};

/** The first upload of these bytes in the event; `also` are keys of the same bytes that came later. */
export type ContentItem = Item & {
  EntityType: "CONTENT";
  sha256: string;
  ulid: string;
  rawKey: string;
  also: string[];
};

/** In how many photos a bib is, for near misses and for how many runners have one. */
export type BibCountItem = Item & { EntityType: "BIB_COUNT"; bib: string; photos: number };

/** How many uploads of a photographer stand where; several items share the counting, since a transaction locks what it counts in. */
export type CountsItem = Item & { EntityType: "COUNTS" } & { [count in Count]?: number };
export const COUNTS = ["uploaded", "processing", "done", "failed", "duplicate", "withoutBib", "withFaces"] as const;
export type Count = (typeof COUNTS)[number];

/** The event has a collection of faces, which is to go one day. */
export type FacesItem = Item & { EntityType: "FACES"; orgId: string; eventId: string };

export type JobWork =
  | { kind: "REPROCESS"; orgId: string; eventId: string; which: "failed" | "all" }
  | { kind: "FORGET_FACES"; orgId: string; eventId: string; collectionGoneAt?: string }
  | {
      kind: "REMOVE_EVENT";
      orgId: string;
      eventId: string;
      removedAt: string;
      phase: "ITEMS" | "OBJECTS" | "REST";
      rounds: number;
    }
  | { kind: "SYNC_PHOTOGRAPHER"; photographerId: string; handle: string | null; displayName: string; asOf: string };
export type JobKind = JobWork["kind"];

/** Work over many photos, page by page: whoever takes it up goes on where it stopped. */
export type JobItem<Kind extends JobKind = JobKind> = Item & {
  EntityType: "JOB";
  jobId: string;
  startedAt: string;
  /** When it last got on. */
  changedAt: string;
  /** When somebody is to look after it, should nobody have by then. */
  dueAt: string;
  /** Grows with each page, so that of two who work on it one gives way. */
  step: number;
  cursor?: string;
  /** How many photos it looked at, and how many of these it changed. */
  seen: number;
  changed: number;
  finishedAt?: string;
} & Extract<JobWork, { kind: Kind }>;

export const eventPartition = ({ orgId, eventId }: EventPlace) => `ORG#${orgId}#EVT#${eventId}`;

const inEvent =
  (sortKey: (id: string) => string) =>
  (event: EventPlace, id: string): Key => ({ PK: eventPartition(event), SK: sortKey(id) });

export const PHOTO_PREFIX = "PHOTO#";
export const BIB_COUNT_PREFIX = "BIBCOUNT#";
export const COUNTS_PREFIX = "COUNTS#";
export const UPLOAD_PREFIX = "UPLOAD#";
export const CONTENT_PREFIX = "CONTENT#";
export const JOB_PREFIX = "JOB#";
export const photoKey = inEvent((ulid) => `${PHOTO_PREFIX}${ulid}`);
export const uploadKey = inEvent((ulid) => `${UPLOAD_PREFIX}${ulid}`);
export const contentKey = inEvent((sha256) => `${CONTENT_PREFIX}${sha256}`);
export const bibCountKey = inEvent((bib) => `${BIB_COUNT_PREFIX}${bib}`);
/** What a photographer uploads is counted apart from what others do, or from what is nobody's. */
export const countsPrefix = (photographerId = "") => `${COUNTS_PREFIX}${photographerId}#`;
/** The last character of a ULID spreads them over 32 items. */
export const countsKey = (event: EventPlace, upload: { ulid: string; photographerId?: string | undefined }): Key => ({
  PK: eventPartition(event),
  SK: `${countsPrefix(upload.photographerId)}${upload.ulid.slice(-1)}`,
});
export const facesKey = (event: EventPlace): Key => ({ PK: eventPartition(event), SK: "FACES" });
/** An event has one of a kind at a time, and a photographer too. */
export const jobKey = (work: JobWork): Key => ({
  PK: "photographerId" in work ? photographerPartition(work.photographerId) : eventPartition(work),
  SK: `${JOB_PREFIX}${work.kind}`,
});
export const bibIndexKey = (event: EventPlace, bib: string, ulid: string): Key => ({
  PK: eventPartition(event),
  SK: `BIB#${bib}#PHOTO#${ulid}`,
});

/** GSI1: the photos of a bib; of uploads those that are being worked on, that failed, or that leave things to remove. */
export const bibPartition = (eventId: string, bib: string) => `EVT#${eventId}#BIB#${bib}`;
export const uploadsPartition = (eventId: string, status: "PROCESSING" | "FAILED") => `EVT#${eventId}#${status}`;
export const REMOVALS_PARTITION = "PHOTOS#TO_REMOVE";
export const photoSort = (ulid: string) => `${PHOTO_PREFIX}${ulid}`;

/** GSI2: a photographer's photos by event and time; the events that have faces, jobs to be done, uploads to be started. */
export const photographerPartition = (photographerId: string) => `PHOTOGRAPHER#${photographerId}`;
export const photographerSort = (eventId: string, createdAt: string) => `EVT#${eventId}#TIME#${createdAt}`;
export const FACES_PARTITION = "PHOTOS#FACES";
export const JOBS_PARTITION = "PHOTOS#JOBS";
export const STARTS_PARTITION = "PHOTOS#TO_START";
