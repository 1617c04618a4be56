/** The same on the AWS engines, at the speed that local doubles of DynamoDB and SQS allow, with workers killed meanwhile. */

import { dynoxideMissing } from "../../src/platform/contracts/doubles/dynoxide.ts";
import { openAwsInstallation } from "./aws-installation.ts";
import { acceptedPerSecond, latencyOf, retriesOf } from "./figures.ts";
import { checkRows, count, figure, progress, type Report, secondsUntilSettled, tellScene } from "./report.ts";
import { playScene } from "./scene.ts";
import type { Sizes } from "./settings.ts";
import { killRepeatedly } from "./with-kills.ts";

const WORKERS = 2;
const CONNECTIONS = 32;

export async function measureOnAws(report: Report, sizes: Sizes): Promise<void> {
  const missing = dynoxideMissing();
  if (missing) return progress(`No AWS engines here: ${missing}.`);
  const { awsPeople: people, awsPlaces: places, kills } = sizes;
  const installation = await openAwsInstallation(WORKERS);
  try {
    const ask = { people, places, connections: CONNECTIONS };
    const scene = await playScene(installation, ask, () => killRepeatedly(kills, installation.killAndRestartWorker));
    const titled = { title: `AWS engines on doubles: ${count(people)} people, a worker killed ${kills} times`, scene };
    tellScene(titled);
    report.scenes.push(titled);
    report.rows.push(
      figure("AWS engines on doubles: people accepted", acceptedPerSecond(scene.load), "/s"),
      figure("p50, AWS engines on doubles", latencyOf(scene.load.answers).p50, "ms"),
      figure("requests sent again, AWS engines on doubles", retriesOf(scene.load), ""),
      figure("last result after the last 202, AWS engines on doubles", secondsUntilSettled(scene), "s"),
      ...checkRows("AWS engines on doubles", [scene]),
    );
  } finally {
    await installation.close();
  }
}
