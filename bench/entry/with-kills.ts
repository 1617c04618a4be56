/** Everybody enters while the server, which holds the workers, is killed again and again. */

import { setTimeout as delay } from "node:timers/promises";
import { seededRandom } from "./clicks.ts";
import { latencyOf, median, retriesOf } from "./figures.ts";
import { openInstallation } from "./installation.ts";
import { checkRows, count, figure, type Report, secondsUntilSettled, tellScene } from "./report.ts";
import { type Kill, playScene } from "./scene.ts";
import type { Sizes } from "./settings.ts";

const RATE_PER_SECOND = 1_000;
const SEED = 7;
/** How long it lives between two kills. */
const SHORTEST_LIFE_MS = 200;
const LONGEST_LIFE_MS = 1_500;

export async function measureKills(report: Report, sizes: Sizes): Promise<void> {
  const installation = await openInstallation();
  try {
    const { burstPeople: people, places, kills } = sizes;
    const ask = { people, places, ratePerSecond: RATE_PER_SECOND };
    const scene = await playScene(installation, ask, () => killRepeatedly(kills, installation.killAndRestart));
    const titled = { title: `${count(people)} people, the server killed ${scene.kills.length} times`, scene };
    tellScene(titled);
    report.scenes.push(titled);
    const downMs = scene.kills.map(({ killedAt, upAgainAt }) => upAgainAt - killedAt);
    report.rows.push(
      figure("kill -9 of the server while people enter", scene.kills.length, "kills"),
      figure("from a kill until it answers again", median(downMs), "ms"),
      figure("requests sent again after a cut connection", retriesOf(scene.load), ""),
      figure("p50 with kills", latencyOf(scene.load.answers).p50, "ms"),
      figure("last result after the last 202, with kills", secondsUntilSettled(scene), "s"),
      figure("voided tickets", scene.voided, ""),
      ...checkRows("with kills", [scene]),
    );
  } finally {
    await installation.close();
  }
}

/** Does what it has to do also when everybody has been answered, since settling can be interrupted as well. */
export async function killRepeatedly(kills: number, killAndRestart: () => Promise<void>): Promise<Kill[]> {
  const random = seededRandom(SEED);
  const done: Kill[] = [];
  while (done.length < kills) {
    await delay(SHORTEST_LIFE_MS + random() * (LONGEST_LIFE_MS - SHORTEST_LIFE_MS));
    const killedAt = Date.now();
    await killAndRestart();
    done.push({ killedAt, upAgainAt: Date.now() });
  }
  return done;
}
