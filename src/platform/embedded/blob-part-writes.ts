/** What the writer does for uploads in parts: they end in the same transaction that puts their object. */

import type { DatabaseSync } from "node:sqlite";
import type { SentPart } from "../ports.ts";
import type { PutObject } from "./blob-writes.ts";

export type UploadRow = {
  id: string;
  bucket: string;
  key: string;
  contentType: string;
  metadata: string;
  begunAt: number;
};
export type PartRow = SentPart & { file: string };
type Upload = Pick<UploadRow, "id" | "bucket" | "key">;
type File = { file: string };

export function partWrites(db: DatabaseSync, putObject: (ask: PutObject) => string | undefined) {
  const insertUpload = db.prepare("INSERT INTO uploads VALUES (?, ?, ?, ?, ?, ?)");
  const findUpload = db.prepare("SELECT 1 FROM uploads WHERE id = ? AND bucket = ? AND key = ?");
  const removeUpload = db.prepare("DELETE FROM uploads WHERE id = ?");
  const oldUploads = db.prepare("SELECT id, bucket, key FROM uploads WHERE begun_at < ? LIMIT ?");
  const findPart = db.prepare("SELECT file FROM upload_parts WHERE upload = ? AND part = ?");
  const insertPart = db.prepare("INSERT OR REPLACE INTO upload_parts VALUES (?, ?, ?, ?, ?)");
  const removeParts = db.prepare("DELETE FROM upload_parts WHERE upload = ? RETURNING file");

  const fileOf = (id: string, part: number) => (findPart.get(id, part) as File | undefined)?.file;
  const isThere = ({ id, bucket, key }: Upload) => findUpload.get(id, bucket, key) !== undefined;

  /** Answers the files of its parts, which nobody needs any more. */
  function endUpload(upload: Upload): string[] {
    if (!isThere(upload)) return [];
    removeUpload.run(upload.id);
    return (removeParts.all(upload.id) as File[]).map(({ file }) => file);
  }

  return {
    beginUpload({ id, bucket, key, contentType, metadata, begunAt }: UploadRow): void {
      insertUpload.run(id, bucket, key, contentType, metadata, begunAt);
    },

    /** Answers the file that the part had before, if any; undefined when there is no such upload. */
    putPart({ upload, row }: { upload: Upload; row: PartRow }): string[] | undefined {
      if (!isThere(upload)) return undefined;
      const replaced = fileOf(upload.id, row.part);
      insertPart.run(upload.id, row.part, row.file, row.sizeBytes, row.etag);
      return replaced === undefined ? [] : [replaced];
    },

    endUpload,

    /** Undefined when the parts are no longer these files. */
    completeUpload(ask: { upload: Upload; files: string[]; put: PutObject }): string[] | undefined {
      const isSame = isThere(ask.upload) && ask.files.every((file, index) => fileOf(ask.upload.id, index + 1) === file);
      if (!isSame) return undefined;
      const replaced = putObject(ask.put);
      return [...endUpload(ask.upload), ...(replaced === undefined ? [] : [replaced])];
    },

    endOldUploads({ before, limit }: { before: number; limit: number }): { ended: number; files: string[] } {
      const old = oldUploads.all(before, limit) as Upload[];
      return { ended: old.length, files: old.flatMap(endUpload) };
    },
  };
}
