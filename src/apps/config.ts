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
  /** The registry's PostgreSQL; without it, PGlite in the data folder. */
  databaseUrl?: string;
  /** Signs tokens and URLs where there is no data folder to keep a secret of its own. */
  secret?: Uint8Array;
  /** E-mail addresses of those who run this installation. */
  operators: string[];
  /** Sites whose pages may call the API with a token. */
  corsOrigins: string[];
  smtpUrl?: string;
  mailFrom: string;
  /** How many proxies in front of the server add the caller's address to x-forwarded-for. */
  trustedProxies: number;
  /** Requests one caller may send in ten seconds. */
  rateLimit: number;
  /** Whether this process settles entries and does the rest of the background work, or leaves it to others. */
  workers: boolean;
  /** Which deployment it is: the table of photos has it in its name. */
  stage: string;
  /** How this machine looks at photos; on AWS Rekognition does. */
  vision: { workers?: number; modelsFile?: string; minFaceHeightPixels?: number; minFaceQuality?: number };
  logLevel: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
};

const Environment = z.object({
  HOST: z
    .string()
    .regex(/^[\w.:-]+$/)
    .default("127.0.0.1"),
  PORT: wholeNumber(1, 65_535).default(8080),
  SNAPRACE_PUBLIC_URL: z.string().refine(isOrigin).optional(),
  SNAPRACE_DATA: z.string().default(".snaprace"),
  SNAPRACE_ENGINES: z.enum(["embedded", "aws"]).default("embedded"),
  SNAPRACE_STATE_MACHINES: z
    .string()
    .regex(/^arn:[\w-]+:states:[\w-]+:\d{12}:stateMachine:$/)
    .optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//)
    .optional(),
  SNAPRACE_SECRET: z
    .string()
    .regex(/^[0-9a-fA-F]{64,}$/)
    .transform((hex) => Buffer.from(hex, "hex"))
    .optional(),
  SNAPRACE_OPERATORS: listOf((text) => z.email().safeParse(text).success).transform((all) => all.map(lowerCase)),
  SNAPRACE_CORS_ORIGINS: listOf(isOrigin).transform((all) => all.map((text) => new URL(text).origin)),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//)
    .optional(),
  SNAPRACE_MAIL_FROM: z
    .string()
    .regex(/^[^\r\n]+@[^\r\n]+$/)
    .default("SnapRace <snaprace@localhost>"),
  SNAPRACE_TRUSTED_PROXIES: wholeNumber(0, 10).default(0),
  SNAPRACE_RATE_LIMIT: wholeNumber(1, 1_000_000).default(300),
  SNAPRACE_WORKERS: z.enum(["on", "off"]).default("on"),
  SNAPRACE_STAGE: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,32}$/)
    .default("prod"),
  SNAPRACE_VISION_WORKERS: wholeNumber(1, 256).optional(),
  SNAPRACE_MODELS: z.string().optional(),
  SNAPRACE_MIN_FACE_PIXELS: wholeNumber(0, 4000).optional(),
  SNAPRACE_MIN_FACE_QUALITY: z
    .string()
    .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/)
    .transform(Number)
    .optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).default("info"),
});

/** Their values are secrets, or hold one. */
const SECRETS = new Set(["DATABASE_URL", "SNAPRACE_SECRET", "SMTP_URL"]);

const RIGHT_VALUES: Record<keyof typeof Environment.shape, string> = {
  HOST: "a host name or an IP address",
  PORT: "a whole number from 1 to 65535",
  SNAPRACE_PUBLIC_URL: "an http or https address without a path, such as https://race.example",
  SNAPRACE_DATA: "the path of a folder",
  SNAPRACE_ENGINES: "embedded or aws",
  SNAPRACE_STATE_MACHINES: "an ARN without a name, such as arn:aws:states:eu-west-1:123456789012:stateMachine:",
  DATABASE_URL: "the URL of a PostgreSQL, such as postgres://user:password@host/database",
  SNAPRACE_SECRET: "at least 64 hex digits, such as `openssl rand -hex 32` prints",
  SNAPRACE_OPERATORS: "e-mail addresses with commas between them",
  SNAPRACE_CORS_ORIGINS: "http or https addresses without a path, with commas between them",
  SMTP_URL: "the URL of a mail server, such as smtps://user:password@mail.example",
  SNAPRACE_MAIL_FROM: "an e-mail address, such as SnapRace <race@example.com>",
  SNAPRACE_TRUSTED_PROXIES: "a whole number from 0 to 10",
  SNAPRACE_RATE_LIMIT: "a whole number from 1 to 1000000",
  SNAPRACE_WORKERS: "on or off",
  SNAPRACE_STAGE: "1 to 32 letters, digits or dashes, such as prod",
  SNAPRACE_VISION_WORKERS: "a whole number from 1 to 256",
  SNAPRACE_MODELS: "the path of a manifest of models (docs/models.md)",
  SNAPRACE_MIN_FACE_PIXELS: "a whole number from 0 to 4000",
  SNAPRACE_MIN_FACE_QUALITY: "a number from 0 to 1",
  LOG_LEVEL: "fatal, error, warn, info, debug, trace or silent",
};

