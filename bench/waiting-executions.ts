/** Starts 10,000 executions whose tasks do not end, and prints the process's memory in MB. */

import { openEmbeddedEngines } from "../src/platform/embedded/engines.ts";

const dataFolder = process.argv[2] as string;
const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
const Resource = "arn:aws:lambda:us-east-1:000000000000:function:forever";
const workflow = engines.workflow({
  name: "waiting",
  asl: { StartAt: "Forever", States: { Forever: { Type: "Task", Resource, TimeoutSeconds: 600, End: true } } },
  tasks: { Forever: () => new Promise(() => {}) },
});
const input = { orgId: "org", eventId: "event", bucketName: "photos", rawKey: "org/event/raw/DSC_0001.jpg" };
for (let n = 0; n < 10_000; n += 100) {
  await Promise.all(Array.from({ length: 100 }, (_, m) => workflow.start(`photo-${n + m}`, input)));
}
process.stdout.write(String(process.memoryUsage.rss() / 1e6));
process.exit(0);
