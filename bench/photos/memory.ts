/** Memory of the server and its workers while thousands of photos wait, and those worked on are as large as cameras make them. */

import { setTimeout as delay } from "node:timers/promises";
import { drawScene } from "../../tests/pictures/scene.ts";
import { below, count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { openInstallation } from "./installation.ts";
import { type PhotoFile, readPhoto, withComment } from "./make-files.ts";
import { megabytesOfAll } from "./processes.ts";

const MOST_MEGABYTES = 1500;
const AT_ONCE = 16;
/** Long enough that every worker has looked at many. */
const WATCHED_MS = 60_000;
const LOOK_EVERY_MS = 200;
/** What only waits may be small: nobody opens it. */
const WAITING_WIDTH = 640;

/** `large` come first, and must be more than can be worked on meanwhile. */
export async function measureMemory(large: PhotoFile[], waiting: number): Promise<Row[]> {
  const { jpeg } = await drawScene({ seed: 5, kind: "plain", width: WAITING_WIDTH });
  const installation = await openInstallation();
  const watch = watchMemory(installation.pid);
  try {
    let next = 0;
    const sender = async () => {
      while (next < waiting) {
        const index = next++;
        const file = large[index];
        await installation.upload(`IMG_${index}.jpg`, file ? await readPhoto(file) : withComment(jpeg, `${index}`));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    await delay(WATCHED_MS);
    const { uploaded, processing, done } = await installation.summary();
    progress(`${count(uploaded)} known, ${count(processing)} being worked on or waiting, ${count(done)} done`);
    if (done >= large.length) throw new Error(`Only ${large.length} of the ${done} photos worked on were large.`);
    return [
      figure("photos that wait while memory is looked at", waiting - done, ""),
      figure("photos of 12 and 24 megapixels worked on meanwhile", done, ""),
      below("memory of all processes at its peak", await watch.peak(), "MB", MOST_MEGABYTES),
    ];
  } finally {
    await watch.peak();
    await installation.close();
  }
}

/** `peak` ends it. */
function watchMemory(pid: number): { peak(): Promise<number> } {
  let isOver = false;
  const watching = (async () => {
    let peak = 0;
    while (!isOver) {
      peak = Math.max(peak, megabytesOfAll(pid));
      await delay(LOOK_EVERY_MS);
    }
    return peak;
  })();
  return {
    peak: () => {
      isOver = true;
      return watching;
    },
  };
}
