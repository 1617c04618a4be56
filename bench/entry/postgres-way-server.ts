/**
 * The way most teams would build it: a bare HTTP server, and for each request one PostgreSQL transaction that locks the
 * event's capacity, inserts the entry and takes the place. It believes tokens without verifying them, which is cheaper.
 * Arguments: the database's URL, the pool's size, and `look-first` to reject without the lock once places are gone.
 */

import { createServer } from "node:http";
import pg from "pg";

const [databaseUrl = "", poolSize = "10", manner = ""] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: Number(poolSize) });

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS events (event_id text PRIMARY KEY, capacity_remaining integer NOT NULL);
  CREATE TABLE IF NOT EXISTS entries (
    request_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id text NOT NULL REFERENCES events,
    user_id text NOT NULL,
    status text NOT NULL,
    requested_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (event_id, user_id)
  )`;

type Entry = { request_id: string; status: string; isDuplicate: boolean };

const INSERT = `INSERT INTO entries (event_id, user_id, status) VALUES ($1, $2, $3)
  ON CONFLICT (event_id, user_id) DO NOTHING RETURNING request_id, status`;

/** Places never come back here, so none left is none ever, and nobody has to wait for that in line. */
async function rejectIfFull(eventId: string, userId: string): Promise<Entry | undefined> {
  const look = "SELECT 1 FROM events WHERE event_id = $1 AND capacity_remaining = 0";
  const { rowCount } = await pool.query({ name: "look", text: look, values: [eventId] });
  if (rowCount === 0) return undefined;
  const { rows } = await pool.query({ name: "insert", text: INSERT, values: [eventId, userId, "REJECTED"] });
  return rows[0] ? { ...rows[0], isDuplicate: false } : findEntry(pool, eventId, userId);
}

async function findEntry(client: Pick<pg.Pool, "query">, eventId: string, userId: string): Promise<Entry> {
  const find = "SELECT request_id, status FROM entries WHERE event_id = $1 AND user_id = $2";
  const { rows } = await client.query({ name: "find", text: find, values: [eventId, userId] });
  return { ...rows[0], isDuplicate: true };
}

/** Prepared once on each connection. */
async function enter(eventId: string, userId: string): Promise<Entry | undefined> {
  const rejected = manner === "look-first" ? await rejectIfFull(eventId, userId) : undefined;
  if (rejected) return rejected;
  const client = await pool.connect();
  let failure: Error | undefined;
  try {
    await client.query("BEGIN");
    const entry = await enterWithin(client, eventId, userId);
    await client.query("COMMIT");
    return entry;
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    client.release(failure);
  }
}

async function enterWithin(client: pg.PoolClient, eventId: string, userId: string): Promise<Entry | undefined> {
  const lock = "SELECT capacity_remaining FROM events WHERE event_id = $1 FOR UPDATE";
  const { rows: locked } = await client.query({ name: "lock", text: lock, values: [eventId] });
  if (!locked[0]) return undefined;
  const status = locked[0].capacity_remaining > 0 ? "SUCCEEDED" : "REJECTED";
  const { rows: made } = await client.query({ name: "insert", text: INSERT, values: [eventId, userId, status] });
  if (!made[0]) return findEntry(client, eventId, userId);
  if (status === "SUCCEEDED") {
    const take = "UPDATE events SET capacity_remaining = capacity_remaining - 1 WHERE event_id = $1";
    await client.query({ name: "take", text: take, values: [eventId] });
  }
  return { ...made[0], isDuplicate: false };
}

function userOf(authorization = ""): string {
  const [, claims = ""] = authorization.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).sub;
}

const DEADLOCK = "40P01";

/** Two clicks of one person may lock each other out; whom PostgreSQL sacrifices tries again. */
async function enterAtLast(eventId: string, userId: string): Promise<Entry | undefined> {
  try {
    return await enter(eventId, userId);
  } catch (error) {
    if ((error as { code?: string }).code !== DEADLOCK) throw error;
    return enterAtLast(eventId, userId);
  }
}

const server = createServer(async (request, response) => {
  const [, , , eventId = ""] = (request.url ?? "").split("/");
  const entry = await enterAtLast(eventId, userOf(request.headers.authorization)).catch((error) => {
    console.error(error);
    return undefined;
  });
  const body = JSON.stringify(
    entry
      ? { requestId: entry.request_id, eventId, status: entry.status, ...(entry.isDuplicate && { duplicate: true }) }
      : { code: "failed" },
  );
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  response.writeHead(entry ? 202 : 404, headers).end(body);
});

await pool.query(SCHEMA);
process.on("message", async ({ eventId, capacity }: { eventId: string; capacity: number }) => {
  await pool.query("INSERT INTO events VALUES ($1, $2)", [eventId, capacity]);
  process.send?.({ eventId });
});
process.on("disconnect", () => process.exit());
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
