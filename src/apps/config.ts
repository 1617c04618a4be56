/** The environment, parsed once: what may be set, what it is when unset, and the sentence for what is set wrong. */

import { resolve } from "node:path";
import { z } from "zod";
import { Problem } from "../platform/problem.ts";

export type Config = {
  host: string;
  port: number;
  /** Where people reach the server; signed URLs start with it. */
  publicUrl: string;
  dataFolder: string;
  engines: "embedded" | "aws";
  /** On AWS: where the state machines are; a workflow's name completes it. */
  stateMachineArnPrefix?: string;
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
};

const Environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default("127.0.0.1"),
  PORT: z
    .string()
    .regex(/^\d{1,5}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(65_535))
    .default(8080),
  SNAPRACE_PUBLIC_URL: z.string().refine(isOrigin).optional(),
  SNAPRACE_DATA: z.string().default(".snaprace"),
  SNAPRACE_ENGINES: z.enum(["embedded", "aws"]).default("embedded"),
  SNAPRACE_STATE_MACHINES: z
    .string()
    .regex(/^arn:[\w-]+:states:[\w-]+:\d{12}:stateMachine:$/)
    .optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

const RIGHT_VALUES: Record<keyof typeof Environment.shape, string> = {
  HOST: "a host name or an IP address",
  PORT: "a whole number from 1 to 65535",
  SNAPRACE_PUBLIC_URL: "an http or https address without a path, such as https://race.example",
  SNAPRACE_DATA: "the path of a folder",
  SNAPRACE_ENGINES: "embedded or aws",
  SNAPRACE_STATE_MACHINES: "an ARN without a name, such as arn:aws:states:eu-west-1:123456789012:stateMachine:",
  LOG_LEVEL: "fatal, error, warn, info, debug, trace or silent",
};

export function parseConfig(environment: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(withoutEmptyValues(environment));
  if (!parsed.success) throw misconfigured(parsed.error, environment);
  const { HOST: host, PORT: port, SNAPRACE_PUBLIC_URL: publicUrl, SNAPRACE_STATE_MACHINES: arnPrefix } = parsed.data;
  return {
    host,
    port,
    publicUrl: publicUrl ? new URL(publicUrl).origin : localUrl(host, port),
    dataFolder: resolve(parsed.data.SNAPRACE_DATA),
    engines: parsed.data.SNAPRACE_ENGINES,
    ...(arnPrefix && { stateMachineArnPrefix: arnPrefix }),
    logLevel: parsed.data.LOG_LEVEL,
  };
}

/** `PORT= npm start` means the default, as it does in shells. */
function withoutEmptyValues(environment: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}

function misconfigured(error: z.ZodError, environment: Record<string, string | undefined>): Problem {
  const name = String(error.issues[0]?.path[0]) as keyof typeof RIGHT_VALUES;
  const sentence = `${name} must be ${RIGHT_VALUES[name]}, not "${environment[name]}".`;
  return new Problem("misconfigured", "config.invalid", sentence);
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
}

/** A server that listens on every interface is still opened by one address. */
function localUrl(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
