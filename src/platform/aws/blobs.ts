/** Objects in an S3 bucket. EventBridge tells of new ones, so that putting sends no message from here. */

import { Readable } from "node:stream";
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { checkBlobKey, checkMetadata } from "../blob-names.ts";
import { UPLOAD_MARK } from "../blob-parts.ts";
import { decodeCursor, encodeCursor } from "../cursor.ts";
import type {
  BlobBody,
  BlobEntry,
  BlobHead,
  Blobs,
  Clock,
  DownloadGrant,
  Page,
  PartGrant,
  PartsGrant,
  PartsUpload,
  SentPart,
  SignedUpload,
  UploadGrant,
} from "../ports.ts";
import { Problem } from "../problem.ts";
import { S3Parts } from "./blob-parts.ts";
import { signGet, signPut } from "./blob-urls.ts";
import { isNamed, isPassingCode, orUnavailable } from "./failures.ts";
import { type Backoff, inGroupsOf, untilNoneLeft } from "./retry.ts";

const KEYS_PER_CALL = 1000;
const BACKOFF: Backoff = { attempts: 5, firstMs: 100, maxMs: 2000 };

type About = { contentType: string; metadata?: { [name: string]: string } };

export class S3Blobs implements Blobs {
  readonly #client: S3Client;
  readonly #clock: Clock;
  readonly #bucket: string;
  readonly #parts: S3Parts;

  constructor(client: S3Client, clock: Clock, bucket: string) {
    this.#client = client;
    this.#clock = clock;
    this.#bucket = bucket;
    const asking = <T>(ask: () => Promise<T>) => this.#asking(ask);
    this.#parts = new S3Parts({ client, clock, bucket, asking, headObject: (key) => this.#headObject(key) });
  }

