/** Where drawn photos go: a file each in the folder for them, none of them in place of a photo. */

import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { storageProblem } from "../../platform/embedded/storage-problem.ts";
import { Problem } from "../../platform/problem.ts";

/** Makes the folder, and gives a file in it for each photo. */
export async function planDrawings(photos: string[], folder: string): Promise<string[]> {
  const made = await makeFolder(folder);
  const origins = new Set(photos.map((photo) => path.dirname(path.resolve(photo))));
  for (const origin of origins) {
    if ((await realpath(origin).catch(() => undefined)) === made) throw sameFolder(folder);
  }
  const taken = new Set<string>();
  return photos.map((photo) => path.join(folder, freeName(path.parse(photo).name, taken)));
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    throw storageProblem(error, folder) ?? error;
  }
}

/** Photos of two cameras may have the same name; some file systems take A.jpg and a.jpg for one. */
function freeName(name: string, taken: Set<string>): string {
  let free = `${name}.jpg`;
  for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${name}-${n}.jpg`;
  taken.add(free.toLowerCase());
  return free;
}

function sameFolder(folder: string): Problem {
  const sentence = `Photos would be overwritten in ${folder}. Give --draw a folder of its own.`;
  return new Problem("conflict", "draw.same-folder", sentence);
}
