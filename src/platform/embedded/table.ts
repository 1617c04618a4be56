/** A table on SQLite: same keys, same attributes and same refusals as DynamoDB. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { ConditionFailed } from "../condition-failed.ts";
import { decodeCursor, encodeCursor, invalidCursor } from "../cursor.ts";
import { checkActions, checkItemSize, checkKey, checkQuery } from "../items.ts";
import type { Action, Clock, Index, Item, Key, Page, Query, Table, Update } from "../ports.ts";
import { AFTER_ALL, type Bound, prefixEnd } from "./key-order.ts";
import type { Store } from "./store.ts";
import { ITEM_COLUMNS, type ItemRow, itemOf, mayBeTooLarge, rowOf, sqlName } from "./table-rows.ts";
import type { ExpirySlice, Position, RowAction } from "./table-writes.ts";

const EXPIRY_SLICE = 500;
const BEFORE_IDS = -1;
const AFTER_IDS = Number.MAX_SAFE_INTEGER;

type Reads = { get: StatementSync; queries: { [kind: string]: StatementSync } };

export class SqliteTable implements Table {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #name: string;
  #created: Promise<void> | undefined;
  #reads: Reads | undefined;

  constructor(store: Store, clock: Clock, name: string) {
    this.#store = store;
    this.#clock = clock;
    this.#name = name;
  }

  async get(key: Key): Promise<Item | undefined> {
    checkKey(key);
    const reads = this.#reads ?? (await this.#open());
    return this.#store.read(() => this.#getNow(reads, key));
  }

  async batchGet(keys: Key[]): Promise<(Item | undefined)[]> {
    keys.forEach(checkKey);
    const reads = this.#reads ?? (await this.#open());
    return this.#store.readTogether(() => keys.map((key) => this.#getNow(reads, key)));
  }

  async query(query: Query): Promise<Page<Item>> {
    checkQuery(query);
    const { sql, bindings } = planQuery(query, this.#nowSeconds());
    const reads = this.#reads ?? (await this.#open());
    const statement = reads.queries[sql] as StatementSync;
    const found = this.#store.read(() => statement.all(...bindings)) as (ItemRow & { id: number })[];
    const rows = found.slice(0, query.limit);
    const items = rows.map(itemOf);
    // One row more than asked was read, to know whether there is a next page.
    if (found.length <= query.limit) return { items };
    return { items, cursor: encodeCursor(positionOf(items.at(-1) as Item, rows.at(-1)?.id as number, query.index)) };
  }

  async write(actions: Action[]): Promise<void> {
    checkActions(actions);
    if (!this.#reads) await this.#open();
    const failures = await this.#store.write("transact", [this.#name, actions.map(toRow)]);
    if (failures) throw new ConditionFailed(failures);
  }

  async update(action: Update): Promise<Item> {
    checkActions([action]);
    if (!this.#reads) await this.#open();
    const result = await this.#store.write("updateItem", { table: this.#name, action });
    if ("failures" in result) throw new ConditionFailed(result.failures);
    return result.item;
  }

  /** Walks through the whole table and removes what has expired; answers how many items went. */
  async removeExpired(pauseMs: number, stopping?: AbortSignal): Promise<number> {
    await this.#open();
    let removed = 0;
    for (let after: Position | undefined = ["", ""]; after && !stopping?.aborted; ) {
      const ask = { table: this.#name, after, nowSeconds: this.#nowSeconds(), limit: EXPIRY_SLICE };
      const slice: ExpirySlice = await this.#store.write("removeExpired", ask);
      removed += slice.removed;
      after = slice.next;
      if (after && pauseMs > 0) await this.#clock.sleep(pauseMs, stopping);
    }
    return removed;
  }

  #getNow(reads: Reads, key: Key): Item | undefined {
    const row = reads.get.get(key.PK, key.SK, this.#nowSeconds()) as ItemRow | undefined;
    return row && itemOf(row);
  }

  #nowSeconds(): number {
    return Math.floor(this.#clock.now() / 1000);
  }

  async #open(): Promise<Reads> {
    this.#created ??= this.#store.write("createItemTable", { table: this.#name });
    await this.#created;
    this.#reads ??= prepareReads(this.#store.reader, this.#name);
    return this.#reads;
  }
}

