/**
 * Installs what a command needs and the machine lacks, so that `npm start` and `npm test` work in a fresh clone.
 * Plain JavaScript without dependencies: it runs on the machine's own Node, before node_modules is there.
 */

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stampFile = join(root, "node_modules", ".snaprace-installed");
const ownNode = join(root, "node_modules", ".bin", "node");

const debianPackages = [
  { name: "chromium", isThere: () => existsSync("/usr/bin/chromium") },
  { name: "postgresql", isThere: hasPostgresServer },
];

function hasPostgresServer() {
  const versions = "/usr/lib/postgresql";
  return (
    existsSync(versions) && readdirSync(versions).some((name) => existsSync(join(versions, name, "bin", "initdb")))
  );
}

/** Prints one sentence and ends, because nothing after this can work. */
function stop(sentence) {
  console.error(sentence);
  process.exit(1);
}

function lockfileDigest() {
  const hash = createHash("sha256").update(readFileSync(join(root, "package-lock.json")));
  return hash.update(`${process.platform} ${process.arch}`).digest("hex");
}

function packagesMatchLockfile() {
  if (!existsSync(stampFile) || !existsSync(ownNode)) return false;
  return readFileSync(stampFile, "utf8").trim() === lockfileDigest();
}

/** npm must not run on the very Node that lives in the folder it is about to replace. */
function environmentWithoutOwnNode() {
  const bins = join("node_modules", ".bin");
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !folder.endsWith(bins));
  return { ...process.env, PATH: path.join(delimiter) };
}

function installPackages() {
  console.error("Installing npm packages: only the first time and after changes, about half a minute.");
  // Not `npm ci`: it refuses a lockfile without the optional packages of other platforms, and a registry that mirrors
  // one platform can't list them. Without saving, the lockfile's versions and checksums hold here too.
  // The Node that runs everything is a development dependency, so `omit=dev` of the environment must not hold.
  const options = ["--no-save", "--include=dev", "--include=optional", "--loglevel=error", "--no-progress"];
  const result = spawnSync("npm", ["install", ...options], {
    cwd: root,
    // Else an npm that does not know `allowScripts` lets onnxruntime-node fetch files for graphics cards, which fails offline.
    env: { ...environmentWithoutOwnNode(), ONNXRUNTIME_NODE_INSTALL: "skip" },
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (result.error) stop(`npm can't be started (${result.error.message}): install Node 20 or later with npm.`);
  if (result.status !== 0) stop("npm install failed: the lines above say why.");
  const node = spawnSync(ownNode, ["--version"], { encoding: "utf8" });
  if (node.status !== 0) {
    stop("npm install left out Node 24, which comes by an install script: run `npm config set ignore-scripts false`.");
  }
  writeFileSync(stampFile, `${lockfileDigest()}\n`);
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  return spawnSync("apt-get", ["-q", ...args], { env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

function installDebianPackages(names) {
  const command = `apt-get update && apt-get install -y --no-install-recommends ${names.join(" ")}`;
  const wanted = `The tests need ${names.join(" and ")}`;
  if (aptGet("--version").error) stop(`${wanted}, and this machine has no apt-get: install them from Debian.`);
  if (process.getuid?.() !== 0) stop(`${wanted}. Run: sudo sh -c '${command}'`);
  console.error(`${wanted}: installing with apt-get, about a minute.`);
  const install = () => aptGet("install", "-y", "--no-install-recommends", ...names);
  // Package lists may be absent or stale; fetching them costs time, so it waits for the first failure.
  if (install().status === 0) return;
  aptGet("update");
  const result = install();
  if (result.status !== 0) stop(`${result.stdout}${result.stderr}\napt-get failed. Try it by hand: ${command}`);
}

if (!packagesMatchLockfile()) installPackages();
if (process.argv.includes("--tests")) {
  const missing = debianPackages.filter((each) => !each.isThere()).map((each) => each.name);
  if (missing.length > 0) installDebianPackages(missing);
}
