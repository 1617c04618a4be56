/** Scenes of photos on real engines in a folder of their own: one event, photos that come in, and what one wants to know afterwards. */

import assert from "node:assert/strict";
import { after } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fanOut } from "../../src/photos/fan-out.ts";
import { type OpenedPhotos, openPhotos } from "../../src/photos/index.ts";
import { type PhotoItem, photoKey, type UploadItem } from "../../src/photos/items.ts";
import { rawKey } from "../../src/photos/object-keys.ts";
import { photoIdOf } from "../../src/photos/photo-id.ts";
import { beginUpload, findUpload } from "../../src/photos/uploads.ts";
import { type EmbeddedEngines, openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import { openVision, type Vision } from "../../src/platform/embedded/recognition.ts";
import type { Clock, Engines } from "../../src/platform/ports.ts";
import { startWork } from "../../src/platform/queue-work.ts";
import type { CreditForPhotos, EventForPhotos } from "../../src/registry/events.ts";
import { type AddedPhoto, analyzedOf, EVENT, PHOTO_EVENT } from "./photo-samples.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const PATIENCE_MS = 60_000;
const YEAR_MS = 365 * 86_400_000;

/** What the registry says; change it as you like. */
export type SceneFacts = {
  events: Map<string, EventForPhotos>;
  rosters: Map<string, Set<string>>;
  credits: Map<string, CreditForPhotos>;
  /** The photographers of events. */
  assignments: Map<string, Set<string>>;
};

export type PhotoScene = OpenedPhotos & {
  engines: EmbeddedEngines;
  facts: SceneFacts;
  /** What was no photo, and why. */
  skips: { key: string; why: string }[];
  errors: unknown[];
  /** A finished photo without a picture behind it: the fan-out of an upload that said this. */
  add(about?: AddedPhoto): Promise<PhotoItem>;
  /** Puts an object as any S3 client would; answers the photo's id. */
  put(fileName: string, bytes: Uint8Array, metadata?: { [name: string]: string }): Promise<string>;
  photo(ulid: string): Promise<PhotoItem | undefined>;
  upload(ulid: string): Promise<UploadItem | undefined>;
  /** Waits until the work on the upload has ended. */
  settled(ulid: string): Promise<UploadItem>;
};

type Scope = { after(clean: () => Promise<void>): void };

/** One for all scenes of a test file: its models take seconds to load. */
let eyes: Promise<Vision> | undefined;
const cleanups: (() => Promise<void>)[] = [];
// Here and not when it is opened: that happens within a test, and would end with it.
after(async () => {
  await (await eyes)?.close();
  for (const clean of cleanups) await clean();
});

function sharedVision(): Promise<Vision> {
  eyes ??= temporaryFolder({ after: (clean) => void cleanups.push(clean) }).then((folder) =>
    openVision({ folder, workers: 1 }),
  );
  return eyes;
}

/** Faces are remembered beside those of the file's other scenes; `ownFaces` is for who searches them. */
export async function openPhotoScene(
  scope: Scope,
  settings: { clock?: Clock; workers?: boolean; ownFaces?: boolean; engines?: Partial<Engines> } = {},
): Promise<PhotoScene> {
  const { clock, workers = true } = settings;
  const dataFolder = await temporaryFolder(scope);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const publicUrl = "http://127.0.0.1:8080";
  const opened = await openEmbeddedEngines({ dataFolder, publicUrl, onError, ...(clock && { clock }) });
  const recognition = settings.ownFaces ? opened.recognition : await sharedVision();
  const engines: EmbeddedEngines = { ...opened, ...settings.engines, recognition };
  const facts = standingFacts(engines.clock.now());
  const skips: PhotoScene["skips"] = [];
  const photos = openPhotos({
    engines,
    stage: "test",
    facts: {
      eventForPhotos: async (eventId) => facts.events.get(eventId),
      rosterOf: async (eventId) => facts.rosters.get(eventId) ?? new Set(),
      creditForPhotos: async (photographerId) => facts.credits.get(photographerId),
      isAssigned: async (eventId, ids) => ids.some((id) => facts.assignments.get(eventId)?.has(id)),
    },
    onSkip: (skip) => void skips.push(skip),
    onError,
  });
  const consuming = workers ? startWork(engines, photos.work) : undefined;
  scope.after(async () => {
    await consuming?.stop();
    await opened.close();
  });
  return { ...photos, ...deedsOn(photos), engines, facts, skips, errors };
}

function standingFacts(now: number): SceneFacts {
  const event = { ...PHOTO_EVENT, facesUntil: now + YEAR_MS };
  const credit = { photographerId: "minji-kim", handle: "minji.runs", displayName: "Minji Kim Photo" };
  return {
    events: new Map([[EVENT.eventId, event]]),
    rosters: new Map(),
    credits: new Map([["minji-kim", { ...credit, asOf: new Date(now).toISOString() }]]),
    assignments: new Map([[EVENT.eventId, new Set(["minji-kim"])]]),
  };
}

function deedsOn({ photos }: OpenedPhotos): Pick<PhotoScene, "add" | "put" | "photo" | "upload" | "settled"> {
  const { table, clock, blobs, bucket } = photos;
  const photo = async (ulid: string) => (await table.get(photoKey(EVENT, ulid))) as PhotoItem | undefined;
  const upload = (ulid: string) => findUpload(table, { ...EVENT, ulid });
  let added = 0;
  return {
    photo,
    upload,
    add: async (about = {}) => {
      added += 1;
      const analyzed = analyzedOf(bucket, { createdAt: clock.now(), fileName: `IMG_${added}.jpg`, ...about });
      const { orgId, eventId, ulid, rawKey, createdAt: uploadedAt } = analyzed;
      await table.write(beginUpload({ orgId, eventId, ulid, rawKey, uploadedAt }, uploadedAt));
      await fanOut(photos, analyzed);
      return (await table.get(photoKey(analyzed, ulid))) as PhotoItem;
    },
    put: async (fileName, bytes, metadata = {}) => {
      const about = { contentType: "image/jpeg", metadata };
      return photoIdOf(bucket, await blobs.put(rawKey(EVENT, fileName), bytes, about));
    },
    settled: async (ulid) => {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const found = await upload(ulid);
        if (found && found.status !== "PROCESSING") return found;
        assert.ok(Date.now() < deadline, `the upload ${ulid} is ${found?.status ?? "unknown"} after a minute`);
        await delay(20);
      }
    },
  };
}
