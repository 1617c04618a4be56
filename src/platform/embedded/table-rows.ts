/** How an item lies in SQLite: its JSON, and beside it in columns only what is searched by. */

import type { Item } from "../ports.ts";

/** In the order of the table's columns, so that it binds to an insert as it is. */
export type Row = [
  pk: string,
  sk: string,
  ttl: number | null,
  gsi1pk: string | null,
  gsi1sk: string | null,
  gsi2pk: string | null,
  gsi2sk: string | null,
  /** Last, so that a look at the others does not read through a large one. */
  body: string,
];

export function rowOf(item: Item): Row {
  const { PK, SK, ttl, GSI1PK, GSI1SK, GSI2PK, GSI2SK } = item;
  const expiry = typeof ttl === "number" ? ttl : null;
  return [PK, SK, expiry, ...indexKeys(GSI1PK, GSI1SK), ...indexKeys(GSI2PK, GSI2SK), JSON.stringify(item)];
}

/** Indexes are sparse: an item with only half of the keys is not in them. */
function indexKeys(pk: unknown, sk: unknown): [string | null, string | null] {
  return typeof pk === "string" && typeof sk === "string" ? [pk, sk] : [null, null];
}

export function itemOf(body: string): Item {
  return JSON.parse(body) as Item;
}

/** Quoted for SQL. Table names are checked to hold nothing that could leave the quotes. */
export function sqlName(table: string): string {
  return `"items ${table}"`;
}
