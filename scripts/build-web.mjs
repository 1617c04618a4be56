/**
 * Builds the pages into web/dist when they changed since, so that `npm start` and `npm test` always serve what is in web/.
 * Plain JavaScript without dependencies: it runs on the machine's own Node, as install-missing.mjs does.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = join(root, "web", "dist", ".built-from");
/** What the pages are made of besides web/ itself. */
const ALSO = ["package-lock.json", "src/entry/draw/verify-draw.mjs"];

function sources() {
  const names = readdirSync(join(root, "web"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((name) => !name.startsWith(join(root, "web", "dist")));
  return [...names.sort(), ...ALSO.map((name) => join(root, name))];
}

function digest() {
  const hash = createHash("sha256");
  for (const name of sources())
    hash
      .update(`${name.slice(root.length)}\0`)
      .update(readFileSync(name))
      .update("\0");
  return hash.digest("hex");
}

const wanted = digest();
if (!existsSync(stampFile) || readFileSync(stampFile, "utf8") !== wanted) {
  console.error("Building the pages: only the first time and after changes, a few seconds.");
  const node = join(root, "node_modules", ".bin", "node");
  const vite = join(root, "node_modules", "vite", "bin", "vite.js");
  const built = spawnSync(node, [vite, "build", "--logLevel=warn", join(root, "web")], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (built.status !== 0) {
    console.error("The pages can't be built: the lines above say why.");
    process.exit(1);
  }
  writeFileSync(stampFile, wanted);
}
