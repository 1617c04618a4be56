/** The environment that gives a server the same Node flags as `npm start` does, read from there. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export function startFlags(): { [variable: string]: string } {
  const { start } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts as { start: string };
  const [before = "", after = ""] = start.split(/\bnode\s/);
  const variables = [...before.matchAll(/(\w+)=(\S+)/g)].map(([, name = "", value = ""]) => [name, value]);
  const settings: { [variable: string]: string } = Object.fromEntries(variables);
  const cache = settings.NODE_COMPILE_CACHE;
  return {
    ...settings,
    ...(cache && { NODE_COMPILE_CACHE: join(root, cache) }),
    NODE_OPTIONS: after
      .split(" ")
      .filter((word) => word.startsWith("--"))
      .join(" "),
  };
}
