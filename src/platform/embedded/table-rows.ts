/** How an item lies in SQLite: its keys in columns, the rest as JSON. Nothing is said twice, since bytes are what writes cost. */

import { MAX_ITEM_BYTES } from "../items.ts";
import type { Item, Value } from "../ports.ts";

const MAX_KEYS_BYTES = 10 * 1024;

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
  const { PK, SK, GSI1PK, GSI1SK, GSI2PK, GSI2SK, ttl } = item;
  const [gsi1pk, gsi1sk] = indexKeys(GSI1PK, GSI1SK);
  const [gsi2pk, gsi2sk] = indexKeys(GSI2PK, GSI2SK);
  // JSON leaves out what is undefined, and an object without the keys takes longer to make (measured: half as long again).
  const rest: { [name: string]: Value | undefined } = { ...item, PK: undefined, SK: undefined };
  // Half of a pair of keys is an attribute like any other.
  if (gsi1pk !== null) rest.GSI1PK = rest.GSI1SK = undefined;
  if (gsi2pk !== null) rest.GSI2PK = rest.GSI2SK = undefined;
  const expiry = typeof ttl === "number" ? ttl : null;
  return [PK, SK, expiry, gsi1pk, gsi1sk, gsi2pk, gsi2sk, JSON.stringify(rest)];
}

/** The keys have at most 10 KB, and the rest is no larger than three times its JSON's length: most need no counting. */
export function mayBeTooLarge(row: Row): boolean {
  return row[7].length * 3 > MAX_ITEM_BYTES - MAX_KEYS_BYTES;
}

/** Indexes are sparse: an item with only half of the keys is not in them. */
function indexKeys(pk: unknown, sk: unknown): [string | null, string | null] {
  return typeof pk === "string" && typeof sk === "string" ? [pk, sk] : [null, null];
}

/** What to select for `itemOf`. */
export const ITEM_COLUMNS = "pk, sk, gsi1pk, gsi1sk, gsi2pk, gsi2sk, body";

export type ItemRow = {
  pk: string;
  sk: string;
  gsi1pk: string | null;
  gsi1sk: string | null;
  gsi2pk: string | null;
  gsi2sk: string | null;
  body: string;
};

export function itemOf({ pk, sk, gsi1pk, gsi1sk, gsi2pk, gsi2sk, body }: ItemRow): Item {
  const item: Item = JSON.parse(body);
  item.PK = pk;
  item.SK = sk;
  if (gsi1pk !== null && gsi1sk !== null) {
    item.GSI1PK = gsi1pk;
    item.GSI1SK = gsi1sk;
  }
  if (gsi2pk !== null && gsi2sk !== null) {
    item.GSI2PK = gsi2pk;
    item.GSI2SK = gsi2sk;
  }
  return item;
}

/** Quoted for SQL. Table names are checked to hold nothing that could leave the quotes. */
export function sqlName(table: string): string {
  return `"items ${table}"`;
}
