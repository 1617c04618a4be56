/** Which model files are used: those of the default manifest, or of one that replaces some of them. Nothing is downloaded. */

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { Problem } from "../../problem.ts";

const ModelEntry = z
  .strictObject({
    name: z.string().min(1),
    /** An installed npm package, in which the file lies; without it, `file` is beside the manifest. */
    package: z.string().optional(),
    file: z.string().min(1),
    /** Of a file that comes with no package. */
    version: z.string().optional(),
    sha256: z.string().regex(/^[0-9a-f]{64}$/, "must be the 64 hex digits of the file's SHA-256"),
    /** Of an embedder: how many numbers a face becomes. */
    dimensions: z.int().positive().multipleOf(16).optional(),
  })
  .readonly();

const MODEL_KEYS = [
  "textDetector",
  "textReader",
  "letters",
  "lineEnds",
  "coveredCharacters",
  "faceDetector",
  "faceLandmarks",
  "faceEmbedder",
] as const;
export type ModelKey = (typeof MODEL_KEYS)[number];
const Manifest = z.strictObject(Object.fromEntries(MODEL_KEYS.map((key) => [key, ModelEntry.optional()])));

export type LoadedModel = {
  key: ModelKey;
  name: string;
  file: string;
  version: string;
  sha256: string;
  dimensions?: number;
};
export type ModelFile = LoadedModel & { bytes: Buffer };
export type ModelFiles = { [key in ModelKey]: ModelFile };

const DEFAULT_MANIFEST = fileURLToPath(new URL("./models.json", import.meta.url));
const require = createRequire(import.meta.url);

/** Reads and checks every file, so that no other weights than those named are ever used. */
export function readModels(manifestFile?: string): ModelFiles {
  const defaults = readManifest(DEFAULT_MANIFEST);
  const replaced = manifestFile === undefined ? {} : readManifest(manifestFile);
  const files = MODEL_KEYS.map((key) => {
    const own = replaced[key];
    const entry = own ?? defaults[key];
    return [
      key,
      readModel(key, entry as z.infer<typeof ModelEntry>, own ? (manifestFile as string) : DEFAULT_MANIFEST),
    ];
  });
  return Object.fromEntries(files);
}

export function described({ bytes: _, ...model }: ModelFile): LoadedModel {
  return model;
}

function readManifest(file: string): z.infer<typeof Manifest> {
  try {
    return Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : (error as Error).message;
    const message = `The manifest of models ${file} can't be used: ${why}`;
    throw new Problem("misconfigured", "models.manifest-invalid", message, { cause: error });
  }
}

function readModel(key: ModelKey, entry: z.infer<typeof ModelEntry>, manifest: string): ModelFile {
  const { folder, version } = entry.package
    ? installed(entry.package)
    : { folder: path.dirname(manifest), version: entry.version ?? "" };
  const file = path.resolve(folder, entry.file);
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const message = `The model "${entry.name}" can't be read from ${file}: run npm install, or correct the manifest.`;
    throw new Problem("misconfigured", "models.missing", message, { cause: error });
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (sha256 !== entry.sha256) {
    const message = `The model "${entry.name}" in ${file} has the checksum ${sha256}, but the manifest says ${entry.sha256}.`;
    throw new Problem("misconfigured", "models.other-checksum", message);
  }
  const { name, dimensions } = entry;
  return { key, name, file, version, sha256, ...(dimensions && { dimensions }), bytes };
}

/** Not by `require.resolve`: a package of weights need not export its package.json. */
function installed(name: string): { folder: string; version: string } {
  for (const modules of require.resolve.paths(name) ?? []) {
    const folder = path.join(modules, name);
    try {
      const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
      return { folder, version: `${name} ${version}` };
    } catch {}
  }
  throw new Problem("misconfigured", "models.missing", `The package ${name} is not installed: run npm install.`);
}
