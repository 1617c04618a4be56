/** How fast the embedded engines are, beside what they are built on and beside the same port over the wire. */

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openAwsSubject } from "../src/platform/contracts/doubles/aws-subject.ts";
import { type EmbeddedEngines, openEmbeddedEngines } from "../src/platform/embedded/engines.ts";
import { DURABLE } from "../src/platform/embedded/schema.ts";
import { rowOf } from "../src/platform/embedded/table-rows.ts";
import type { Item, Table } from "../src/platform/ports.ts";

type Row = { measure: string; value: number; unit: string; target?: string; ok?: boolean };

const ROUNDS = 9;
const WRITERS = 64;

export async function run(): Promise<{ name: string; rows: Row[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), "snaprace-bench-"));
  const engines = await openEmbeddedEngines({ dataFolder: path.join(folder, "data"), publicUrl: "http://127.0.0.1" });
  try {
    const bare = new BareTable(path.join(folder, "bare.db"));
    const rows = [...(await measureWrites(engines, bare)), ...(await measureReads(engines))];
    rows.push(...(await measureQueue(engines, bare)), ...(await measureWorkflow(engines)));
    rows.push(await measureWaiting(folder));
    bare.close();
    return { name: "platform", rows };
  } finally {
    await engines.close();
    await rm(folder, { recursive: true });
  }
}

let made = 0;
/** About what a request looks like in the entry table. */
function nextItem(): Item {
  made += 1;
  const at = 1_800_000_000_000 + made;
  const requestId = `01J${String(made).padStart(23, "0")}`;
  const queued = `QAT#${at}#REQ#${requestId}`;
  const keys = { GSI1PK: `USER#user-${made}`, GSI1SK: queued, GSI2PK: "EVENT#seoul-2026", GSI2SK: queued };
  const facts = { requestId, eventId: "seoul-2026", userId: `user-${made}`, eventType: "FIRST_COME", status: "QUEUED" };
  const times = { requestedAt: at, queuedAt: at, ticket: made, ttl: Math.floor(at / 1000) + 7_776_000 };
  return {
    PK: `REQ#${requestId}`,
    SK: "META",
    entityType: "REQUEST",
    ...keys,
    ...facts,
    uiResult: "PENDING",
    ...times,
  };
}

