/** Messages about photos that were given up on find who can see to them, and their way back. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../tests/harness/entry-event.ts";
import { EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene } from "../../tests/harness/photo-scene.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import type { QueueSettings } from "../platform/ports.ts";
import { registryQueues } from "../registry/events.ts";
import { openPhotoDeadLetters, type ShownPhotoLetter } from "./dead-letters.ts";
import { rawKey } from "./object-keys.ts";
import { failureQueue, uploadQueue } from "./photos.ts";

const NOBODYS = { eventId: undefined };
const OTHER = { orgId: "seoul", eventId: "seoul-run" };

const objectCreated = (key: string) => ({ detail: { object: { key } } });
const executionFailed = (ulid: string, rawKey: string) => ({
  detail: { name: `${ulid}-1`, input: JSON.stringify({ rawKey }) },
});

async function open(t: Parameters<typeof openPhotoScene>[0]) {
  const scene = await openPhotoScene(t, { workers: false });
  scene.facts.events.set(OTHER.eventId, { ...PHOTO_EVENT, ...OTHER });
  const dead = openPhotoDeadLetters(scene.photos, scene.engines);
  /** Sends messages and lets nobody handle them. */
  const giveUp = async ({ name, settings }: { name: string; settings: QueueSettings }, bodies: unknown[]) => {
    const queue = scene.engines.queue(name, settings);
    const before = (await queue.depth()).dead;
    await queue.send(bodies.map((body) => (typeof body === "string" ? body : JSON.stringify(body))));
    const consumer = queue.consume(async (messages) =>
      messages.map(({ id }) => ({ id, reason: "broken", retryInMs: 0 })),
    );
    await until(async () => (await queue.depth()).dead === before + bodies.length);
    await consumer.stop();
  };
  const list = async (owner: { eventId: string | undefined }) => (await dead.list(owner, { limit: 50 })).items;
  return { ...scene, dead, giveUp, list };
}

const told = (letters: ShownPhotoLetter[]) =>
  letters.map(({ queue, eventId, key, ulid, status, reason }) => [queue, eventId, key, ulid, status, reason]);

test("about an event's objects are its organizers', with how the upload stands", async (t) => {
  const { add, giveUp, list, dead, photos } = await open(t);
  const { ulid } = await add({ fileName: "IMG_1.jpg" });
  const key = rawKey(EVENT, "IMG_1.jpg");
  await giveUp(uploadQueue, [objectCreated(key), objectCreated(rawKey(OTHER, "a.jpg"))]);
  await giveUp(failureQueue, [executionFailed(ulid, key)]);
  const letters = await list(EVENT);
  assert.deepEqual(told(letters).sort(), [
    ["PhotoFailures", EVENT.eventId, key, ulid, "DONE", "broken"],
    ["PhotoUploads", EVENT.eventId, key, null, null, "broken"],
  ]);
  assert.deepEqual(await list(NOBODYS), []);
  const [{ id = "" } = {}] = letters;
  assert.deepEqual(await dead.read(EVENT, id), letters[0]);
  await refusedWith("dead-letter.not-found", dead.read(OTHER, id));
  assert.equal(await dead.redrive(OTHER, [id]), 0);
  assert.equal(await dead.redrive(EVENT, [id]), 1);
  assert.equal(await dead.redrive(EVENT), 1);
  assert.deepEqual(await list(EVENT), []);
  assert.equal((await list(OTHER)).length, 1);
  assert.equal((await photos.uploads.depth()).waiting, 1);
});

test("about nobody's objects, and of the registry, are the operators'", async (t) => {
  const { giveUp, list, dead, facts } = await open(t);
  const strange = [
    "no JSON",
    "[]",
    objectCreated("somewhere/else.jpg"),
    objectCreated(rawKey({ orgId: "not-theirs", eventId: EVENT.eventId }, "a.jpg")),
    objectCreated(rawKey(EVENT, "a.jpg")),
  ];
  await giveUp(uploadQueue, strange);
  await giveUp(failureQueue, [{ detail: { name: 7, input: "{" } }]);
  await giveUp(registryQueues.photos, [{ type: "event.removed", eventId: EVENT.eventId }]);
  assert.equal((await list(EVENT)).length, 1);
  const nobodys = await list(NOBODYS);
  const queues = nobodys.map(({ queue }) => queue).sort();
  const ups = Array.from({ length: 4 }, () => "PhotoUploads");
  assert.deepEqual(queues, ["PhotoFailures", ...ups, "RegistryMessagesForPhotos"]);
  facts.events.delete(EVENT.eventId);
  assert.equal((await list(NOBODYS)).length, 7);
  assert.equal(await dead.redrive(NOBODYS), 7);
  assert.deepEqual(await list(NOBODYS), []);
});
