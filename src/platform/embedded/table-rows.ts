/** How an item lies in SQLite: its JSON, and beside it in columns only what is searched by. */

import type { Item } from "../ports.ts";

/** In the order of the table's columns, so that it binds to an insert as it is. */
export type Row = [
  pk: string,
  sk: string,
  body: string,
  ttl: number | null,
  gsi1pk: string | null,
  gsi1sk: string | null,
  gsi2pk: string | null,
  gsi2sk: string | null,
];

export function rowOf(item: Item): Row {
  const { PK, SK, ttl } = item;
  const first = indexKeys(item.GSI1PK, item.GSI1SK);
  const second = indexKeys(item.GSI2PK, item.GSI2SK);
  return [PK, SK, JSON.stringify(item), typeof ttl === "number" ? ttl : null, ...first, ...second];
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
