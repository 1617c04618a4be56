/** Remembers uploads in parts that have not ended, so that the next run goes on with them. */

import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";

/** No server knows them for longer. */
const LIFE_MS = 7 * 86_400_000;

export type RememberedFile = { name: string; sha256: string };

export type UploadMemory = {
  recall(file: RememberedFile): Promise<string | undefined>;
  keep(file: RememberedFile, uploadId: string): Promise<void>;
  forget(file: RememberedFile): Promise<void>;
};

/**
 * A file for each, so that two runs at once do not disturb each other. Whatever fails here is no reason not to upload:
 * all that is lost is that a large file may be sent from its beginning. A server that does not know what is remembered
 * begins anew, so that it need not be known which server it was.
 */
export async function openMemory(whose: { event: string; photographer?: string | undefined }): Promise<UploadMemory> {
  const { XDG_STATE_HOME: state } = process.env;
  const folder = path.join(state || path.join(homedir(), ".local", "state"), "snaprace", "uploads");
  await forgetOld(folder).catch(() => {});
  const placeOf = ({ name, sha256 }: RememberedFile) => {
    const what = JSON.stringify([whose.event, whose.photographer ?? null, name, sha256]);
    return path.join(folder, createHash("sha256").update(what).digest("hex"));
  };
  return {
    recall: async (file) => (await readFile(placeOf(file), "utf8").catch(() => "")) || undefined,
    keep: async (file, uploadId) => {
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await writeFile(placeOf(file), uploadId, { mode: 0o600 });
      } catch {}
    },
    forget: async (file) => rm(placeOf(file), { force: true }).catch(() => {}),
  };
}

async function forgetOld(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = path.join(folder, name);
    if ((await stat(place)).mtimeMs < Date.now() - LIFE_MS) await rm(place, { force: true });
  }
}
