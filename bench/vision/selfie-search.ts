/** How long a selfie's search takes among a hundred thousand faces, and how long the first one waits for the disk. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FaceIndex, openFaceIndex } from "../../src/platform/embedded/vision/face-index.ts";
import { Random } from "../../tests/simulation/random.ts";
import { median } from "../entry/figures.ts";
import { below, count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";

const FACES = 100_000;
const FACES_AT_ONCE = 2000;
const SEARCHES = 20;
const MOST_MS = 50;
const COLLECTION = "faces";
const ASK = { minCosine: 0.1, limit: 100 };
const MODEL = { name: "random", dimensions: 512 };

export async function measureSelfieSearch(): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-faces-"));
  const random = new Random(5);
  try {
    const filled = await openFaceIndex({ folder, model: MODEL });
    await fill(filled, random).finally(() => filled.close());
    const index = await openFaceIndex({ folder, model: MODEL });
    try {
      const loadMs = await searchMs(index, random);
      const times: number[] = [];
      for (let n = 0; n < SEARCHES; n += 1) times.push(await searchMs(index, random));
      progress(`speed: ${SEARCHES} searches among ${count(FACES)} faces`);
      return [
        below(`speed: selfie search among ${count(FACES)} faces, median`, median(times), "ms", MOST_MS),
        figure("speed: the first one, which loads them", loadMs, "ms"),
      ];
    } finally {
      await index.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fill(index: FaceIndex, random: Random): Promise<void> {
  for (let first = 0; first < FACES; first += FACES_AT_ONCE) {
    const faces = Array.from({ length: FACES_AT_ONCE }, (_, n) => ({
      faceId: `face-${first + n}`,
      externalImageId: `photo-${(first + n) >> 1}`,
      embedding: unitVector(random),
    }));
    await index.add(COLLECTION, faces);
  }
}

async function searchMs(index: FaceIndex, random: Random): Promise<number> {
  const embedding = unitVector(random);
  const startedAt = performance.now();
  await index.search(COLLECTION, embedding, ASK);
  return performance.now() - startedAt;
}

function unitVector(random: Random): Float32Array {
  const raw = Float32Array.from({ length: MODEL.dimensions }, () => random.fraction() - 0.5);
  const length = Math.hypot(...raw);
  return raw.map((value) => value / length);
}
