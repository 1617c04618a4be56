/** The house keeps its shape: who may import whom, which names and sizes files have. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { checkArchitecture, importsOf, type Source } from "./harness/architecture-rules.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Written by a script, read by nobody. */
const GENERATED = "web/src/api/types.ts";

function readSources(): Source[] {
  const paths = globSync("{src,tests,bench,infra,scripts,training,web/src}/**/*.{ts,tsx,mjs}", { cwd: root }).map(
    (path) => path.replaceAll("\\", "/"),
  );
  return paths
    .filter((path) => path !== GENERATED)
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

test("every source keeps the rules", () => {
  const sources = readSources();
  assert.ok(sources.length > 20, `only ${sources.length} files were found`);
  assert.deepEqual(checkArchitecture(sources), []);
});

/** A house that keeps every rule, so that one bad file is the only thing to complain about. */
const soundHouse: Source[] = [
  ...["aws", "embedded"].flatMap((engine) =>
    ["table", "queue", "blobs", "workflow", "recognition", "mail", "engines"].map((name) => ({
      path: `src/platform/${engine}/${name}.ts`,
      text: '/** An engine. */\nimport { Problem } from "../problem.ts";\n',
    })),
  ),
  {
    path: "src/entry/settle.test.ts",
    text: '// A test on real engines.\nimport { openEmbeddedEngines } from "../platform/embedded/engines.ts";\n',
  },
  {
    path: "src/photos/link.ts",
    text: '/** Links. */\nimport type { RunnerNamed } from "../registry/events.ts";\nimport type { Table } from "../platform/ports.ts";\n',
  },
  { path: "src/platform/aws/sent.test.ts", text: '/** Sent. */\nimport { runTable } from "../contracts/table.ts";\n' },
  {
    path: "src/platform/aws/subject.ts",
    text: '/** A subject. */\nimport type { Subject } from "../contracts/subject.ts";\n',
  },
  {
    path: "web/src/pages/draw.tsx",
    text: '/** A draw. */\nimport { verify } from "../../../src/entry/draw/verify-draw.mjs";\n',
  },
  { path: "src/apps/engines.ts", text: '/** Opens. */\nconst aws = await import("../platform/aws/engines.ts");\n' },
];

function complaintsAbout(path: string, code: string): string[] {
  return checkArchitecture([...soundHouse, { path, text: code.startsWith("//") ? code : `/** A file. */\n${code}\n` }]);
}

describe("the rules catch what breaks them", () => {
  const forbiddenImports = [
    { path: "src/entry/settle.ts", code: 'import { SqsQueue } from "../platform/aws/queue.ts";' },
    { path: "src/entry/settle.ts", code: 'import type { Store } from "../platform/embedded/store.ts";' },
    { path: "src/entry/settle.ts", code: 'const late = await import("../platform/embedded/store.ts");' },
    { path: "src/entry/settle.ts", code: 'import {\n  parseConfig,\n} from "../apps/config.ts";' },
    { path: "src/entry/settle.ts", code: 'import { link } from "../photos/link.ts";' },
    { path: "src/entry/settle.test.ts", code: 'import { link } from "../photos/link.ts";' },
    { path: "src/photos/index.ts", code: 'export * from "../registry/queries.ts";' },
    { path: "src/platform/ports.ts", code: 'import "./embedded/store.ts";' },
    { path: "src/platform/ports.ts", code: 'import { settle } from "../entry/settle.ts";' },
    { path: "src/platform/aws/queue.ts", code: 'import { Store } from "../embedded/store.ts";' },
    { path: "src/platform/embedded/queue.ts", code: 'import { Store } from "../aws/table.ts";' },
    { path: "src/platform/embedded/queue.ts", code: 'import { createLog } from "../../apps/log.ts";' },
    { path: "src/platform/embedded/queue.ts", code: 'import { tableContract } from "../contracts/table.ts";' },
    { path: "src/apps/log.ts", code: 'import { tableContract } from "../platform/contracts/table.ts";' },
    { path: "src/apps/log.ts", code: 'import { openSubject } from "../platform/embedded/subject.ts";' },
    { path: "src/apps/log.ts", code: 'import { S3Client } from "@aws-sdk/client-s3";' },
    { path: "src/apps/lambda/api.ts", code: 'import { Stack } from "aws-cdk-lib";' },
    { path: "src/platform/embedded/blobs.ts", code: 'import { Sha256 } from "@smithy/hash";' },
    { path: "src/registry/schema.ts", code: 'import { DatabaseSync } from "node:sqlite";' },
    { path: "src/registry/schema.ts", code: 'process.getBuiltinModule("node:sqlite");' },
    { path: "src/photos/ingest.ts", code: 'import * as onnx from "onnxruntime-node";' },
    { path: "src/platform/aws/mail.ts", code: 'import { createTransport } from "nodemailer";' },
    { path: "src/apps/log.ts", code: 'import MimeNode from "nodemailer/lib/mime-node";' },
    { path: "web/src/main.tsx", code: 'import { settle } from "../../src/entry/settle.ts";' },
    { path: "web/src/pages/draw.tsx", code: 'import type { Item } from "../../../src/entry/items.ts";' },
    { path: "src/apps/log.ts", code: 'import { router } from "../../web/src/router.tsx";' },
  ];
  for (const { path, code } of forbiddenImports) {
    test(`${path}: ${code.replaceAll("\n", " ")}`, () => {
      const complaints = complaintsAbout(path, code);
      assert.equal(complaints.length, 1, complaints.join("\n"));
      assert.match(complaints[0] ?? "", new RegExp(`^${path} imports `));
    });
  }

  const badShapes = [
    { path: "src/entry/utils.ts", code: "", complaint: /"utils.ts" says nothing/ },
    { path: "src/helpers/draw.ts", code: "", complaint: /"helpers" says nothing/ },
    { path: "tests/harness/common.test.ts", code: "", complaint: /"common.test.ts" says nothing/ },
    { path: "src/entry/draw.ts", code: "export default function draw() {}", complaint: /default export/ },
    { path: "src/entry/draw.ts", code: "export { draw as default };", complaint: /default export/ },
    { path: "src/entry/draw.ts", code: "// eslint-disable\nexport {};", complaint: /start with a sentence/ },
    { path: "bench/draw.bench.ts", code: `${"\n".repeat(400)}export {};`, complaint: /402 lines/ },
  ];
  for (const { path, code, complaint } of badShapes) {
    test(`${path}: ${complaint.source}`, () => {
      const complaints = complaintsAbout(path, code);
      assert.equal(complaints.length, 1, complaints.join("\n"));
      assert.match(complaints[0] ?? "", complaint);
    });
  }

  test("an engine without its counterpart", () => {
    const withoutQueue = soundHouse.filter((source) => source.path !== "src/platform/aws/queue.ts");
    assert.deepEqual(checkArchitecture(withoutQueue), [
      "src/platform/aws/queue.ts is missing: both engines have the same file names",
    ]);
  });

  test("and leave a sound house alone", () => assert.deepEqual(checkArchitecture(soundHouse), []));
});

test("words in comments and strings are no imports", () => {
  assert.deepEqual(importsOf('// import it from "./a.ts" later\nconst text = "export from";\n'), []);
});
