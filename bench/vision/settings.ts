/** Which parts run, on what and on how much of it, from the environment: see bench/vision.bench.ts. */

import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export type Settings = {
  /** Race photos with a truth.json; nothing if the folder is not there. */
  bibsFolder: string | undefined;
  /** A folder of pictures per person; nothing if it is not there. */
  facesFolder: string | undefined;
  modelsFile: string | undefined;
  pageFile: string;
  /** One in so many photos and people is looked at. */
  oneIn: number;
  /** Drawn of each kind of bib. */
  scenes: number;
  firstSeed: number;
  isDrawn(kind: string): boolean;
  /** Large files that are timed, of each size. */
  timedPhotos: number;
  isWanted(part: string): boolean;
};

const DATA_FOLDER = fileURLToPath(new URL("../../../shared/data", import.meta.url));

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { SNAPRACE_BIBS, SNAPRACE_FACES, MODELS, PAGE, QUICK, SCENES, SEED, KINDS, ONLY } = environment;
  const only = ONLY?.split(",");
  const kinds = KINDS?.split(",");
  return {
    bibsFolder: folderThere(SNAPRACE_BIBS || join(DATA_FOLDER, "bibs"), "truth.json"),
    facesFolder: folderThere(SNAPRACE_FACES || join(DATA_FOLDER, "faces"), "."),
    modelsFile: MODELS ? resolve(MODELS) : undefined,
    pageFile: resolve(PAGE || join(tmpdir(), "snaprace-bench-vision.html")),
    oneIn: QUICK ? 5 : 1,
    scenes: SCENES ? Number(SCENES) : QUICK ? 2 : 12,
    firstSeed: SEED ? Number(SEED) : 1,
    isDrawn: (kind) => kinds === undefined || kinds.includes(kind),
    timedPhotos: QUICK ? 4 : 16,
    isWanted: (part) => only === undefined || only.includes(part),
  };
}

function folderThere(folder: string, mustHold: string): string | undefined {
  return existsSync(join(folder, mustHold)) ? folder : undefined;
}
