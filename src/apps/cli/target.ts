/** Which installation a command is for: a server's address with a token, or a data folder with all its settings. */

import { z } from "zod";
import { Problem } from "../../platform/problem.ts";
import { type Config, parseConfig } from "../config.ts";

/** As given on the command line. */
export type Target = { data?: string; server?: string };

/** An address may have a path before /api, behind a proxy. */
const ServerUrl = z
  .url({ protocol: /^https?$/ })
  .transform((text) => new URL(text))
  .refine((url) => url.search === "" && url.hash === "" && url.username === "")
  .transform((url) => url.href.replace(/\/+$/, ""));

/** A data folder that is named outweighs a server that the environment names. */
export function remoteOf({ data, server }: Target): { url: string; token: string } | undefined {
  const text = server ?? (data === undefined ? process.env.SNAPRACE_URL : undefined);
  if (!text) return undefined;
  const url = ServerUrl.safeParse(text);
  if (!url.success) {
    const sentence = `The server's address must be one such as https://race.example, not "${text}".`;
    throw new Problem("invalid", "server.bad-address", sentence);
  }
  const token = process.env.SNAPRACE_TOKEN?.trim();
  if (!token) {
    throw new Problem(
      "unauthenticated",
      "token.missing",
      `Set SNAPRACE_TOKEN to a token of ${url.data}; on its machine, \`snaprace token --role operator\` prints one.`,
    );
  }
  return { url: url.data, token };
}

export function configOf({ data }: Target, settings: { [variable: string]: string } = {}): Config {
  return parseConfig({ ...process.env, ...(data !== undefined && { SNAPRACE_DATA: data }), ...settings });
}
