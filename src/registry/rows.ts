/** The registry's rows as plain JSON, for moving an installation to another machine. */

import { type Kysely, sql } from "kysely";
import type { RegistryDatabase } from "./database.ts";

const PAGE = 1000;

/** Parents before children. Sessions, codes and counted attempts stay behind: people sign in again. */
const TABLES: { [table: string]: { key: string[]; generated?: string[] } } = {
  organizers: { key: ["organizer_id"] },
  organizer_members: { key: ["organizer_id", "email"] },
  events: { key: ["event_id"] },
  event_runners: { key: ["event_id", "bib_number"], generated: ["bib_order"] },
  entry_places: { key: ["event_id", "request_id"] },
  photographers: { key: ["photographer_id"] },
  event_photographers: { key: ["event_id", "photographer_id"] },
  users: { key: ["id"] },
  script_tokens: { key: ["token_id"] },
  revocations: { key: ["subject"] },
};

type Row = { [column: string]: unknown };

export function registryRows(db: RegistryDatabase) {
  return {
    tables: Object.keys(TABLES),
    rows: (table: string) => readRows(db, table),
    isEmpty: async () => (await db.selectFrom("organizers").select("organizer_id").executeTakeFirst()) === undefined,
    /** Rows already there are left as they are. */
    insert: (table: string, rows: Row[]) => insertRows(db, table, rows),
  };
}

async function* readRows(db: RegistryDatabase, table: string): AsyncGenerator<Row> {
  const { key, generated = [] } = shapeOf(table);
  const columns = sql.join(key.map((column) => sql.ref(column)));
  let last: unknown[] | undefined;
  do {
    const after = last ? sql`where (${columns}) > (${sql.join(last)})` : sql``;
    // The database itself writes the JSON, so that every type reads the same from either engine. The alias is no
    // column's name: `to_jsonb` would take the column.
    const { rows } = await sql<{ row: Row }>`
      select to_jsonb(whole_row) as row
      from (select * from ${sql.table(table)} ${after} order by ${columns} limit ${PAGE}) whole_row
      order by ${columns}`.execute(db);
    for (const { row } of rows) yield without(row, generated);
    last = rows.length === PAGE ? key.map((column) => rows.at(-1)?.row[column]) : undefined;
  } while (last);
}

async function insertRows(db: RegistryDatabase, table: string, rows: Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  shapeOf(table);
  const columns = sql.join(Object.keys(first).map((column) => sql.ref(column)));
  await sql`
    insert into ${sql.table(table)} (${columns})
    select ${columns} from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)
    on conflict do nothing`.execute(db as Kysely<unknown>);
}

function shapeOf(table: string): { key: string[]; generated?: string[] } {
  const shape = Object.hasOwn(TABLES, table) ? TABLES[table] : undefined;
  if (!shape) throw new Error(`The registry has no table ${table} to move.`);
  return shape;
}

function without(row: Row, columns: string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
}
