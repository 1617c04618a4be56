/** What tests see of a wall of photos: its tiles, what moved by itself, and what was saved. */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import sharp from "sharp";

const TILE = "a[data-ulid]";

export const tile = (page: Page, place: number): Locator => page.locator(TILE).nth(place);

/** In the order of the page. */
export async function ulidsIn(page: Page): Promise<string[]> {
  return page.locator(TILE).evaluateAll((tiles) => tiles.map((each) => each.getAttribute("data-ulid") ?? ""));
}

/** Waits until so many thumbnails are there for the eye too. */
export async function untilLoaded(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll("a[data-ulid] img[data-loaded]").length >= wanted,
    count,
    { timeout: 30_000 },
  );
  // A picture may be loaded and not yet unpacked.
  await page
    .locator("a[data-ulid] img")
    .evaluateAll((images) => Promise.all(images.map((image) => (image as HTMLImageElement).decode().catch(() => {}))));
}

/** Waits until the open photo is there in full size. */
export async function untilSharp(page: Page): Promise<void> {
  const full = page.locator(".pswp__item[aria-hidden=false] img.pswp__img:not(.pswp__img--placeholder)");
  await full.waitFor();
  await full.evaluate((image) => (image as HTMLImageElement).decode());
}

/** Counts from here on how far things moved without anybody moving them, as browsers measure it. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moved = { sum: 0 };
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) moved.sum += (entry as unknown as { value: number }).value;
    }).observe({ type: "layout-shift", buffered: true } as unknown as { type: "mark" });
  });
}

export const shiftOf = (page: Page) => page.evaluate(() => (window as unknown as { moved: { sum: number } }).moved.sum);

/** Saves what the link leads to, and answers how many files the ZIP has. */
export async function zipCount(page: Page, link: Locator): Promise<number> {
  const saving = page.waitForEvent("download");
  await link.click();
  const saved = await saving;
  assert.match(saved.suggestedFilename(), /\.zip$/);
  const bytes = await readFile(await saved.path());
  const end = bytes.lastIndexOf(Buffer.from("PK\x05\x06", "latin1"));
  assert.ok(end > 0, "it ends as a ZIP does");
  return bytes.readUInt16LE(end + 10);
}

export async function choosePicture(
  page: Page,
  button: Locator,
  picture: { name: string; buffer: Buffer },
): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await button.click();
  await (await choosing).setFiles({ ...picture, mimeType: "image/jpeg" });
}

/** A picture in which there is nobody. */
export const blankWall = () =>
  sharp({ create: { width: 600, height: 600, channels: 3, background: "#b8b2a7" } })
    .jpeg()
    .toBuffer();
