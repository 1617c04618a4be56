/** What a photo of a camera's size costs: CPU time against the bare models and the plain way, and many at once. */

import type { ModelKey } from "../../src/platform/embedded/vision/models.ts";
import { median, percentile } from "../entry/figures.ts";
import { figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { CAMERA_SIZES, type CameraSize, enlarge, MOST_FACES, pickSamples, type Sample } from "./large-photos.ts";
import { measurePool } from "./pool-speed.ts";
import { readSeen } from "./reading.ts";
import { atMost, type Section } from "./report.ts";
import type { Rig } from "./rig.ts";
import { measureSelfieSearch } from "./selfie-search.ts";
import { cpuMsOf, type ModelTimes, type TimedEye } from "./timed-eye.ts";
import { openWholeImageWay, WHOLE_SIDE, type WholeImageWay } from "./whole-image.ts";

const MOST_CPU_SECONDS = 0.6;

type Cost = { cpuMs: number; models: ModelTimes; plainCpuMs: number; found: number; plainFound: number };
type Ways = { eye: TimedEye; plain: WholeImageWay };

export async function measureSpeed(rig: Rig): Promise<Section[]> {
  const samples = await pickSamples(rig);
  const ways: Ways = { eye: rig.eye, plain: await openWholeImageWay(rig.files) };
  const rows: Row[] = [];
  const files: { name: string; images: Buffer[] }[] = [];
  for (const size of CAMERA_SIZES) {
    const { images, costs } = await timeAll(ways, samples, size);
    files.push({ name: size.name, images });
    const labelled = samples.reduce((sum, { numbers }) => sum + numbers.length, 0);
    rows.push(...rowsOf(size.name, costs, labelled));
    progress(`speed: ${images.length} files of ${size.name}`);
  }
  rows.push(...(await measurePool(rig.settings.modelsFile, files)));
  rows.push(...(await measureSelfieSearch()));
  const about =
    `${samples.length} photos with up to ${MOST_FACES} faces, enlarged, JPEG. CPU time of one core: user and system, ` +
    "so that it says little about what else the machine does meanwhile.";
  return [{ title: "Speed", about, rows, cases: [] }];
}

/** Both ways on one photo, then the next, so that a busy moment weighs on both. */
async function timeAll(ways: Ways, samples: Sample[], size: CameraSize): Promise<{ images: Buffer[]; costs: Cost[] }> {
  const images: Buffer[] = [];
  const costs: Cost[] = [];
  for (const { image, numbers } of samples) {
    const large = await enlarge(image, size);
    // The first look at a size compiles and allocates what the next ones have.
    if (images.length === 0) await timeOne(ways, large, numbers);
    images.push(large);
    costs.push(await timeOne(ways, large, numbers));
  }
  return { images, costs };
}

async function timeOne({ eye, plain }: Ways, image: Buffer, numbers: string[]): Promise<Cost> {
  eye.takeTimes();
  const looked = await cpuMsOf(() => eye.look(image, "everything"));
  const models = eye.takeTimes();
  const plainly = await cpuMsOf(() => plain(image));
  const { width, height } = looked.result;
  return {
    cpuMs: looked.cpuMs,
    models,
    plainCpuMs: plainly.cpuMs,
    found: countFound(numbers, readSeen(looked.result).bibs),
    plainFound: countFound(numbers, readSeen({ width, height, words: plainly.result, faces: [] }).bibs),
  };
}

function countFound(numbers: string[], bibs: { bib: string }[]): number {
  return numbers.filter((number) => bibs.some(({ bib }) => bib === number)).length;
}

function rowsOf(name: string, costs: Cost[], labelled: number): Row[] {
  const seconds = costs.map(({ cpuMs }) => cpuMs / 1000);
  const inModels = costs.map(({ models }) => secondsIn(models));
  const plain = costs.map(({ plainCpuMs }) => plainCpuMs / 1000);
  const ratio = (others: number[]) => median(seconds.map((each, index) => each / (others[index] as number)));
  const sum = (key: "found" | "plainFound") => costs.reduce((total, cost) => total + cost[key], 0);
  return [
    atMost(`speed, ${name}: CPU per photo, median`, median(seconds), "s", MOST_CPU_SECONDS),
    figure(`speed, ${name}: p95`, percentile(Float64Array.from(seconds).sort(), 0.95), "s"),
    figure(`speed, ${name}: inside the models, median`, median(inModels), "s"),
    figure(`speed, ${name}: times the bare models, median`, ratio(inModels), "×"),
    ...modelRows(name, costs),
    figure(`speed, ${name}: whole image at ${WHOLE_SIDE} px, without faces, median`, median(plain), "s"),
    figure(`speed, ${name}: times the whole image's, median`, ratio(plain), "×"),
    figure(`speed, ${name}: labelled numbers found`, sum("found") / labelled, ""),
    figure(`speed, ${name}: by the whole image`, sum("plainFound") / labelled, ""),
  ];
}

function secondsIn(models: ModelTimes): number {
  return [...models.values()].reduce((sum, { cpuMs }) => sum + cpuMs, 0) / 1000;
}

function modelRows(name: string, costs: Cost[]): Row[] {
  const keys = new Set<ModelKey>(costs.flatMap(({ models }) => [...models.keys()]));
  return [...keys].map((key) => {
    const used = costs.flatMap(({ models }) => models.get(key) ?? []);
    const total = (part: "cpuMs" | "runs") => used.reduce((sum, each) => sum + each[part], 0) / costs.length;
    return figure(`speed, ${name}: ${key}, ${total("runs").toFixed(1)} runs per photo`, total("cpuMs") / 1000, "s");
  });
}
