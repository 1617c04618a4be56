/** What the writer does for tables: conditions are all looked at before anything is written. */

import type { DatabaseSync, StatementSync } from "node:sqlite";
import { checkItemSize } from "../items.ts";
import type { Condition, Item, Key, Update } from "../ports.ts";
import { holds, updated } from "./item-logic.ts";
import { itemOf, type Row, rowOf, sqlName } from "./table-rows.ts";

/** A put comes as the row it will be, so that the writer need not take its JSON apart. */
export type RowAction =
  | { put: Row; if?: Condition }
  | Update
  | { delete: Key; if?: Condition }
  | { check: Key; if: Condition };

export type FailedRow = { action: number; body?: string };
export type TransactResult = { failures: FailedRow[] };
export type UpdateResult = { body: string } | { failures: FailedRow[] };

type Statements = { read: StatementSync; put: StatementSync; delete: StatementSync; expired: StatementSync };

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

  function transact({ table, actions }: { table: string; actions: RowAction[] }): TransactResult {
    const statements = statementsOf(table);
    const failures: FailedRow[] = [];
    const befores = actions.map((action, index) => {
      if ("put" in action && !action.if) return undefined;
      const body = readBody(statements, action);
      const before = body === undefined ? undefined : itemOf(body);
      if (action.if && !holds(action.if, before)) {
        failures.push(body === undefined ? { action: index } : { action: index, body });
      }
      return before;
    });
    if (failures.length > 0) return { failures };
    // Every new item is made, and so can be refused, before the first is written.
    const writes = actions.map((action, index) => writeOf(statements, action, befores[index]));
    for (const write of writes) write();
    return { failures };
  }

  return {
    createItemTable({ table }: { table: string }): void {
      createItemTable(db, table);
    },

    transact,

    updateItem({ table, action }: { table: string; action: Update }): UpdateResult {
      const { failures } = transact({ table, actions: [action] });
      if (failures.length > 0) return { failures };
      return { body: readBody(statementsOf(table), action) as string };
    },

    /** Takes a bounded bite, so that other writes do not wait behind a mass expiry. Answers how many went. */
    removeExpired({ table, nowSeconds, limit }: { table: string; nowSeconds: number; limit: number }): number {
      return Number(statementsOf(table).expired.run(nowSeconds, limit).changes);
    },
  };
}

function keyOf(action: RowAction): [pk: string, sk: string] {
  if ("put" in action) return [action.put[0], action.put[1]];
  const { PK, SK } = "update" in action ? action.update : "delete" in action ? action.delete : action.check;
  return [PK, SK];
}

function readBody(statements: Statements, action: RowAction): string | undefined {
  return (statements.read.get(...keyOf(action)) as { body: string } | undefined)?.body;
}

function writeOf(statements: Statements, action: RowAction, before: Item | undefined): () => void {
  if ("put" in action) return () => statements.put.run(...action.put);
  if ("delete" in action) return () => statements.delete.run(...keyOf(action));
  if ("check" in action) return () => {};
  const item = updated(before, action);
  checkItemSize(item);
  return () => statements.put.run(...rowOf(item));
}

function createItemTable(db: DatabaseSync, table: string): void {
  const name = sqlName(table);
  db.exec(`
    CREATE TABLE IF NOT EXISTS ${name} (
      pk TEXT NOT NULL, sk TEXT NOT NULL, body TEXT NOT NULL, ttl INTEGER,
      gsi1pk TEXT, gsi1sk TEXT, gsi2pk TEXT, gsi2sk TEXT,
      PRIMARY KEY (pk, sk)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS "gsi1 ${table}" ON ${name} (gsi1pk, gsi1sk) WHERE gsi1pk IS NOT NULL;
    CREATE INDEX IF NOT EXISTS "gsi2 ${table}" ON ${name} (gsi2pk, gsi2sk) WHERE gsi2pk IS NOT NULL;
    CREATE INDEX IF NOT EXISTS "ttl ${table}" ON ${name} (ttl) WHERE ttl IS NOT NULL;
  `);
}

function prepareStatements(db: DatabaseSync, table: string): Statements {
  const name = sqlName(table);
  return {
    read: db.prepare(`SELECT body FROM ${name} WHERE pk = ? AND sk = ?`),
    put: db.prepare(`INSERT OR REPLACE INTO ${name} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`),
    delete: db.prepare(`DELETE FROM ${name} WHERE pk = ? AND sk = ?`),
    expired: db.prepare(
      `DELETE FROM ${name} WHERE (pk, sk) IN (SELECT pk, sk FROM ${name} WHERE ttl IS NOT NULL AND ttl <= ? LIMIT ?)`,
    ),
  };
}