export function parseConfig(environment: Record<string, string | undefined>): Config {
  const parsed = Environment.safeParse(withoutEmptyValues(environment));
  if (!parsed.success) throw misconfigured(parsed.error, environment);
  const { HOST: host, PORT: port, SNAPRACE_PUBLIC_URL: publicUrl, SNAPRACE_STATE_MACHINES: arnPrefix } = parsed.data;
  const { DATABASE_URL: databaseUrl, SNAPRACE_SECRET: secret, SMTP_URL: smtpUrl } = parsed.data;
  return {
    host,
    port,
    publicUrl: publicUrl ? new URL(publicUrl).origin : localUrl(host, port),
    dataFolder: resolve(parsed.data.SNAPRACE_DATA),
    engines: parsed.data.SNAPRACE_ENGINES,
    ...(arnPrefix && { stateMachineArnPrefix: arnPrefix }),
    ...(databaseUrl && { databaseUrl }),
    ...(secret && { secret }),
    ...(smtpUrl && { smtpUrl }),
    operators: parsed.data.SNAPRACE_OPERATORS,
    corsOrigins: parsed.data.SNAPRACE_CORS_ORIGINS,
    mailFrom: parsed.data.SNAPRACE_MAIL_FROM,
    trustedProxies: parsed.data.SNAPRACE_TRUSTED_PROXIES,
    rateLimit: parsed.data.SNAPRACE_RATE_LIMIT,
    workers: parsed.data.SNAPRACE_WORKERS === "on",
    stage: parsed.data.SNAPRACE_STAGE,
    vision: visionOf(parsed.data),
    logLevel: parsed.data.LOG_LEVEL,
  };
}

function visionOf(values: z.infer<typeof Environment>): Config["vision"] {
  const { SNAPRACE_VISION_WORKERS: workers, SNAPRACE_MODELS: models } = values;
  const { SNAPRACE_MIN_FACE_PIXELS: minFaceHeightPixels, SNAPRACE_MIN_FACE_QUALITY: minFaceQuality } = values;
  return {
    ...(workers !== undefined && { workers }),
    ...(models !== undefined && { modelsFile: resolve(models) }),
    ...(minFaceHeightPixels !== undefined && { minFaceHeightPixels }),
    ...(minFaceQuality !== undefined && { minFaceQuality }),
  };
}

/** `PORT= npm start` means the default, as it does in shells. */
function withoutEmptyValues(environment: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ""));
}

function misconfigured(error: z.ZodError, environment: Record<string, string | undefined>): Problem {
  const name = String(error.issues[0]?.path[0]) as keyof typeof RIGHT_VALUES;
  const given = SECRETS.has(name) ? "" : `, not "${environment[name]}"`;
  const sentence = `${name} must be ${RIGHT_VALUES[name]}${given}.`;
  return new Problem("misconfigured", "config.invalid", sentence);
}

function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,7}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
}

/** Commas between, spaces around them; unset is none. */
function listOf(isRight: (text: string) => boolean) {
  return z
    .string()
    .default("")
    .transform((text) => text.split(",").flatMap((part) => part.trim() || []))
    .refine((parts) => parts.every(isRight));
}

const lowerCase = (text: string) => text.toLowerCase();

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return false;
  return url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
}

/** A server that listens on every interface is still opened by one address. */
export function localUrl(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
