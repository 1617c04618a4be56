/** What is in the SQLite file beside the items' tables, which are made when they are opened. */

import type { DatabaseSync } from "node:sqlite";
import { Problem } from "../problem.ts";

/** FULL makes each commit of the write-ahead log wait for the disk; fullfsync makes macOS really do so. */
export const DURABLE = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  PRAGMA fullfsync = 1;
  PRAGMA busy_timeout = 5000;
  PRAGMA cache_size = -12000;
  PRAGMA wal_autocheckpoint = 4000;
  PRAGMA temp_store = MEMORY;
`;

/** Each makes of a folder of the version before one of the next; what was released stays as it is. */
const STEPS = [
  `
  CREATE TABLE probes (id INTEGER PRIMARY KEY, at INTEGER NOT NULL);
  CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL,
    dead INTEGER NOT NULL DEFAULT 0,
    visible_at INTEGER NOT NULL,
    receives INTEGER NOT NULL DEFAULT 0,
    sent_at INTEGER NOT NULL,
    request_id TEXT,
    reason TEXT,
    body TEXT NOT NULL
  );
  CREATE INDEX messages_by_time ON messages (queue, dead, visible_at);
  CREATE TABLE objects (
    bucket TEXT NOT NULL,
    key TEXT NOT NULL,
    file TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    etag TEXT NOT NULL,
    content_type TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (bucket, key)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX objects_by_file ON objects (file);
  CREATE TABLE executions (
    workflow TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    stopped_at INTEGER,
    request_id TEXT,
    state TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    claimed INTEGER NOT NULL DEFAULT 0,
    crashes INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    cause TEXT,
    input TEXT NOT NULL,
    state_input TEXT NOT NULL,
    output TEXT,
    PRIMARY KEY (workflow, name)
  ) WITHOUT ROWID;
  CREATE INDEX executions_due ON executions (workflow, status, claimed, due_at);
  CREATE TABLE execution_events (
    workflow TEXT NOT NULL,
    name TEXT NOT NULL,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    state TEXT,
    error TEXT,
    cause TEXT,
    PRIMARY KEY (workflow, name, number)
  ) WITHOUT ROWID;
  CREATE TABLE task_results (
    workflow TEXT NOT NULL,
    name TEXT NOT NULL,
    task TEXT NOT NULL,
    output TEXT NOT NULL,
    PRIMARY KEY (workflow, name, task)
  ) WITHOUT ROWID;
  `,
  `
  CREATE TABLE uploads (
    id TEXT PRIMARY KEY,
    bucket TEXT NOT NULL,
    key TEXT NOT NULL,
    content_type TEXT NOT NULL,
    metadata TEXT NOT NULL,
    begun_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX uploads_by_time ON uploads (begun_at);
  CREATE TABLE upload_parts (
    upload TEXT NOT NULL,
    part INTEGER NOT NULL,
    file TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    etag TEXT NOT NULL,
    PRIMARY KEY (upload, part)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX upload_parts_by_file ON upload_parts (file);
  ALTER TABLE objects ADD COLUMN made_of TEXT;
  `,
];
const VERSION = STEPS.length;

export function createSchema(db: DatabaseSync): void {
  const { user_version: found } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  if (found > VERSION) {
    throw new Problem(
      "misconfigured",
      "storage.newer",
      `The data folder was written by a newer SnapRace (format ${found}, this one knows ${VERSION}). Start that version, or use another folder.`,
    );
  }
  if (found === VERSION) return;
  db.exec(`BEGIN IMMEDIATE; ${STEPS.slice(found).join("")} PRAGMA user_version = ${VERSION}; COMMIT;`);
}
