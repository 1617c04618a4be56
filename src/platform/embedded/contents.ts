/** Everything the embedded store holds, read page by page, for an export. */

import type { DatabaseSync } from "node:sqlite";
import type { BlobHead, Clock, Item } from "../ports.ts";
import type { Store } from "./store.ts";
import { ITEM_COLUMNS, type ItemRow, itemOf, sqlName } from "./table-rows.ts";

/** A page of the largest items has 40 MB. */
const PAGE = 100;
const TABLE_PREFIX = sqlName("").slice(1, -1);

/** Waiting or in flight; a dead letter has the reason it died of. */
export type HeldMessage = { body: string; requestId?: string; deadReason?: string };
export type Counted = { name: string; count: number };
export type Counts = { [name: string]: number };

/** What is written meanwhile may or may not be seen. */
export type Contents = {
  /** From the file itself, so also those that this process has not opened. */
  tables(): Counted[];
  items(table: string): AsyncIterable<Item[]>;
  queues(): Counted[];
  messages(queue: string): AsyncIterable<HeldMessage[]>;
  buckets(): Counted[];
  heads(bucket: string): AsyncIterable<BlobHead[]>;
  /** How many there are by workflow; those that succeeded or were aborted are not told. */
  executions(): { unfinished: Counts; failed: Counts };
};

type MessageRow = { position: number; body: string; requestId: string | null; dead: number; reason: string | null };
type HeadRow = Omit<BlobHead, "metadata"> & { position: string; metadata: string };

export function contentsOf(store: Store, clock: Clock): Contents {
  const nowSeconds = () => Math.floor(clock.now() / 1000);
  const rowsOf = <Row>(sql: string, ...bindings: (string | number)[]) =>
    store.read((reader) => reader.prepare(sql).all(...bindings)) as Row[];
  const counted = (sql: string, ...bindings: string[]): Counted[] =>
    rowsOf<Counted>(sql, ...bindings).map((row) => ({ ...row }));
  return {
    tables: () => store.read((reader) => tableNames(reader).map((name) => countedTable(reader, name, nowSeconds()))),
    items: (table) => {
      const sql = `SELECT id AS position, ${ITEM_COLUMNS} FROM ${sqlName(table)}
        WHERE id > ? AND ${ALIVE} ORDER BY id LIMIT ${PAGE}`;
      const read = (after: number | string) => rowsOf<ItemRow & { position: number }>(sql, after, nowSeconds());
      return pages(0, read, itemOf);
    },
    queues: () => counted("SELECT queue AS name, count(*) AS count FROM messages GROUP BY queue"),
    messages: (queue) => {
      const sql = `SELECT id AS position, body, request_id AS requestId, dead, reason FROM messages
        WHERE queue = ? AND id > ? ORDER BY id LIMIT ${PAGE}`;
      return pages(0, (after) => rowsOf<MessageRow>(sql, queue, after), messageOf);
    },
    buckets: () => counted("SELECT bucket AS name, count(*) AS count FROM objects GROUP BY bucket"),
    heads: (bucket) => {
      const sql = `SELECT key AS position, key, size_bytes AS sizeBytes, etag, content_type AS contentType, metadata,
        created_at AS createdAt FROM objects WHERE bucket = ? AND key > ? ORDER BY key LIMIT ${PAGE}`;
      return pages("", (after) => rowsOf<HeadRow>(sql, bucket, after), headOf);
    },
    executions: () => {
      const sql = "SELECT workflow AS name, count(*) AS count FROM executions WHERE status = ? GROUP BY workflow";
      const counts = (status: string) =>
        Object.fromEntries(counted(sql, status).map(({ name, count }) => [name, count]));
      return { unfinished: counts("RUNNING"), failed: counts("FAILED") };
    },
  };
}

const ALIVE = "(ttl IS NULL OR ttl > ?)";

function tableNames(reader: DatabaseSync): string[] {
  const rows = reader
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB ? ORDER BY name")
    .all(`${TABLE_PREFIX}*`) as { name: string }[];
  return rows.map(({ name }) => name.slice(TABLE_PREFIX.length));
}

function countedTable(reader: DatabaseSync, name: string, nowSeconds: number): Counted {
  const sql = `SELECT count(*) AS count FROM ${sqlName(name)} WHERE ${ALIVE}`;
  const { count } = reader.prepare(sql).get(nowSeconds) as { count: number };
  return { name, count };
}

async function* pages<Row extends { position: number | string }, Thing>(
  start: Row["position"],
  read: (after: Row["position"]) => Row[],
  thingOf: (row: Row) => Thing,
): AsyncGenerator<Thing[]> {
  for (let rows = read(start); rows.length > 0; rows = read((rows.at(-1) as Row).position)) yield rows.map(thingOf);
}

function messageOf({ body, requestId, dead, reason }: MessageRow): HeldMessage {
  return { body, ...(requestId !== null && { requestId }), ...(dead && { deadReason: reason ?? "" }) };
}

function headOf({ position: _, metadata, ...head }: HeadRow): BlobHead {
  return { ...head, metadata: JSON.parse(metadata) };
}
