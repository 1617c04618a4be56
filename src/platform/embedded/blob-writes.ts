/** What the writer does for blobs: an object and its object-created message appear in one transaction. */

import type { DatabaseSync } from "node:sqlite";
import type { ObjectCreated } from "../object-created.ts";
import { partWrites } from "./blob-part-writes.ts";

export type ObjectRow = {
  bucket: string;
  key: string;
  file: string;
  sizeBytes: number;
  etag: string;
  contentType: string;
  metadata: string;
  createdAt: number;
  /** The upload whose parts it was made of, and of how many. */
  madeOf: string | null;
};
export type PutObject = { row: ObjectRow; notify: string | null; requestId: string | null };

type Send = (ask: { queue: string; bodies: string[]; at: number; requestId: string | null }) => void;

export function blobWrites(db: DatabaseSync, send: Send) {
  const current = db.prepare("SELECT file FROM objects WHERE bucket = ? AND key = ?");
  const insert = db.prepare("INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const remove = db.prepare("DELETE FROM objects WHERE bucket = ? AND key = ? RETURNING file");

  /** Answers the file that the object had before, which nobody needs any more. */
  function putObject(ask: PutObject): string | undefined {
    const { bucket, key, file, sizeBytes, etag, contentType, metadata, createdAt, madeOf } = ask.row;
    const replaced = current.get(bucket, key) as { file: string } | undefined;
    insert.run(bucket, key, file, sizeBytes, etag, contentType, metadata, createdAt, madeOf);
    if (ask.notify !== null) {
      const bodies = [JSON.stringify(objectCreated(ask.row))];
      send({ queue: ask.notify, bodies, at: createdAt, requestId: ask.requestId });
    }
    return replaced?.file;
  }

  return {
    ...partWrites(db, putObject),
    putObject,

    deleteObjects({ bucket, keys }: { bucket: string; keys: string[] }): string[] {
      return keys.flatMap((key) => (remove.all(bucket, key) as { file: string }[]).map(({ file }) => file));
    },
  };
}

function objectCreated({ bucket, key, sizeBytes, etag, createdAt }: ObjectRow): ObjectCreated {
  return {
    source: "aws.s3",
    "detail-type": "Object Created",
    time: new Date(createdAt).toISOString(),
    detail: { bucket: { name: bucket }, object: { key, size: sizeBytes, etag } },
  };
}
