/** Photos that come to a running server as photographers send them: drawn runners, people, with what cameras write into files. */

import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import sharp from "sharp";
import { drawScene } from "../pictures/scene.ts";

/** Calls below /api, as the harness of the pages gives it. */
// biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the caller expects of it.
type Api = (method: string, path: string, send?: unknown) => Promise<any>;

export type RaceFile = { name: string; bytes: Uint8Array };

const PATIENCE_MS = 90_000;

/** A drawn runner, and the bib that is to be read. */
export async function drawnRunner(seed: number, width = 1000): Promise<{ jpeg: Buffer; bib: string }> {
  const { jpeg, truth } = await drawScene({ seed, kind: "plain", runners: 1, width });
  return { jpeg, bib: truth.bibs[0]?.number ?? "" };
}

/** The same scene a moment later: other pixels, other time. */
export async function shot(picture: Buffer, { at, cut = 0 }: { at: string; cut?: number }): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata();
  return sharp(picture)
    .extract({ left: cut, top: cut, width: width - 2 * cut, height: height - 2 * cut })
    .withExif({ IFD0: { Make: "Canon", Model: "Canon EOS R6" }, IFD2: { DateTimeOriginal: at } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

/** Sends one photo after another, so that they have an order. */
export async function sendPhotos(api: Api, eventId: string, files: RaceFile[], photographerId?: string): Promise<void> {
  for (const { name, bytes } of files) {
    const asked = { name, sizeBytes: bytes.byteLength, contentType: "image/jpeg" };
    const ask = { files: [asked], ...(photographerId && { photographerId }) };
    const { items } = await api("POST", `/events/${eventId}/uploads`, ask);
    assert.equal(items[0].state, "upload", JSON.stringify(items));
    const { url, method, headers } = items[0].upload;
    const answer = await fetch(url, { method, headers, body: new Uint8Array(bytes) });
    assert.ok(answer.ok, await answer.text());
  }
}

/**
 * Waits until so many are there to be seen, and somebody was seen in each. On a machine with much else to do, looking at
 * a photo takes longer than the workflow waits; then it is run again, as an organizer would.
 */
export async function untilRead(api: Api, eventId: string, count: number): Promise<ShownPhoto[]> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { items } = await api("GET", `/events/${eventId}/photos?limit=200`);
    const unread = items.length < count ? items : await withoutAnybody(api, eventId, items);
    if (items.length >= count && unread.length === 0) return items;
    assert.ok(Date.now() < deadline, `${items.length} of ${count} photos are there, ${unread.length} of them unread`);
    await sleep(500);
  }
}

async function withoutAnybody(api: Api, eventId: string, photos: ShownPhoto[]): Promise<ShownPhoto[]> {
  const unread: ShownPhoto[] = [];
  for (const photo of photos.filter(({ bibs }) => bibs.length === 0)) {
    const { faces } = await api("GET", `/events/${eventId}/photos/${photo.ulid}`);
    if (faces.length > 0) continue;
    unread.push(photo);
    // It may be under way by now.
    await api("POST", `/admin/events/${eventId}/photos/${photo.ulid}/reprocess`).catch(() => {});
  }
  return unread;
}

export type ShownPhoto = { ulid: string; fileName: string; bibs: string[] };
