/** Memory of the server and its workers while thousands of photos wait. */

import { setTimeout as delay } from "node:timers/promises";
import { drawScene } from "../../tests/pictures/scene.ts";
import { below, count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { openInstallation } from "./installation.ts";
import { withComment } from "./make-files.ts";
import { megabytesOfAll } from "./processes.ts";

const MOST_MEGABYTES = 1500;
const AT_ONCE = 16;
/** Long enough that every worker has looked at many. */
const WATCHED_MS = 60_000;
const LOOK_EVERY_MS = 200;

export async function measureMemory(waiting: number): Promise<Row[]> {
  const { jpeg } = await drawScene({ seed: 5, kind: "plain", width: 1600 });
  const installation = await openInstallation();
  let peak = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      peak = Math.max(peak, megabytesOfAll(installation.pid));
      await delay(LOOK_EVERY_MS);
    }
  })();
  try {
    let next = 0;
    const sender = async () => {
      while (next < waiting) {
        next += 1;
        await installation.upload(`IMG_${next}.jpg`, withComment(jpeg, `${next}`));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sender));
    await delay(WATCHED_MS);
    const { uploaded, processing, done } = await installation.summary();
    progress(`${count(uploaded)} known, ${count(processing)} being worked on or waiting, ${count(done)} done`);
    return [
      figure("photos that wait while memory is looked at", waiting - done, ""),
      below("memory of all processes at its peak", peak, "MB", MOST_MEGABYTES),
    ];
  } finally {
    isOver = true;
    await watching;
    await installation.close();
  }
}
