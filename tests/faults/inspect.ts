/** Looks at what is left in a data folder after the kills, and lists everything that was lost, torn or stuck. */

import { readdir } from "node:fs/promises";
import path from "node:path";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import type { Item, Page, Query, Table } from "../../src/platform/ports.ts";
import { BUCKET, CREATED_QUEUE, contentOf, PLAIN_QUEUE, SETTINGS, TABLE, WORKFLOW_ASL } from "./scene.ts";

/** The ids acknowledged, by kind: write, send, upload, start, and handled and notified. */
export type Acknowledged = { [kind: string]: Set<string> };

export async function findDamage(dataFolder: string, acknowledged: Acknowledged): Promise<string[]> {
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1" });
  const ids = (kind: string) => acknowledged[kind] ?? new Set<string>();
  try {
    const idle = async () => ({});
    return [
      ...(await damagedItems(engines.table(TABLE), ids("write"))),
      ...missing("sent but never handled", ids("send"), ids("handled")),
      ...(await stuck(engines.queue(PLAIN_QUEUE, SETTINGS))),
      ...(await stuck(engines.queue(CREATED_QUEUE, SETTINGS))),
      ...(await damagedBlobs(engines.blobs(BUCKET), dataFolder, ids("upload"), ids("notified"))),
      ...(await unfinished(
        engines.workflow({
          name: "fault",
          asl: WORKFLOW_ASL,
          tasks: { First: idle, Left: idle, Right: idle, Last: idle },
        }),
        engines.table(TABLE),
        ids("start"),
      )),
    ];
  } finally {
    await engines.close();
  }
}

function missing(what: string, wanted: Set<string>, found: Set<string>): string[] {
  return [...wanted].filter((id) => !found.has(id)).map((id) => `${what}: ${id}`);
}

async function everything(table: Table, query: Query): Promise<Item[]> {
  const items: Item[] = [];
  let page: Page<Item> = await table.query(query);
  items.push(...page.items);
  while (page.cursor) {
    page = await table.query({ ...query, cursor: page.cursor });
    items.push(...page.items);
  }
  return items;
}

async function damagedItems(table: Table, written: Set<string>): Promise<string[]> {
  const damage: string[] = [];
  const found = new Set<string>();
  for (let group = 0; group < 8; group += 1) {
    const items = await everything(table, { partition: `ITEMS#${group}`, limit: 1000 });
    for (const { SK } of items) found.add(SK);
    const counted = (await table.get({ PK: "COUNT", SK: String(group) }))?.items ?? 0;
    if (counted !== items.length) damage.push(`torn: group ${group} counts ${counted} items and has ${items.length}`);
  }
  return [...damage, ...missing("written but lost", written, found)];
}

async function stuck(queue: {
  depth(): Promise<{ waiting: number; inFlight: number; dead: number }>;
}): Promise<string[]> {
  const { waiting, inFlight, dead } = await queue.depth();
  return waiting + inFlight + dead === 0 ? [] : [`stuck: ${waiting} waiting, ${inFlight} in flight, ${dead} dead`];
}

type Bucket = ReturnType<Awaited<ReturnType<typeof openEmbeddedEngines>>["blobs"]>;

async function damagedBlobs(
  blobs: Bucket,
  folder: string,
  uploaded: Set<string>,
  notified: Set<string>,
): Promise<string[]> {
  const damage: string[] = [];
  const keys = new Set<string>();
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const page = await blobs.list({ prefix: "", limit: 500, ...(cursor === undefined ? {} : { cursor }) });
    for (const { key } of page.items) {
      keys.add(key);
      if (!(await isWhole(blobs, key))) damage.push(`torn object: ${key}`);
    }
    cursor = page.cursor;
  }
  damage.push(...missing("uploaded but lost", uploaded, keys));
  damage.push(...missing("object without a message", keys, notified));
  damage.push(...missing("message without an object", notified, keys));
  const files = (await readdir(path.join(folder, "blobs"), { recursive: true })).filter((name) => name.includes("/"));
  if (files.length !== keys.size) damage.push(`${files.length} files for ${keys.size} objects`);
  return damage;
}

async function isWhole(blobs: Bucket, key: string): Promise<boolean> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of (await blobs.get(key))?.body ?? []) chunks.push(chunk);
  return Buffer.concat(chunks).equals(contentOf(key));
}

type Runs = ReturnType<Awaited<ReturnType<typeof openEmbeddedEngines>>["workflow"]>;

async function unfinished(workflow: Runs, table: Table, started: Set<string>): Promise<string[]> {
  const damage: string[] = [];
  for (const id of started) {
    const status = (await workflow.status(id))?.status ?? "gone";
    if (status !== "SUCCEEDED") damage.push(`execution ${id} is ${status}`);
    const steps = await everything(table, { partition: `RUN#${id}`, limit: 10 });
    const names = steps.map(({ SK }) => SK).join(" ");
    if (names !== "First Last Left Right") damage.push(`execution ${id} did only: ${names}`);
  }
  return damage;
}