function toRow(action: Action): RowAction {
  if (!("put" in action)) return action;
  const put = rowOf(action.put);
  if (mayBeTooLarge(put)) checkItemSize(action.put);
  return action.if ? { put, if: action.if } : put;
}

/** Every query is a half-open range of sort keys. It begins where the range does, or after the cursor's position. */
function planQuery(query: Query, nowSeconds: number): { sql: string; bindings: (Bound | number)[] } {
  const { index, partition, order = "ascending", limit, cursor } = query;
  const [from, to] = range(query.sort);
  const after = cursor === undefined ? [order === "ascending" ? from : to, BEFORE_IDS] : positionIn(cursor, query);
  return { sql: `${index ?? "table"} ${order}`, bindings: [partition, from, to, ...after, nowSeconds, limit + 1] };
}

function range(sort: Query["sort"]): [from: string, to: Bound] {
  if (!sort) return ["", AFTER_ALL];
  if ("beginsWith" in sort) return [sort.beginsWith, prefixEnd(sort.beginsWith)];
  // Nothing lies between a string and the same with a NUL behind: so an inclusive end becomes an exclusive one.
  return [sort.from ?? "", sort.to === undefined ? AFTER_ALL : `${sort.to}\0`];
}

/** A sort key is unique within a partition; within an index, items of the same sort key come in the order of their ids. */
function positionOf(item: Item, id: number, index: Index | undefined): { [name: string]: string } {
  if (!index) return { PK: item.PK, SK: item.SK };
  return { [`${index}PK`]: item[`${index}PK`] as string, [`${index}SK`]: item[`${index}SK`] as string, id: String(id) };
}

function positionIn(cursor: string, { index, partition, order }: Query): (string | number)[] {
  if (!index) {
    const { SK } = decodeCursor(cursor, ["PK", "SK"], { PK: partition });
    return [SK, order === "descending" ? BEFORE_IDS : AFTER_IDS];
  }
  const names = [`${index}PK`, `${index}SK`, "id"];
  const position = decodeCursor(cursor, names, { [`${index}PK`]: partition });
  const id = Number(position.id);
  if (!Number.isSafeInteger(id)) throw invalidCursor();
  return [position[`${index}SK`] as string, id];
}

function prepareReads(db: DatabaseSync, table: string): Reads {
  const name = sqlName(table);
  const alive = "(ttl IS NULL OR ttl > ?)";
  const query = (partition: string, sort: string, position: string, direction: "ASC" | "DESC") => {
    const beyond = direction === "ASC" ? ">" : "<";
    const columns = position.split(", ");
    // SQLite walks an index from one bound only. With a plus the range's is none, so that it begins at the position, and
    // does not pass over all that the pages before had.
    const [from, to] = direction === "ASC" ? [`+${sort}`, sort] : [sort, `+${sort}`];
    return db.prepare(
      `SELECT id, ${ITEM_COLUMNS} FROM ${name} WHERE ${partition} = ? AND ${from} >= ? AND ${to} < ? ` +
        `AND (${position}) ${beyond} (${columns.map(() => "?").join(", ")}) AND ${alive} ` +
        `ORDER BY ${columns.map((column) => `${column} ${direction}`).join(", ")} LIMIT ?`,
    );
  };
  return {
    get: db.prepare(`SELECT ${ITEM_COLUMNS} FROM ${name} WHERE pk = ? AND sk = ? AND ${alive}`),
    queries: {
      "table ascending": query("pk", "sk", "sk, id", "ASC"),
      "table descending": query("pk", "sk", "sk, id", "DESC"),
      "GSI1 ascending": query("gsi1pk", "gsi1sk", "gsi1sk, id", "ASC"),
      "GSI1 descending": query("gsi1pk", "gsi1sk", "gsi1sk, id", "DESC"),
      "GSI2 ascending": query("gsi2pk", "gsi2sk", "gsi2sk, id", "ASC"),
      "GSI2 descending": query("gsi2pk", "gsi2sk", "gsi2sk, id", "DESC"),
    },
  };
}
