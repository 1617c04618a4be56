/** What an organizer watches: a burst of entrants, a lottery, photos good and bad, and messages that were given up on. */

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { requestQueue } from "../../src/entry/entry.ts";
import { rawKey } from "../../src/photos/object-keys.ts";
import { uploadQueue } from "../../src/photos/photos.ts";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import type { QueueSettings } from "../../src/platform/ports.ts";
import { type Api, openPages, type PagesScene, type Visit } from "../harness/pages.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { drawScene } from "../pictures/scene.ts";

/** One for each visit: an address gets only so many codes in a quarter of an hour. */
const EMAILS = Array.from({ length: 12 }, (_, i) => `organizer-${i + 1}@example.com`);
export const HOSTILE = "<img src=x onerror=alert(1)>";
const SETTINGS = { SNAPRACE_RATE_LIMIT: "100000" };
const AT_ONCE = 25;
const PATIENCE_MS = 60_000;

type VisitOptions = NonNullable<Parameters<PagesScene["visit"]>[0]>;

export type DashboardScene = PagesScene & {
  orgId: string;
  organizer: Api;
  visitAsOrganizer(options?: Omit<VisitOptions, "email">): Promise<Visit>;
  /** So many entrants, some at a time, as fast as the server takes them. */
  burst(eventId: string, entrants: number): Promise<void>;
  /** A roster, photos of all its runners but one, and a file that breaks off in the middle. Answers the photos' bibs. */
  uploadPhotos(eventId: string, count: number, broken: string): Promise<string[]>;
  /** The same server again at the same address, without workers: nothing happens by itself any more. */
  restartIdle(whileStopped: () => Promise<void>): Promise<void>;
};

export async function openDashboard(): Promise<DashboardScene> {
  const scene = await openPages(SETTINGS);
  const branding = { accentColor: "#1c5bd9" };
  const { orgId, organizer } = await scene.makeOrganization({
    name: "Han River Runners",
    branding,
    organizers: EMAILS,
  });
  let visits = 0;
  let idle: RunningServer | undefined;
  return {
    ...scene,
    orgId,
    organizer,
    visitAsOrganizer: async (options = {}) => {
      const visit = await scene.visit({ ...options, email: EMAILS[visits++] ?? "" });
      visit.context.setDefaultTimeout(PATIENCE_MS);
      return visit;
    },
    burst: (eventId, entrants) => burst(scene, eventId, entrants),
    uploadPhotos: (eventId, count, broken) => uploadPhotos(organizer, eventId, count, broken),
    restartIdle: async (whileStopped) => {
      await scene.server.stop();
      await whileStopped();
      const { port } = new URL(scene.server.url);
      const { dataFolder } = scene;
      idle = await startServer({ dataFolder, ...SETTINGS, PORT: port, SNAPRACE_WORKERS: "off" });
    },
    close: async () => {
      await idle?.stop();
      await scene.close();
    },
  };
}

async function burst(scene: PagesScene, eventId: string, entrants: number): Promise<void> {
  let next = 0;
  const enter = async () => {
    while (next < entrants) {
      next += 1;
      await scene.as({ userId: `runner-${next}` })("POST", `/events/${eventId}/participations`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, enter));
}

async function uploadPhotos(organizer: Api, eventId: string, count: number, broken: string): Promise<string[]> {
  const drawn = await Promise.all(
    Array.from({ length: count }, (_, i) => drawScene({ seed: 21 + i, kind: "plain", width: 900 })),
  );
  const bibs = drawn.flatMap(({ truth }) => truth.bibs.map(({ number }) => number));
  // One more than there are photos, so that coverage is not whole.
  await organizer("POST", `/admin/events/${eventId}/runners/import`, ["bib", ...bibs, "9999"].join("\n"));
  const good = drawn.map(({ jpeg }, i) => ({ name: `IMG_${1001 + i}.jpg`, bytes: jpeg }));
  const half = drawn[0]?.jpeg.subarray(0, Math.floor(drawn[0].jpeg.length / 2)) ?? Buffer.alloc(0);
  const files = [...good, { name: broken, bytes: half }];
  const asked = files.map(({ name, bytes }) => ({ name, sizeBytes: bytes.length, contentType: "image/jpeg" }));
  const { items } = await organizer("POST", `/events/${eventId}/uploads`, { files: asked });
  for (const [i, { upload, ...rest }] of items.entries()) {
    assert.ok(upload, JSON.stringify(rest));
    const { url, method, headers } = upload;
    const answer = await fetch(url, { method, headers, body: new Uint8Array(files[i]?.bytes ?? []) });
    assert.ok(answer.ok, await answer.text());
  }
  return bibs;
}

/** Messages that are handed out until they are given up on; the data folder must be nobody's at that time. */
export async function giveUpOn(
  { dataFolder, orgId }: DashboardScene,
  {
    entry,
    photos,
  }: { entry: { eventId: string; requestId: string }[]; photos: { eventId: string; fileName: string }[] },
): Promise<void> {
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1", holdWorkflows: true });
  const giveUp = async ({ name, settings }: { name: string; settings: QueueSettings }, bodies: object[]) => {
    const queue = engines.queue(name, settings);
    await queue.send(bodies.map((body) => JSON.stringify(body)));
    const consumer = queue.consume(async (messages) =>
      messages.map(({ id }) => ({ id, reason: "The disk was full.", retryInMs: 0 })),
    );
    await until(async () => (await queue.depth()).dead >= bodies.length);
    await consumer.stop();
  };
  await giveUp(
    requestQueue,
    entry.map((names) => ({ type: "participation.requested", ...names })),
  );
  const keys = photos.map(({ eventId, fileName }) => rawKey({ orgId, eventId }, fileName));
  await giveUp(
    uploadQueue,
    keys.map((key) => ({ detail: { object: { key } } })),
  );
  await engines.close();
}

export async function until(look: () => Promise<boolean>): Promise<void> {
  for (const endAt = Date.now() + PATIENCE_MS; Date.now() < endAt; await delay(50)) if (await look()) return;
  throw new Error(`After ${PATIENCE_MS} ms it was still not so: ${look}`);
}