  async put(key: string, body: BlobBody, { contentType, metadata = {} }: About): Promise<BlobHead> {
    checkBlobKey(key);
    checkMetadata(metadata);
    const { etag, sizeBytes } = await this.#store(key, body, { contentType, metadata });
    // S3 tells the time of an object only to those who ask for the object, which may be another one by now.
    const head = await this.head(key);
    if (head?.etag === etag) return head;
    return { key, sizeBytes, etag, createdAt: wholeSecond(this.#clock.now()), contentType, metadata };
  }

  async get(key: string): Promise<{ head: BlobHead; body: Readable } | undefined> {
    checkBlobKey(key);
    const answer = await this.#unlessMissing(() => this.#client.send(new GetObjectCommand(this.#at(key))));
    if (!answer) return undefined;
    return { head: headOf(key, answer), body: answer.Body as Readable };
  }

  async getWhole(key: string, mostBytes: number): Promise<{ head: BlobHead; bytes?: Buffer } | undefined> {
    const found = await this.get(key);
    if (!found) return undefined;
    if (found.head.sizeBytes > mostBytes) {
      found.body.destroy();
      return { head: found.head };
    }
    return { head: found.head, bytes: Buffer.concat(await found.body.toArray()) };
  }

  async head(key: string): Promise<BlobHead | undefined> {
    checkBlobKey(key);
    const answer = await this.#headObject(key);
    return answer && headOf(key, answer);
  }

  async list({ prefix, limit, cursor }: { prefix: string; limit: number; cursor?: string }): Promise<Page<BlobEntry>> {
    let after = cursor === undefined ? undefined : decodeCursor(cursor, ["after"]).after;
    const items: BlobEntry[] = [];
    for (;;) {
      const command = new ListObjectsV2Command({
        Bucket: this.#bucket,
        Prefix: prefix,
        MaxKeys: Math.min(limit - items.length, KEYS_PER_CALL),
        ...(after !== undefined && { StartAfter: after }),
      });
      const { Contents = [], IsTruncated } = await this.#asking(() => this.#client.send(command));
      for (const { Key = "", Size = 0, ETag, LastModified } of Contents) {
        items.push({ key: Key, sizeBytes: Size, etag: unquoted(ETag), createdAt: timeOf(LastModified) });
      }
      after = items.at(-1)?.key;
      if (!IsTruncated || after === undefined) return { items };
      if (items.length >= limit) return { items, cursor: encodeCursor({ after }) };
    }
  }

  async delete(keys: string[]): Promise<void> {
    for (const key of keys) checkBlobKey(key);
    for (const group of inGroupsOf(KEYS_PER_CALL, [...new Set(keys)])) {
      const left = await untilNoneLeft(group, this.#clock, BACKOFF, (some) => this.#deleteSome(some));
      if (left.length > 0) {
        const message = `${left.length} objects of ${this.#bucket} could not be deleted now, ${left[0]} among them.`;
        throw new Problem("unavailable", "blob.not-deleted", message);
      }
    }
  }

  async signUpload(grant: UploadGrant): Promise<SignedUpload> {
    checkBlobKey(grant.key);
    checkMetadata(grant.metadata ?? {});
    return signPut(this.#client, this.#bucket, grant, this.#clock.now());
  }

  async signDownload(grant: DownloadGrant): Promise<string> {
    checkBlobKey(grant.key);
    return signGet(this.#client, this.#bucket, grant, this.#clock.now());
  }

  async beginParts(grant: PartsGrant): Promise<string> {
    return this.#parts.begin(grant);
  }

  async signPart(grant: PartGrant): Promise<SignedUpload> {
    return this.#parts.sign(grant);
  }

  async listParts(upload: PartsUpload): Promise<SentPart[] | undefined> {
    return this.#parts.list(upload);
  }

  async completeParts(ask: PartsUpload & { parts: number }): Promise<BlobHead> {
    return headOf(ask.key, await this.#parts.complete(ask));
  }

  async abandonParts(upload: PartsUpload): Promise<void> {
    return this.#parts.abandon(upload);
  }

  /** @throws a Problem when the bucket is not there or can't be asked. */
  async checkReady(): Promise<void> {
    try {
      await this.#asking(() => this.#client.send(new HeadBucketCommand({ Bucket: this.#bucket })));
    } catch (error) {
      throw isNamed(error, "NotFound") ? this.#unknownBucket(error) : error;
    }
  }

  async #store(key: string, body: BlobBody, { contentType, metadata }: Required<About>) {
    const object = { ...this.#at(key), ContentType: contentType, Metadata: metadata };
    if (body instanceof Uint8Array) {
      const command = new PutObjectCommand({ ...object, Body: body });
      const { ETag } = await this.#asking(() => this.#client.send(command));
      return { etag: unquoted(ETag), sizeBytes: body.byteLength };
    }
    let sizeBytes = 0;
    async function* counted(chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        sizeBytes += chunk.byteLength;
        yield chunk;
      }
    }
    const upload = new Upload({ client: this.#client, params: { ...object, Body: Readable.from(counted(body)) } });
    const { ETag } = await this.#asking(() => upload.done());
    return { etag: unquoted(ETag), sizeBytes };
  }

  /** Answers the keys S3 could not delete just then. */
  async #deleteSome(keys: string[]): Promise<string[]> {
    const Delete = { Objects: keys.map((Key) => ({ Key })), Quiet: true };
    const command = new DeleteObjectsCommand({ Bucket: this.#bucket, Delete });
    const { Errors = [] } = await this.#asking(() => this.#client.send(command));
    const refused = Errors.find(({ Code }) => !isPassingCode(Code));
    if (refused) throw new Error(`S3 did not delete ${refused.Key}: ${refused.Code} ${refused.Message}`);
    return Errors.map(({ Key = "" }) => Key);
  }

  #headObject(key: string): Promise<HeadObjectCommandOutput | undefined> {
    return this.#unlessMissing(() => this.#client.send(new HeadObjectCommand(this.#at(key))));
  }

  async #unlessMissing<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#asking(ask);
    } catch (error) {
      if (isNamed(error, "NotFound", "NoSuchKey")) return undefined;
      throw error;
    }
  }

  async #asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isNamed(error, "NoSuchBucket")) throw this.#unknownBucket(error);
      throw orUnavailable(error, "blob.busy", `Bucket ${this.#bucket}`);
    }
  }

  #unknownBucket(cause: unknown): Problem {
    const message = `There is no bucket ${this.#bucket}. Deploy it or correct its name.`;
    return new Problem("misconfigured", "blob.unknown-bucket", message, { cause });
  }

  #at(key: string) {
    return { Bucket: this.#bucket, Key: key };
  }
}

type Described = Pick<HeadObjectCommandOutput, "ContentLength" | "ETag" | "LastModified" | "ContentType" | "Metadata">;

function headOf(key: string, { ContentLength = 0, ETag, LastModified, ContentType = "", Metadata = {} }: Described) {
  const { [UPLOAD_MARK]: _, ...metadata } = Metadata;
  return {
    key,
    sizeBytes: ContentLength,
    etag: unquoted(ETag),
    createdAt: timeOf(LastModified),
    contentType: ContentType,
    metadata,
  };
}

function timeOf(lastModified: Date | undefined): number {
  return wholeSecond(lastModified?.getTime() ?? 0);
}

/** A head has whole seconds only; a list is kept to the same, so that an object has one time. */
function wholeSecond(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}

function unquoted(etag = ""): string {
  return etag.replace(/^"|"$/g, "");
}
