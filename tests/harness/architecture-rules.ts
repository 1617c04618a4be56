/** The rules of the house as functions: each looks at sources and says, in a sentence, what breaks it. */

import { dirname, join } from "node:path/posix";

/** Paths are relative to the repository, with forward slashes. */
export type Source = { path: string; text: string };

const CONTEXTS = ["entry", "photos", "registry"];
const ENGINE_FILES = ["table.ts", "queue.ts", "blobs.ts", "workflow.ts", "recognition.ts", "mail.ts", "engines.ts"];
const WEAK_NAMES = /^(utils?|helpers?|common|misc|manager|base)$/;
const LONGEST_FILE_LINES = 400;

/** Packages and built-ins that only one place may know. */
const OWNED_MODULES = [
  { modules: /^(@aws-sdk|@smithy)\//, owner: /^src\/platform\/aws\/|\.test\.ts$/, name: "platform/aws" },
  { modules: /^(aws-cdk-lib|constructs)(\/|$)/, owner: /^infra\//, name: "infra" },
  { modules: /^(node:sqlite$|onnxruntime)/, owner: /^src\/platform\/embedded\//, name: "platform/embedded" },
  {
    modules: /^(aws-local-stepfunctions|nodemailer)(\/|$)/,
    owner: /^src\/platform\/embedded\//,
    name: "platform/embedded",
  },
];

export function checkArchitecture(sources: Source[]): string[] {
  const product = sources.filter((source) => /^(src|web)\//.test(source.path));
  return [
    ...product.flatMap(checkImports),
    ...checkEnginePairs(product),
    ...sources.flatMap((source) => [...checkName(source), ...checkShape(source)]),
  ];
}

/** Every module a file names: static, type-only, dynamic, re-exported, required. */
export function importsOf(text: string): string[] {
  const statements = /^\s*(?:import|export)\b[^;"'`]*?from\s*["']([^"']+)["']|^\s*import\s*["']([^"']+)["']/gm;
  const calls = /\b(?:import|require|getBuiltinModule)\s*\(\s*["'`]([^"'`]+)["'`]/g;
  return [...text.matchAll(statements), ...text.matchAll(calls)].map((match) => match[1] ?? match[2] ?? "");
}

function checkImports(source: Source): string[] {
  return importsOf(source.text).flatMap((specifier) => {
    const reason = specifier.startsWith(".")
      ? refuseFile(source.path, join(dirname(source.path), specifier))
      : refuseModule(source.path, specifier);
    return reason ? [`${source.path} imports ${specifier}: ${reason}`] : [];
  });
}

function refuseModule(from: string, specifier: string): string | undefined {
  const owned = OWNED_MODULES.find(({ modules }) => modules.test(specifier));
  // A double stands in for what it doubles, so it may know all that is known there.
  if (from.startsWith("src/platform/contracts/doubles/")) return undefined;
  return owned && !owned.owner.test(from) ? `only ${owned.name} may know it` : undefined;
}

/** What anybody may run anywhere, so the pages too. */
const CARRIED = "src/entry/draw/verify-draw.mjs";

function refuseFile(from: string, to: string): string | undefined {
  if (from.startsWith("web/")) {
    return to.startsWith("web/") || to === CARRIED ? undefined : "pages know the program by its API only";
  }
  if (to.startsWith("web/")) return "the program does not know its pages";
  const [here, there] = [zoneOf(from), zoneOf(to)];
  const isTest = isForTests(from);
  if (/^tests\/(harness|pictures)\//.test(to)) return isTest ? undefined : "it is for tests";
  if (isForTests(to)) return isTest ? undefined : "it is for tests";
  if (here === there || there === "platform" || here === "apps") return undefined;
  // Tests of a context run on real engines rather than on mocks.
  if (isTest && there.startsWith("platform/")) return undefined;
  if (CONTEXTS.includes(here) && CONTEXTS.includes(there)) {
    return to === `src/${there}/events.ts` ? undefined : "a context sees another only through its events.ts";
  }
  return `${here} may not depend on ${there}`;
}

/** Tests, the contracts they run, and the subjects they run them on. */
function isForTests(path: string): boolean {
  return /\.test\.ts$|^src\/platform\/(contracts\/|\w+\/subject\.ts$)/.test(path);
}

/** The part of the house a file is in: apps, a context, platform's root, or one of its folders. */
function zoneOf(path: string): string {
  const [, first = "", second = "", third] = path.split("/");
  // The API's frame is for every context, as the ports are.
  const isOpen = third === undefined || second === "http";
  return first === "platform" && !isOpen ? `platform/${second}` : first;
}

function checkEnginePairs(sources: Source[]): string[] {
  const paths = new Set(sources.map((source) => source.path));
  return ["aws", "embedded"].flatMap((engine) =>
    ENGINE_FILES.map((file) => `src/platform/${engine}/${file}`)
      .filter((path) => !paths.has(path))
      .map((path) => `${path} is missing: both engines have the same file names`),
  );
}

function checkName({ path }: Source): string[] {
  const weak = path.split("/").find((part) => WEAK_NAMES.test(part.replace(/\..*$/, "")));
  return weak ? [`${path}: "${weak}" says nothing, name it after what it does`] : [];
}

function checkShape({ path, text }: Source): string[] {
  const reasons: string[] = [];
  const lines = text.trimEnd().split("\n").length;
  if (lines > LONGEST_FILE_LINES) reasons.push(`has ${lines} lines, it wants to be two files`);
  if (/^\s*export\s+default\b|^\s*export\s*\{[^}]*\bas\s+default\b/m.test(text)) reasons.push("has a default export");
  if (!startsWithSentence(text)) reasons.push("does not start with a sentence that says what it is for");
  return reasons.map((reason) => `${path} ${reason}`);
}

function startsWithSentence(text: string): boolean {
  const source = text.replace(/^#!.*\n/, "").trimStart();
  const comment = /^(?:\/\*[\s\S]*?\*\/|(?:\/\/.*\n?)+)/.exec(source)?.[0] ?? "";
  return /\w.*[.:!?]\s*(\*\/)?\s*$/.test(comment.trim());
}
