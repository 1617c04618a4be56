/** A bucket of objects as files, with what is said of them in SQLite. */

import type { FileHandle } from "node:fs/promises";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Readable } from "node:stream";
import { checkBlobKey, checkMetadata } from "../blob-names.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type {
  BlobBody,
  BlobEntry,
  BlobHead,
  Blobs,
  DownloadGrant,
  Page,
  PartGrant,
  PartsGrant,
  PartsUpload,
  SentPart,
  SignedUpload,
  UploadGrant,
} from "../ports.ts";
import { currentRequestId } from "../request-context.ts";
import { missingFile, readChecked, readWholeChecked } from "./blob-files.ts";
import { type BlobStores, FileParts } from "./blob-parts.ts";
import { METADATA_PREFIX } from "./blob-urls.ts";
import type { ObjectRow } from "./blob-writes.ts";
import { prefixEnd } from "./key-order.ts";

const COLUMNS = `bucket, key, file, size_bytes AS sizeBytes, etag, content_type AS contentType, metadata,
  created_at AS createdAt, made_of AS madeOf`;

export class FileBlobs implements Blobs {
  readonly #stores: BlobStores;
  readonly #bucket: string;
  readonly #notify: string | undefined;
  readonly #find: StatementSync;
  readonly #parts: FileParts;

  constructor(stores: BlobStores, bucket: string, notify: string | undefined) {
    this.#stores = stores;
    this.#bucket = bucket;
    this.#notify = notify;
    this.#find = stores.store.reader.prepare(`SELECT ${COLUMNS} FROM objects WHERE bucket = ? AND key = ?`);
    this.#parts = new FileParts(stores, { bucket, notify: notify ?? null, findObject: (key) => this.#row(key) });
  }

  async put(key: string, body: BlobBody, about: { contentType: string; metadata?: { [name: string]: string } }) {
    checkBlobKey(key);
    checkMetadata(about.metadata ?? {});
    return this.#keep(key, body, about.contentType, about.metadata ?? {}, undefined);
  }

  /** Takes what a signed URL allows; the body must have the size that was signed. */
  async receive(
    body: BlobBody,
    grant: Omit<UploadGrant, "expiresInMs" | "metadata"> & { metadata: BlobHead["metadata"] },
  ) {
    return this.#keep(grant.key, body, grant.contentType, grant.metadata, grant.sizeBytes);
  }

  async get(key: string): Promise<{ head: BlobHead; body: Readable } | undefined> {
    const opened = await this.#open(key);
    return opened && { head: headOf(opened.row), body: readChecked(opened.handle, key, opened.row.etag) };
  }

  async getWhole(key: string, mostBytes: number): Promise<{ head: BlobHead; bytes?: Buffer } | undefined> {
    const opened = await this.#open(key);
    if (!opened) return undefined;
    const { row, handle } = opened;
    try {
      if (row.sizeBytes > mostBytes) return { head: headOf(row) };
      return { head: headOf(row), bytes: await readWholeChecked(handle, key, row) };
    } finally {
      await handle.close();
    }
  }

  async #open(key: string): Promise<{ row: ObjectRow; handle: FileHandle } | undefined> {
    checkBlobKey(key);
    for (;;) {
      const row = this.#row(key);
      if (!row) return undefined;
      const handle = await this.#stores.files.open(row.file);
      if (handle) return { row, handle };
      // The file went away since the row was read: either the row changed too, or the folder is damaged.
      if (this.#row(key)?.file === row.file) throw missingFile(key);
    }
  }

  async head(key: string): Promise<BlobHead | undefined> {
    checkBlobKey(key);
    const row = this.#row(key);
    return row && headOf(row);
  }

  async list({ prefix, limit, cursor }: { prefix: string; limit: number; cursor?: string }): Promise<Page<BlobEntry>> {
    const after = cursor === undefined ? "" : decodeCursor(cursor, ["after"]).after;
    const list = (reader: DatabaseSync) =>
      reader
        .prepare(
          `SELECT ${COLUMNS} FROM objects WHERE bucket = ? AND key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`,
        )
        .all(this.#bucket, prefix, prefixEnd(prefix), after, limit + 1) as ObjectRow[];
    const rows = this.#stores.store.read(list);
    const items = rows.slice(0, limit).map(entryOf);
    const last = items.at(-1);
    return rows.length > limit && last ? { items, cursor: encodeCursor({ after: last.key }) } : { items };
  }

  async delete(keys: string[]): Promise<void> {
    keys.forEach(checkBlobKey);
    if (keys.length === 0) return;
    const files = await this.#stores.store.write("deleteObjects", { bucket: this.#bucket, keys });
    await this.#stores.files.remove(files);
  }

  async signUpload({ key, sizeBytes, contentType, metadata = {}, expiresInMs }: UploadGrant): Promise<SignedUpload> {
    checkBlobKey(key);
    checkMetadata(metadata);
    const signed = { method: "PUT", bucket: this.#bucket, key, sizeBytes, contentType, metadata } as const;
    const headers: { [name: string]: string } = { "content-type": contentType };
    for (const [name, value] of Object.entries(metadata)) headers[METADATA_PREFIX + name] = value;
    return { method: "PUT", url: this.#stores.urls.sign(signed, expiresInMs), headers };
  }

  async signDownload({ key, expiresInMs, fileName, asOf }: DownloadGrant) {
    checkBlobKey(key);
    return this.#stores.urls.sign({ method: "GET", bucket: this.#bucket, key, fileName }, expiresInMs, asOf);
  }

  async beginParts(grant: PartsGrant): Promise<string> {
    return this.#parts.begin(grant);
  }

  async signPart(grant: PartGrant): Promise<SignedUpload> {
    return this.#parts.sign(grant);
  }

  /** Takes what a signed URL allows; the body must have the size that was signed. */
  async receivePart(body: BlobBody, grant: Omit<PartGrant, "expiresInMs">): Promise<{ etag: string }> {
    return this.#parts.receive(body, grant);
  }

  async listParts(upload: PartsUpload): Promise<SentPart[] | undefined> {
    return this.#parts.list(upload);
  }

  async completeParts(ask: PartsUpload & { parts: number }): Promise<BlobHead> {
    return headOf(await this.#parts.complete(ask));
  }

  async abandonParts(upload: PartsUpload): Promise<void> {
    return this.#parts.abandon(upload);
  }

  async #keep(key: string, body: BlobBody, contentType: string, meta: BlobHead["metadata"], wantedBytes?: number) {
    const { store, files, clock } = this.#stores;
    const { file, sizeBytes, sha256: etag } = await files.write(body, wantedBytes);
    const about = { contentType, metadata: JSON.stringify(meta), createdAt: clock.now(), madeOf: null };
    const row = { bucket: this.#bucket, key, file, sizeBytes, etag, ...about };
    const ask = { row, notify: this.#notify ?? null, requestId: currentRequestId() ?? null };
    const replaced = await store.write("putObject", ask);
    if (replaced !== undefined) await files.remove([replaced]);
    return headOf(row);
  }

  #row(key: string): ObjectRow | undefined {
    return this.#stores.store.read(() => this.#find.get(this.#bucket, key)) as ObjectRow | undefined;
  }
}

function entryOf({ key, sizeBytes, etag, createdAt }: ObjectRow): BlobEntry {
  return { key, sizeBytes, etag, createdAt };
}

function headOf(row: ObjectRow): BlobHead {
  return { ...entryOf(row), contentType: row.contentType, metadata: JSON.parse(row.metadata) };
}
