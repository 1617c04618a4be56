/** Opens the engines the configuration names; only their code is loaded, so one machine never pays for AWS. */

import type { EmbeddedEngines } from "../platform/embedded/engines.ts";
import type { Engines, Letter } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import type { Config } from "./config.ts";
import type { Log } from "./log.ts";
import type { Watched } from "./metrics.ts";

export type OpenedEngines = {
  engines: Engines;
  /** Signs tokens. */
  secret: Uint8Array;
  /** What is there on one machine only. */
  embedded?: EmbeddedEngines;
  /** Answers signed URLs that lead back to this server; on AWS they lead to S3. */
  serveBlob?: (request: Request) => Promise<Response>;
  /** What to show of this set of engines beside what every set has. */
  watched: Watched<string>[];
};

export async function openEngines(
  config: Config,
  log: Log,
  onLetter: (letter: Letter) => void = () => {},
): Promise<OpenedEngines> {
  const onError = (error: unknown) => log.error({ err: error }, "engine failed in the background");
  if (config.engines === "aws") return openOnAws(config, onError);
  const { openEmbeddedEngines } = await import("../platform/embedded/engines.ts");
  const { dataFolder, publicUrl, smtpUrl, mailFrom, vision } = config;
  const embedded = await openEmbeddedEngines({
    dataFolder,
    publicUrl,
    vision,
    onError,
    onLetter,
    holdWorkflows: true,
    ...(smtpUrl && { smtp: { url: smtpUrl, from: mailFrom } }),
  });
  return {
    engines: embedded,
    embedded,
    secret: config.secret ?? embedded.secret,
    serveBlob: embedded.serveBlob,
    watched: [storeCounts(embedded.counts), visionCounts(embedded.recognition.counts)],
  };
}

async function openOnAws(config: Config, onError: (error: unknown) => void): Promise<OpenedEngines> {
  if (!config.secret) throw missing("SNAPRACE_SECRET", "`openssl rand -hex 32` makes one");
  const { openAwsEngines } = await import("../platform/aws/engines.ts");
  const { stateMachineArnPrefix, mailFrom } = config;
  const engines = openAwsEngines({ onError, mailFrom, ...(stateMachineArnPrefix && { stateMachineArnPrefix }) });
  return { engines, secret: config.secret, watched: [] };
}

export function missing(variable: string, hint: string): Problem {
  return new Problem("misconfigured", "config.missing", `On AWS ${variable} must be set: ${hint}.`);
}

function visionCounts(counts: () => Record<"workers" | "busy" | "waiting" | "restarts", number>): Watched<"kind"> {
  return {
    name: "snaprace_vision",
    help: "Workers that look at photos, those that do so now, photos that wait, and workers replaced since the start.",
    labels: ["kind"],
    read: async () => Object.entries(counts()).map(([kind, value]) => ({ labels: { kind }, value })),
  };
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
