/** Any PostgreSQL from 15 on, by its URL. */

import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { Problem } from "./problem.ts";

const OLDEST_VERSION = 150_000;
const MAX_CONNECTIONS = 10;
const CONNECT_WITHIN_MS = 5_000;
const STATEMENT_WITHIN_MS = 60_000;
/** SQLSTATE classes of a wrong URL: authorization, catalog name. */
const WRONG_URL = /^(28|3D)/;
/** SQLSTATE classes of a broken connection and a server that stops, and the network's own codes. */
const CONNECTION_LOST = /^(08|57P|ECONN|EPIPE|ETIMEDOUT)/;

/** Throws a Problem when nothing fitting answers there. */
export async function openPostgres(url: string): Promise<Dialect> {
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    statement_timeout: STATEMENT_WITHIN_MS,
    types: { getTypeParser: typeParser },
  });
  // A connection that dies is replaced, and who was using it hears so from their query. Unheard, the error that it
  // emits beside that would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  try {
    const { rows } = await pool.query("select current_setting('server_version_num')::int as version");
    checkVersion(rows[0].version);
  } catch (error) {
    await pool.end();
    throw error instanceof Problem ? error : connectProblem(error);
  }
  return new PostgresDialect({ pool: explainingPool(pool) });
}

/** The same pool, but what it says when the server is gone is a Problem: people should try again, not call for help. */
function explainingPool(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch(explain);
      const query = (sql: string, values: readonly unknown[]) => client.query(sql, [...values]).catch(explain);
      const release = (isBroken?: boolean) => client.release(isBroken);
      // Cursors, which Kysely could ask for too, are not used here.
      return { query, release } as unknown as PostgresPoolClient;
    },
  };
}

function explain(error: { code?: string; message: string }): never {
  throw isConnectionLost(error) ? connectProblem(error) : error;
}

function isConnectionLost({ code = "", message }: { code?: string; message: string }): boolean {
  return (
    CONNECTION_LOST.test(code) ||
    /^Connection terminated|connection error|timeout exceeded when trying to connect/.test(message)
  );
}

/** Days stay days instead of becoming midnights somewhere, and counts are numbers. */
const typeParser: typeof pg.types.getTypeParser = (id: number, format?: "text" | "binary") => {
  if (id === pg.types.builtins.DATE) return (text: string) => text;
  if (id === pg.types.builtins.INT8) return Number;
  return pg.types.getTypeParser(id, format as "text");
};

function checkVersion(version: number): void {
  if (version >= OLDEST_VERSION) return;
  throw new Problem(
    "misconfigured",
    "registry.old-postgres",
    `DATABASE_URL leads to PostgreSQL ${Math.floor(version / 10_000)}; SnapRace needs 15 or later.`,
  );
}

function connectProblem(error: unknown): Problem {
  const { code = "", message } = error as { code?: string; message: string };
  if (WRONG_URL.test(code) || code === "ERR_INVALID_URL") {
    const sentence = `DATABASE_URL is refused by PostgreSQL: ${message}. Check user, password and database name.`;
    return new Problem("misconfigured", "registry.refused", sentence, { cause: error });
  }
  const sentence = "The PostgreSQL of DATABASE_URL does not answer. Check that it runs and can be reached from here.";
  return new Problem("unavailable", "registry.unreachable", sentence, { cause: error });
}
