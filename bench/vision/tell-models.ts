/** Says which models are measured, and which of them replace the default ones. */

import { type ModelFiles, readModels } from "../../src/platform/embedded/vision/models.ts";
import { progress } from "../entry/report.ts";

export function tellModels(modelsFile: string | undefined): { files: ModelFiles; lines: string[] } {
  const files = readModels(modelsFile);
  const defaults = modelsFile === undefined ? files : readModels();
  const lines = Object.values(files).map(({ key, name, version, file, sha256 }) => {
    const usual = defaults[key];
    const swapped = usual.sha256 === sha256 ? "" : `, instead of ${usual.name} (${usual.sha256.slice(0, 12)}…)`;
    return `${key}: ${name}, ${version || file}, SHA-256 ${sha256}${swapped}`;
  });
  for (const line of lines) progress(line);
  return { files, lines };
}
