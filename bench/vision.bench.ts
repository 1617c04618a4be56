/**
 * How well and how fast bibs and faces are found, on photos with truth and on drawn scenes. In the environment:
 * ONLY=bibs,faces,trouble,speed for some parts, QUICK=1 for small ones, SCENES=N for so many drawn scenes of each kind, SEED=N for
 * others than those from seed 1 on, KINDS=hidden,wrinkled for some kinds,
 * MODELS=FILE for a manifest of other models, PAGE=FILE for where the page with all mistakes goes, and SNAPRACE_BIBS and
 * SNAPRACE_FACES for the folders of photos with truth.
 */

import sharp from "sharp";
import { progress } from "./entry/report.ts";
import type { Benchmark } from "./run.ts";
import { measureBibs } from "./vision/bibs.ts";
import { measureFaces } from "./vision/faces.ts";
import { writePage } from "./vision/page.ts";
import type { Section } from "./vision/report.ts";
import type { Rig } from "./vision/rig.ts";
import { readSettings } from "./vision/settings.ts";
import { measureSpeed } from "./vision/speed.ts";
import { tellModels } from "./vision/tell-models.ts";
import { openTimedEye } from "./vision/timed-eye.ts";
import { measureTrouble } from "./vision/trouble.ts";

const PARTS: { [name: string]: (rig: Rig) => Promise<Section[]> } = {
  bibs: measureBibs,
  faces: measureFaces,
  trouble: measureTrouble,
  speed: measureSpeed,
};

export async function run(): Promise<Benchmark> {
  const settings = readSettings(process.env);
  // As in a worker: what is measured is the work of one core.
  sharp.concurrency(1);
  sharp.cache(false);
  const models = tellModels(settings.modelsFile);
  const rig: Rig = { settings, eye: await openTimedEye(models.files), files: models.files, looks: new Map() };
  const sections: Section[] = [];
  for (const [name, measure] of Object.entries(PARTS)) {
    if (settings.isWanted(name)) sections.push(...(await measure(rig)));
  }
  await writePage(settings.pageFile, models.lines, sections);
  progress(`The page with all mistakes is ${settings.pageFile}`);
  return { name: "vision", rows: sections.flatMap(({ rows }) => rows) };
}
