/** What the writer does for tables: conditions are all looked at before anything is written. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { FailedCondition } from "../condition-failed.ts";
import { checkItemSize } from "../items.ts";
import type { Condition, Item, Key, Update } from "../ports.ts";
import { holds, updated } from "./item-logic.ts";
import { ITEM_COLUMNS, type ItemRow, itemOf, mayBeTooLarge, type Row, rowOf, sqlName } from "./table-rows.ts";

/** A put comes as the row it will be, so that the writer need not take its JSON apart; without a condition it is just that. */
export type RowAction =
  | Row
  | { put: Row; if: Condition }
  | Update
  | { delete: Key; if?: Condition }
  | { check: Key; if: Condition };

export type Position = [pk: string, sk: string];
export type ExpirySlice = { removed: number; next?: Position };

/** An item as it lies there: its id finds it again at once. */
type Stored = { id: number; item: Item };

type SliceRow = { pk: string; sk: string; isExpired: number };

type Statements = {
  read: StatementSync;
  put: StatementSync;
  rewrite: StatementSync;
  move: StatementSync;
  delete: StatementSync;
  slice: StatementSync;
};

export function tableWrites(db: DatabaseSync) {
  const prepared = new Map<string, Statements>();

  function statementsOf(table: string): Statements {
    let statements = prepared.get(table);
    if (!statements) {
      statements = prepareStatements(db, table);
      prepared.set(table, statements);
    }
    return statements;
  }

  /** Answers the actions whose condition failed, and nothing when all went through. */
  function transact([table, actions]: [table: string, actions: RowAction[]]): FailedCondition[] | undefined {
    const statements = statementsOf(table);
    const [only] = actions;
    if (actions.length === 1 && Array.isArray(only)) {
      statements.put.run(...only);
      return undefined;
    }
    const failures: FailedCondition[] = [];
    const befores = actions.map((action, index) => {
      if (Array.isArray(action)) return undefined;
      const before = readStored(statements, action);
      if (action.if && !holds(action.if, before?.item)) {
        failures.push(before ? { action: index, item: before.item } : { action: index });
      }
      return before;
    });
    if (failures.length > 0) return failures;
    // Every new item is made, and so can be refused, before the first is written.
    const writes = actions.map((action, index) => writeOf(statements, action, befores[index]));
    for (const write of writes) write();
    return undefined;
  }

  return {
    createItemTable({ table }: { table: string }): void {
      createItemTable(db, table);
    },

    transact,

    /** Answers the new item, or what made the condition fail. */
    updateItem({ table, action }: { table: string; action: Update }): { item: Item } | { failures: FailedCondition[] } {
      const failures = transact([table, [action]]);
      return failures ? { failures } : { item: (readStored(statementsOf(table), action) as Stored).item };
    },

    /**
     * Removes what has expired among the next `limit` items after a key. An index on the expiry would find them at
     * once, but slow every write down (3 to 20%, measured); a walk through the table now and then costs them nothing.
     */
    removeExpired(ask: { table: string; after: Position; nowSeconds: number; limit: number }): ExpirySlice {
      const statements = statementsOf(ask.table);
      const slice = statements.slice.all(ask.nowSeconds, ...ask.after, ask.limit) as SliceRow[];
      const expired = slice.filter(({ isExpired }) => isExpired);
      for (const { pk, sk } of expired) statements.delete.run(pk, sk);
      const last = slice.at(-1);
      const next: Position | undefined = last && slice.length === ask.limit ? [last.pk, last.sk] : undefined;
      return { removed: expired.length, ...(next && { next }) };
    },
  };
}

function keyOf(action: Exclude<RowAction, Row>): Position {
  if ("put" in action) return [action.put[0], action.put[1]];
  const { PK, SK } = "update" in action ? action.update : "delete" in action ? action.delete : action.check;
  return [PK, SK];
}

function readStored(statements: Statements, action: Exclude<RowAction, Row>): Stored | undefined {
  const row = statements.read.get(...keyOf(action)) as (ItemRow & { id: number }) | undefined;
  return row && { id: row.id, item: itemOf(row) };
}

function writeOf(statements: Statements, action: RowAction, before: Stored | undefined): () => void {
  if (Array.isArray(action)) return () => statements.put.run(...action);
  if ("put" in action) return () => statements.put.run(...action.put);
  if ("delete" in action) return () => statements.delete.run(...keyOf(action));
  if ("check" in action) return () => {};
  const item = updated(before?.item, action);
  const row = rowOf(item);
  if (mayBeTooLarge(row)) checkItemSize(item);
  if (!before) return () => statements.put.run(...row);
  const [, , ttl, ...rest] = row;
  if (samePlaces(before.item, item)) return () => statements.rewrite.run(ttl, row[7], before.id);
  return () => statements.move.run(ttl, ...rest, before.id);
}

/** Most updates leave the indexes alone; what is set is written to each of them anew, be it the same. */
function samePlaces(one: Item, other: Item): boolean {
  return ["GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK"].every((name) => one[name] === other[name]);
}

/**
 * With row ids: in a table clustered by its key, rows of more than a quarter page spill into pages of their own, and
 * every index entry would carry the whole key. An item keeps its id for life, since cursors stand on it.
 */
function createItemTable(db: DatabaseSync, table: string): void {
  const name = sqlName(table);
  db.exec(`
    CREATE TABLE IF NOT EXISTS ${name} (
      id INTEGER PRIMARY KEY, pk TEXT NOT NULL, sk TEXT NOT NULL, ttl INTEGER,
      gsi1pk TEXT, gsi1sk TEXT, gsi2pk TEXT, gsi2sk TEXT, body TEXT NOT NULL,
      UNIQUE (pk, sk)
    );
    CREATE INDEX IF NOT EXISTS "gsi1 ${table}" ON ${name} (gsi1pk, gsi1sk) WHERE gsi1pk IS NOT NULL;
    CREATE INDEX IF NOT EXISTS "gsi2 ${table}" ON ${name} (gsi2pk, gsi2sk) WHERE gsi2pk IS NOT NULL;
  `);
}

function prepareStatements(db: DatabaseSync, table: string): Statements {
  const name = sqlName(table);
  const changeable = ["ttl", "gsi1pk", "gsi1sk", "gsi2pk", "gsi2sk", "body"];
  return {
    read: db.prepare(`SELECT id, ${ITEM_COLUMNS} FROM ${name} WHERE pk = ? AND sk = ?`),
    put: db.prepare(
      `INSERT INTO ${name} (pk, sk, ${changeable.join(", ")}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (pk, sk) DO UPDATE SET ${changeable.map((column) => `${column} = excluded.${column}`).join(", ")}`,
    ),
    rewrite: db.prepare(`UPDATE ${name} SET ttl = ?, body = ? WHERE id = ?`),
    move: db.prepare(`UPDATE ${name} SET ${changeable.map((column) => `${column} = ?`).join(", ")} WHERE id = ?`),
    delete: db.prepare(`DELETE FROM ${name} WHERE pk = ? AND sk = ?`),
    // Compared here, because SQLite takes larger numbers than can be read from it.
    slice: db.prepare(
      `SELECT pk, sk, coalesce(ttl <= ?, 0) AS isExpired FROM ${name} WHERE (pk, sk) > (?, ?) ORDER BY pk, sk LIMIT ?`,
    ),
  };
}
