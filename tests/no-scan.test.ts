/** Nothing is found by looking through a whole table: not by the words of DynamoDB, and not by SQLite's plans. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { galleryRoutes } from "../src/photos/http.ts";
import { tableWrites } from "../src/platform/embedded/table-writes.ts";
import { photoApi } from "./harness/photo-api.ts";
import { EVENT } from "./harness/photo-samples.ts";
import { openPhotoScene } from "./harness/photo-scene.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** PartiQL can scan without saying so. */
const SCANS =
  /\bscan(?:Command|Paginator)?\s*\(|\bpaginateScan\b|\bScanCommand\b|\.Scan\b|\b(?:Batch)?ExecuteStatement/i;

function scansIn(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return code.split("\n").filter((line) => SCANS.test(line));
}

describe("in the sources", () => {
  test("no scan is asked of DynamoDB", () => {
    const paths = globSync("src/**/*.ts", { cwd: root });
    assert.ok(paths.length > 100, `only ${paths.length} files were found`);
    const found = paths.flatMap((path) =>
      scansIn(readFileSync(join(root, path), "utf8")).map((line) => `${path}: ${line.trim()}`),
    );
    assert.deepEqual(found, []);
  });

  for (const line of [
    "await client.send(new ScanCommand({ TableName }));",
    'import { ScanCommand } from "@aws-sdk/client-dynamodb";',
    "for await (const page of paginateScan({ client }, {})) use(page);",
    "await table.scan({ limit: 10 });",
    'await callJson(endpoint, "DynamoDB_20120810.Scan", {});',
    "await client.send(new ExecuteStatementCommand({ Statement }));",
  ]) {
    test(`this would be found: ${line}`, () => assert.equal(scansIn(line).length, 1));
  }

  test("words in comments are none", () => {
    assert.deepEqual(
      scansIn("/** No scan (ever) of a table. */\n// scan(it)\nconst order = { ScanIndexForward: true };"),
      [],
    );
  });
});

/** Every statement on items that this process prepares from now on. */
function recordStatements(t: TestContext): Set<string> {
  const statements = new Set<string>();
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function (sql: string) {
    if (sql.includes('"items ')) statements.add(sql);
    return prepare.call(this, sql);
  };
  t.after(() => {
    DatabaseSync.prototype.prepare = prepare;
  });
  return statements;
}

/** The steps that go through all rows. */
function fullScans(db: DatabaseSync, sql: string): string[] {
  const steps = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[];
  return steps.map(({ detail }) => detail).filter((detail) => /\bSCAN\b/.test(detail));
}

function openItems(table: string) {
  const db = new DatabaseSync(":memory:");
  const writes = tableWrites(db);
  writes.createItemTable({ table });
  return { db, writes };
}

describe("in SQLite's plans", () => {
  test("every read and write of items goes by an index", async (t) => {
    const statements = recordStatements(t);
    const scene = await openPhotoScene(t, { workers: false });
    const { get } = photoApi(scene, galleryRoutes(scene.photos));
    const { ulid } = await scene.add({ bibs: ["7"], photographerId: "minji-kim" });
    const gallery = `/events/${EVENT.eventId}/photos`;
    for (const path of [gallery, `${gallery}?bib=7`, `${gallery}?bib=8`, `${gallery}?photographer=minji-kim`]) {
      assert.equal((await get(path)).status, 200);
    }
    assert.equal((await get(`${gallery}/${ulid}`)).status, 200);
    assert.equal((await get("/photographers/minji-kim/photos")).status, 200);
    const { db, writes } = openItems("PhotoService-test");
    const key = { PK: "a", SK: "b" };
    writes.transact(["PhotoService-test", [{ update: key, set: { a: 1 } }]]);
    writes.transact(["PhotoService-test", [{ delete: key }]]);
    const ofPhotos = [...statements].filter((sql) => sql.includes('"items PhotoService-test"'));
    assert.ok(ofPhotos.length >= 10, `only ${ofPhotos.length} statements were seen`);
    assert.deepEqual(
      ofPhotos.filter((sql) => fullScans(db, sql).length > 0),
      [],
    );
  });

  test("a look through all rows would be found", () => {
    const { db } = openItems("things");
    for (const where of ["body LIKE ?", "sk = ?", "ttl > ?", "gsi1sk = ?"]) {
      assert.equal(fullScans(db, `SELECT * FROM "items things" WHERE ${where}`).length, 1, where);
    }
    assert.deepEqual(fullScans(db, `SELECT * FROM "items things" WHERE pk = ? AND sk > ? ORDER BY sk`), []);
  });
});
