/** Opens the engines the configuration names; only their code is loaded, so one machine never pays for AWS. */

import type { Engines } from "../platform/ports.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";

/** `serveBlob` answers signed URLs that lead back to this server; on AWS they lead to S3. */
export type OpenedEngines = { engines: Engines; serveBlob?: (request: Request) => Promise<Response> };

export async function openEngines(config: Config, log: Log): Promise<OpenedEngines> {
  const onError = (error: unknown) => log.error({ err: error }, "engine failed in the background");
  if (config.engines === "aws") {
    const { openAwsEngines } = await import("../platform/aws/engines.ts");
    const { stateMachineArnPrefix } = config;
    return { engines: openAwsEngines({ onError, ...(stateMachineArnPrefix && { stateMachineArnPrefix }) }) };
  }
  const { openEmbeddedEngines } = await import("../platform/embedded/engines.ts");
  const { dataFolder, publicUrl } = config;
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl, onError });
  return { engines, serveBlob: engines.serveBlob };
}
