/** A photographer before the upload page: files to send, a folder that stays open over a reload, and what was sent how often. */

import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { type Api, openPages, type PagesScene, type Visit } from "./pages.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export type NamedBytes = { name: string; bytes: Buffer };

/** Small pictures, each unlike the others. */
export function smallPhotos(count: number, prefix = "IMG"): Promise<NamedBytes[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const background = { r: n % 256, g: (n * 7) % 256, b: 255 - (n % 256) };
      const create = { width: 64 + Math.floor(n / 256), height: 48, channels: 3, background } as const;
      const name = `${prefix}_${String(n + 1).padStart(4, "0")}.jpg`;
      return { name, bytes: await sharp({ create }).jpeg().toBuffer() };
    }),
  );
}

export async function until(is: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await is())) {
    assert.ok(Date.now() < deadline, `${what} within a minute`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** How often the server took what, by where it was sent to; parts of a file count each. */
function watchSent(page: Page): Map<string, number> {
  const taken = new Map<string, number>();
  page.on("response", (response) => {
    const { pathname, searchParams } = new URL(response.url());
    if (response.request().method() !== "PUT" || !response.ok()) return;
    const part = searchParams.get("part") ?? searchParams.get("partNumber") ?? "";
    const place = `${pathname}#${part}`;
    taken.set(place, (taken.get(place) ?? 0) + 1);
  });
  return taken;
}

/**
 * A folder of the browser's own file system in place of one that a person would choose in a dialog: its handle can be
 * kept and opened again as any other. Call it before the page is opened.
 */
export async function offerFolder(page: Page, name: string): Promise<void> {
  await page.addInitScript((folder) => {
    window.showDirectoryPicker = async () =>
      (await navigator.storage.getDirectory()).getDirectoryHandle(folder, { create: true });
  }, name);
}

export async function fillFolder(page: Page, folder: string, files: NamedBytes[]): Promise<void> {
  const sent = files.map(({ name, bytes }) => ({ name, base64: bytes.toString("base64") }));
  await page.evaluate(
    async ([into, all]) => {
      const root = await navigator.storage.getDirectory();
      const handle = await root.getDirectoryHandle(into, { create: true });
      for (const { name, base64 } of all) {
        const writable = await (await handle.getFileHandle(name, { create: true })).createWritable();
        await writable.write(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
        await writable.close();
      }
    },
    [folder, sent] as const,
  );
}

type Options = Omit<NonNullable<Parameters<PagesScene["visit"]>[0]>, "email">;
/** `warnings` are those the browser gave before it left the page. */
type UploadVisit = Visit & { sent: Map<string, number>; warnings: string[] };

export type UploadScene = PagesScene & {
  photographerId: string;
  organizer: Api;
  orgId: string;
  /** A folder on disk with these files in it. */
  writeFolder(name: string, files: NamedBytes[]): Promise<string>;
  /** The photographer's own browser, in which a warning about leaving is answered with yes. */
  visitOwn(options?: Options): Promise<UploadVisit>;
  /** A race of its own, to which the photographer is assigned. */
  newRace(settings?: object): Promise<string>;
  /** In it, the upload page of a race. */
  open(eventId: string, options?: Options): Promise<UploadVisit>;
};

export async function openUploads(): Promise<UploadScene> {
  const scene = await openPages();
  const branding = { accentColor: "#0a7d5a" };
  const { orgId, organizer } = await scene.makeOrganization({ name: "Han River Runners", branding });
  const email = "minji@example.com";
  const photographerId = "minji-kim";
  const credit = { displayName: "Minji Kim Photo", instagramHandle: "minji.runs" };
  const photographers = `/admin/organizations/${orgId}/photographers`;
  await organizer("POST", photographers, { photographerId, name: "Minji Kim", email, ...credit });
  const cleanups: (() => Promise<void>)[] = [];
  const folder = await temporaryFolder({ after: (clean) => cleanups.push(clean) });
  const first = await scene.visit({ email });
  const { cookies } = await first.context.storageState();
  await first.context.close();
  const visitOwn = async (options: Options = {}) => {
    const visit = await scene.visit(options);
    // Codes are few: who signed in once is so everywhere.
    await visit.context.addCookies(cookies);
    const warnings: string[] = [];
    visit.page.on("dialog", (dialog) => {
      warnings.push(dialog.type());
      void dialog.accept();
    });
    return { ...visit, warnings, sent: watchSent(visit.page) };
  };
  return {
    ...scene,
    photographerId,
    organizer,
    orgId,
    visitOwn,
    writeFolder: async (name, files) => {
      await mkdir(path.join(folder, name));
      for (const file of files) await writeFile(path.join(folder, name, file.name), file.bytes);
      return path.join(folder, name);
    },
    newRace: async (settings = {}) => {
      const eventId = await scene.makeEvent(organizer, orgId, settings);
      await organizer("PUT", `/admin/events/${eventId}/photographers/${photographerId}`, {});
      return eventId;
    },
    open: async (eventId, options = {}) => {
      const visit = await visitOwn(options);
      await visit.page.goto(`/photographer/events/${eventId}`);
      await visit.page.getByRole("button", { name: /Choose photos|사진 선택/ }).waitFor();
      return visit;
    },
    close: async () => {
      await scene.close();
      for (const clean of cleanups) await clean();
    },
  };
}
