/** What the use cases of photos work with: the engines, what the registry knows, and where each thing is kept. */

import type { Fresh } from "../platform/fresh.ts";
import type { Blobs, Clock, Queue, QueueSettings, Recognition, Table, Workflow } from "../platform/ports.ts";
import type { CreditForPhotos, EventForPhotos } from "../registry/events.ts";

/** On AWS the deployed stage is part of the table's name. */
export const photoTable = (stage: string) => `PhotoService-${stage}`;
export const PHOTO_BUCKET = "snaprace-photos";

type NamedQueue = { name: string; settings: QueueSettings };

/** Carries the object-created messages of the bucket. */
export const uploadQueue: NamedQueue = {
  name: "PhotoUploads",
  settings: { visibilityMs: 60_000, maxReceives: 5 },
};
/** Carries how executions of the workflow ended, where it was not well. */
export const failureQueue: NamedQueue = {
  name: "PhotoFailures",
  settings: { visibilityMs: 60_000, maxReceives: 10 },
};

/** Carries hints that a job is to be worked on; what is lost of them is found by time. */
export const jobQueue: NamedQueue = {
  name: "PhotoJobs",
  settings: { visibilityMs: 60_000, maxReceives: 5 },
};

/** What photos ask of the registry. */
export type PhotoFacts = {
  eventForPhotos(eventId: string): Promise<EventForPhotos | undefined>;
  /** The numbers of the event's runners; none means that it has no list of them. */
  rosterOf(eventId: string): Promise<ReadonlySet<string>>;
  creditForPhotos(photographerId: string): Promise<CreditForPhotos | undefined>;
  /** Whether one of them is. */
  isAssigned(eventId: string, photographerIds: string[]): Promise<boolean>;
};

export type PhotosParts = {
  table: Table;
  bucket: string;
  blobs: Blobs;
  /** What was uploaded and is not yet being worked on. */
  uploads: Queue;
  /** Who works on jobs listens here. */
  jobs: Queue;
  recognition: Recognition;
  clock: Clock;
  facts: PhotoFacts;
  /** Hears of objects that are no photos of ours. */
  onSkip(skipped: { key: string; why: string }): void;
  onError(error: unknown): void;
};

export type Photos = PhotosParts & {
  workflow: Workflow;
  /** As they were a moment ago, for the many photos of one event. */
  events: Fresh<EventForPhotos | undefined>;
  rosters: Fresh<ReadonlySet<string>>;
};
