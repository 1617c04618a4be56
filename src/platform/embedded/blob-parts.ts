/** Uploads in parts: each part is a file like an object's, and completing joins them into the object's own. */

import type { StatementSync } from "node:sqlite";
import { checkBlobKey } from "../blob-names.ts";
import { checkNumber, checkPart, checkParts, nameUpload, noSuchUpload } from "../blob-parts.ts";
import type { BlobBody, Clock, PartGrant, PartsGrant, PartsUpload, SentPart, SignedUpload } from "../ports.ts";
import { currentRequestId } from "../request-context.ts";
import { type BlobFiles, missingFile, readChecked } from "./blob-files.ts";
import type { PartRow, UploadRow } from "./blob-part-writes.ts";
import type { BlobUrls } from "./blob-urls.ts";
import type { ObjectRow } from "./blob-writes.ts";
import type { Store } from "./store.ts";

/** As the lifecycle rule of a bucket on AWS has it. */
const UPLOAD_LIFE_MS = 7 * 24 * 60 * 60 * 1000;
/** Of 10,000 parts each at most: so many at once hold up other writes for a moment only. */
const ENDED_AT_ONCE = 10;

export type BlobStores = { store: Store; clock: Clock; files: BlobFiles; urls: BlobUrls };
type Bucket = { bucket: string; notify: string | null; findObject(key: string): ObjectRow | undefined };
type Unfinished = { upload: UploadRow; parts: PartRow[] };

/** A part was replaced, or the upload ended, while its parts were joined. */
class PartsChanged extends Error {}

export class FileParts {
  readonly #stores: BlobStores;
  readonly #in: Bucket;
  readonly #findUpload: StatementSync;
  readonly #findParts: StatementSync;

  constructor(stores: BlobStores, bucket: Bucket) {
    this.#stores = stores;
    this.#in = bucket;
    this.#findUpload = stores.store.reader.prepare(
      `SELECT id, bucket, key, content_type AS contentType, metadata, begun_at AS begunAt FROM uploads
       WHERE id = ? AND bucket = ? AND key = ?`,
    );
    this.#findParts = stores.store.reader.prepare(
      "SELECT part, size_bytes AS sizeBytes, etag, file FROM upload_parts WHERE upload = ? ORDER BY part",
    );
  }

  async begin(grant: PartsGrant): Promise<string> {
    const { store, clock } = this.#stores;
    const id = nameUpload(grant);
    const { key, contentType, metadata = {} } = grant;
    const about = { contentType, metadata: JSON.stringify(metadata), begunAt: clock.now() };
    await store.write("beginUpload", { id, bucket: this.#in.bucket, key, ...about });
    return id;
  }

  async sign(grant: PartGrant): Promise<SignedUpload> {
    checkPart(grant);
    const { expiresInMs, ...part } = grant;
    const url = this.#stores.urls.sign({ method: "PUT", bucket: this.#in.bucket, ...part }, expiresInMs);
    return { method: "PUT", url, headers: {} };
  }

  /** Resolves when the part is on disk. */
  async receive(body: BlobBody, { key, uploadId, part, sizeBytes }: Omit<PartGrant, "expiresInMs">) {
    const { store, files } = this.#stores;
    if (!this.#upload({ key, uploadId })) throw noSuchUpload();
    const { file, sha256: etag } = await files.write(body, sizeBytes);
    const upload = { id: uploadId, bucket: this.#in.bucket, key };
    const unneeded = await store.write("putPart", { upload, row: { part, sizeBytes, etag, file } });
    await files.remove(unneeded ?? [file]);
    if (!unneeded) throw noSuchUpload();
    return { etag };
  }

  async list(upload: PartsUpload): Promise<SentPart[] | undefined> {
    checkBlobKey(upload.key);
    return this.#unfinished(upload)?.parts.map(({ part, sizeBytes, etag }) => ({ part, sizeBytes, etag }));
  }

  async complete({ parts, ...ask }: PartsUpload & { parts: number }): Promise<ObjectRow> {
    checkBlobKey(ask.key);
    checkNumber(parts);
    for (;;) {
      const unfinished = this.#unfinished(ask);
      if (!unfinished) return this.#madeBefore(ask.key, madeOfParts(ask.uploadId, parts));
      try {
        return await this.#join(unfinished, parts);
      } catch (error) {
        if (!(error instanceof PartsChanged)) throw error;
      }
    }
  }

  async abandon({ key, uploadId }: PartsUpload): Promise<void> {
    const { store, files } = this.#stores;
    checkBlobKey(key);
    await files.remove(await store.write("endUpload", { id: uploadId, bucket: this.#in.bucket, key }));
  }

  async #join({ upload, parts }: Unfinished, last: number): Promise<ObjectRow> {
    const { store, files, clock } = this.#stores;
    const { id, bucket, key, contentType, metadata } = upload;
    const chosen = checkParts(parts, last);
    const { file, sizeBytes, sha256: etag } = await files.write(this.#bytesOf(key, chosen));
    const madeOf = madeOfParts(id, last);
    const row = { bucket, key, file, sizeBytes, etag, contentType, metadata, createdAt: clock.now(), madeOf };
    const put = { row, notify: this.#in.notify, requestId: currentRequestId() ?? null };
    const ask = { upload: { id, bucket, key }, files: chosen.map((part) => part.file), put };
    const unneeded = await store.write("completeUpload", ask);
    await files.remove(unneeded ?? [file]);
    if (!unneeded) throw new PartsChanged();
    return row;
  }

  async *#bytesOf(key: string, parts: PartRow[]): AsyncGenerator<Uint8Array> {
    const { store, files } = this.#stores;
    for (const { file, etag } of parts) {
      const handle = await files.open(file);
      if (handle) yield* readChecked(handle, key, etag);
      else throw isReferred(store, file) ? missingFile(key) : new PartsChanged();
    }
  }

  #madeBefore(key: string, madeOf: string): ObjectRow {
    const row = this.#in.findObject(key);
    if (row?.madeOf !== madeOf) throw noSuchUpload();
    return row;
  }

  #upload({ key, uploadId }: PartsUpload): UploadRow | undefined {
    const find = () => this.#findUpload.get(uploadId, this.#in.bucket, key);
    return this.#stores.store.read(find) as UploadRow | undefined;
  }

  /** In one look: the writer may end the upload at any moment. */
  #unfinished(ask: PartsUpload): Unfinished | undefined {
    return this.#stores.store.readTogether(() => {
      const upload = this.#upload(ask);
      return upload && { upload, parts: this.#findParts.all(upload.id) as PartRow[] };
    });
  }
}

/** Ends the uploads that nobody completed or abandoned, and answers how many they were. */
export async function removeOldUploads({ store, clock, files }: Omit<BlobStores, "urls">): Promise<number> {
  const before = clock.now() - UPLOAD_LIFE_MS;
  for (let removed = 0; ; ) {
    const { ended, files: unneeded } = await store.write("endOldUploads", { before, limit: ENDED_AT_ONCE });
    await files.remove(unneeded);
    removed += ended;
    if (ended < ENDED_AT_ONCE) return removed;
  }
}

/** Whether an object or a part has its bytes in the file. */
export function isReferred(store: Store, file: string): boolean {
  const sql = "SELECT 1 FROM objects WHERE file = ? UNION ALL SELECT 1 FROM upload_parts WHERE file = ?";
  return store.read((reader) => reader.prepare(sql).get(file, file)) !== undefined;
}

function madeOfParts(uploadId: string, parts: number): string {
  return `${uploadId}/${parts}`;
}
