/** Opens the engines the configuration names; only their code is loaded, so one machine never pays for AWS. */

import type { Engines } from "../platform/ports.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Watched } from "./metrics.ts";

export type OpenedEngines = {
  engines: Engines;
  /** Answers signed URLs that lead back to this server; on AWS they lead to S3. */
  serveBlob?: (request: Request) => Promise<Response>;
  /** What to show of this set of engines beside what every set has. */
  watched: Watched<string>[];
};

export async function openEngines(config: Config, log: Log): Promise<OpenedEngines> {
  const onError = (error: unknown) => log.error({ err: error }, "engine failed in the background");
  if (config.engines === "aws") {
    const { openAwsEngines } = await import("../platform/aws/engines.ts");
    const { stateMachineArnPrefix } = config;
    const engines = openAwsEngines({ onError, ...(stateMachineArnPrefix && { stateMachineArnPrefix }) });
    return { engines, watched: [] };
  }
  const { openEmbeddedEngines } = await import("../platform/embedded/engines.ts");
  const { dataFolder, publicUrl } = config;
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl, onError });
  return { engines, serveBlob: engines.serveBlob, watched: [storeCounts(engines.counts)] };
}

/** Their ratio is how many writers shared an fsync. */
function storeCounts(counts: () => { writes: number; commits: number }): Watched<"kind"> {
  return {
    name: "snaprace_store_operations",
    help: "Writes to the embedded store and the commits, each with one fsync, that made them durable, since the start.",
    labels: ["kind"],
    read: async () => Object.entries(counts()).map(([kind, value]) => ({ labels: { kind }, value })),
  };
}