/** The same rows with nothing around them: the floor. */
class BareTable {
  readonly #db: DatabaseSync;
  readonly #insert;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec(DURABLE);
    this.#db.exec(`
      CREATE TABLE items (pk TEXT, sk TEXT, ttl INTEGER, gsi1pk TEXT, gsi1sk TEXT, gsi2pk TEXT, gsi2sk TEXT, body TEXT,
        UNIQUE (pk, sk));
      CREATE INDEX gsi1 ON items (gsi1pk, gsi1sk);
      CREATE INDEX gsi2 ON items (gsi2pk, gsi2sk);
    `);
    this.#insert = this.#db.prepare("INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  }

  /** Puts `count` items, `size` to a transaction, and so to an fsync. Answers items per second. */
  rate(count: number, size: number): number {
    const started = performance.now();
    for (let done = 0; done < count; done += size) {
      this.#db.exec("BEGIN");
      for (let n = 0; n < size; n += 1) this.#insert.run(...rowOf(nextItem()));
      this.#db.exec("COMMIT");
    }
    return (count / (performance.now() - started)) * 1000;
  }

  close(): void {
    this.#db.close();
  }
}

/** `workers` loops share `count` pieces of work. Answers pieces per second. */
async function rateOf(count: number, workers: number, work: () => Promise<unknown>): Promise<number> {
  let left = count;
  const started = performance.now();
  const loop = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: workers }, loop));
  return (count / (performance.now() - started)) * 1000;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

/** The rivals take turns, so that a busy moment of the machine hits them alike. */
async function takeTurns<Name extends string>(rivals: Record<Name, () => number | Promise<number>>) {
  const names = Object.keys(rivals) as Name[];
  const rates = new Map(names.map((name): [Name, number[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of names) rates.get(name)?.push(await rivals[name]());
  }
  return Object.fromEntries(names.map((name) => [name, median(rates.get(name) ?? [])])) as Record<Name, number>;
}

function atLeast(measure: string, value: number, least: number, unit = "×"): Row {
  return { measure, value, unit, target: `≥ ${least}`, ok: value >= least };
}

async function measureWrites(engines: EmbeddedEngines, bare: BareTable): Promise<Row[]> {
  const table = engines.table("AsyncEventTable");
  const before = engines.counts();
  const { ours, single, batch } = await takeTurns({
    ours: () => rateOf(20_000, WRITERS, () => table.write([{ put: nextItem() }])),
    single: () => bare.rate(2_000, 1),
    batch: () => bare.rate(20_000 - (20_000 % WRITERS), WRITERS),
  });
  const after = engines.counts();
  return [
    { measure: `durable writes, ${WRITERS} at once`, value: ours, unit: "/s" },
    { measure: "SQLite, one fsync per write", value: single, unit: "/s" },
    { measure: `SQLite, bare loop of ${WRITERS} per fsync`, value: batch, unit: "/s" },
    { measure: "writes per fsync", value: (after.writes - before.writes) / (after.commits - before.commits), unit: "" },
    atLeast("durable writes / one fsync per write", ours / single, 8),
    atLeast("durable writes / bare loop", ours / batch, 0.5),
  ];
}

async function measureReads(engines: EmbeddedEngines): Promise<Row[]> {
  const subject = await openAwsSubject();
  try {
    const embedded = engines.table("reads");
    const wire = await subject.table();
    const items = Array.from({ length: 500 }, nextItem);
    for (const table of [embedded, wire]) for (const item of items) await table.write([{ put: item }]);
    const get = (table: Table) => () => {
      const { PK, SK } = items[Math.floor(Math.random() * items.length)] as Item;
      return table.get({ PK, SK });
    };
    const query = (table: Table) => () =>
      table.query({ index: "GSI2", partition: "EVENT#seoul-2026", order: "descending", limit: 20 });
    const rates = await takeTurns({
      get: () => rateOf(20_000, 1, get(embedded)),
      wireGet: () => rateOf(300, 1, get(wire)),
      query: () => rateOf(3_000, 1, query(embedded)),
      wireQuery: () => rateOf(200, 1, query(wire)),
    });
    return [
      { measure: "get", value: 1e6 / rates.get, unit: "µs" },
      { measure: "get, over the wire", value: 1e6 / rates.wireGet, unit: "µs" },
      { measure: "query of 20", value: 1e6 / rates.query, unit: "µs" },
      { measure: "query of 20, over the wire", value: 1e6 / rates.wireQuery, unit: "µs" },
      atLeast("get, times the wire", rates.get / rates.wireGet, 20),
      atLeast("query of 20, times the wire", rates.query / rates.wireQuery, 10),
    ];
  } finally {
    await subject.close();
  }
}

async function measureQueue(engines: EmbeddedEngines, bare: BareTable): Promise<Row[]> {
  const queue = engines.queue("bench", { visibilityMs: 30_000, maxReceives: 3 });
  const throughput = async () => {
    const count = 10_000;
    const { promise: drained, resolve } = Promise.withResolvers<void>();
    let handled = 0;
    const consumer = queue.consume(
      async (messages) => {
        handled += messages.length;
        if (handled >= count) resolve();
        return [];
      },
      { batchSize: 10, concurrency: 8 },
    );
    const started = performance.now();
    await rateOf(count, WRITERS, () => queue.send([`{"requestId":"01J${made++}"}`]));
    await drained;
    // Stopping waits for the last deletes.
    await consumer.stop();
    return (count / (performance.now() - started)) * 1000;
  };
  const { ours, floor } = await takeTurns({ ours: throughput, floor: () => bare.rate(6_400, WRITERS) });
  return [
    { measure: "bare write loop", value: floor, unit: "/s" },
    {
      measure: "queue: send, receive, delete",
      value: ours,
      unit: "/s",
      target: floor >= 20_000 ? "≥ 5000" : "(machine too slow to say)",
      ok: ours >= 5_000 || floor < 20_000,
    },
  ];
}

async function measureWorkflow(engines: EmbeddedEngines): Promise<Row[]> {
  const steps = 20;
  const States = Object.fromEntries(
    Array.from({ length: steps }, (_, n) => [
      `S${n}`,
      {
        Type: "Task",
        Resource: "arn:aws:lambda:us-east-1:000000000000:function:noop",
        ...(n + 1 < steps ? { Next: `S${n + 1}` } : { End: true }),
      },
    ]),
  );
  const tasks = Object.fromEntries(Object.keys(States).map((name) => [name, async (input: unknown) => input as never]));
  const workflow = engines.workflow({ name: "bench", asl: { StartAt: "S0", States }, tasks });
  let executions = 0;
  const oneByOne = async () => {
    const name = `e${executions++}`;
    const started = performance.now();
    await workflow.start(name, { a: 1 });
    while ((await workflow.status(name))?.status === "RUNNING") await new Promise((resolve) => setImmediate(resolve));
    return (performance.now() - started) / steps;
  };
  const times: number[] = [];
  for (let n = 0; n < 40; n += 1) times.push(await oneByOne());
  const value = median(times);
  return [{ measure: "workflow, one step", value, unit: "ms", target: "< 2", ok: value < 2 }];
}

/** In a process of its own, since memory is what is measured. */
async function measureWaiting(folder: string): Promise<Row> {
  const script = new URL("./waiting-executions.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, path.join(folder, "waiting")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  for await (const chunk of child.stdout) printed += chunk;
  const value = Number(printed);
  return { measure: "10,000 waiting executions", value, unit: "MB", target: "< 300", ok: value > 0 && value < 300 };
}
