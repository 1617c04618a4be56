/** A worker process of the embedded Recognition: loads the models once, then looks at one picture after the other. */

import { type LookFor, openEye, type Seen } from "./eye.ts";
import { described, type LoadedModel, readModels } from "./models.ts";
import { serveJobs } from "./process-pool-worker.ts";

export type VisionJob = { image: Uint8Array; lookFor: LookFor };

/** What the worker is for, its first argument; a manifest of other models may follow. */
export type WorkerDuty = "photos" | "selfies";

serveJobs<VisionJob, Seen, LoadedModel[]>(async () => {
  // One thread for pixels as for inference: there are as many workers as cores.
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  const [duty, manifest] = process.argv.slice(2) as [WorkerDuty, string?];
  const files = readModels(manifest);
  const eye = await openEye(files, { facesOnly: duty === "selfies" });
  return { ready: Object.values(files).map(described), run: ({ image, lookFor }) => eye.look(image, lookFor) };
});
