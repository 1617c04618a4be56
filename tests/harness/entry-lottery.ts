/** What tests of lotteries share: its times, the order it must come to, and that nothing shows before it is due. */

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { type DrawItem, drawKey } from "../../src/entry/items.ts";
import type { Scene } from "./entry.ts";
import { HOUR_MS } from "./entry-parts.ts";

export const CUTOFF_MS = HOUR_MS;
export const ANNOUNCED_MS = 2 * HOUR_MS;
export const LOTTERY = { eventType: "LOTTERY", cutoffInMs: CUTOFF_MS, announcedInMs: ANNOUNCED_MS } as const;

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

export async function drawOf({ item, eventId }: Scene): Promise<DrawItem> {
  const draw = await item(drawKey(eventId));
  assert.ok(draw);
  return draw as DrawItem;
}

export async function fileText({ entry }: Scene, key: string): Promise<string | undefined> {
  const found = await entry.draws.get(key);
  if (!found) return undefined;
  const pieces: Uint8Array[] = [];
  for await (const piece of found.body) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

/** The requests in the order of their ranks, as stored. */
export async function storedOrder({ blocks }: Scene): Promise<string[]> {
  return (await blocks("RANK")).flatMap(([, , requestIds]) => (requestIds === true ? [] : requestIds));
}

/** Who must stand where, from the key and the requests alone. */
export async function expectedOrder(scene: Scene, key: string): Promise<string[]> {
  const keyed = (await scene.requests()).map(({ requestId }) => {
    const hash = sha256(`${scene.eventId}\n${requestId}`);
    return { requestId, rankKey: createHmac("sha256", key).update(hash).digest("hex") };
  });
  return keyed.toSorted((a, b) => (a.rankKey < b.rankKey ? -1 : 1)).map(({ requestId }) => requestId);
}

/** No request shows anything of the draw, no place is taken, and nobody was told. */
export async function checkSecret(scene: Scene): Promise<void> {
  for (const request of await scene.requests()) {
    const { status, uiResult, uiPhase, rank, place, resultCode, finishedAt } = request;
    const seen = [status, uiResult, uiPhase, rank, place, resultCode, finishedAt];
    assert.deepEqual(seen, ["QUEUED", "PENDING", "COLLECTING", undefined, undefined, undefined, undefined]);
    assert.deepEqual(await scene.steps(request.requestId), ["RECEIVED QUEUED"]);
  }
  const { capacityTotal, capacityRemaining, placesGiven } = await scene.capacity();
  assert.deepEqual([capacityRemaining, placesGiven], [capacityTotal, 0]);
  assert.deepEqual(await scene.told(), []);
}
