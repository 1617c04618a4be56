/**
 * Uploads in parts to S3. A bucket's lifecycle rule (AbortIncompleteMultipartUpload after 7 days) removes the parts of
 * those that nobody ends, and those that came in while theirs was abandoned.
 */

import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  type HeadObjectCommandOutput,
  ListPartsCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { checkBlobKey } from "../blob-names.ts";
import { checkNumber, checkPart, checkParts, nameUpload, noSuchUpload, UPLOAD_MARK } from "../blob-parts.ts";
import type { Clock, PartGrant, PartsGrant, PartsUpload, SentPart, SignedUpload } from "../ports.ts";
import { signPartPut } from "./blob-urls.ts";
import { isNamed } from "./failures.ts";
import { type Backoff, retryOn } from "./retry.ts";

const BACKOFF: Backoff = { attempts: 5, firstMs: 100, maxMs: 2000 };

type Bucket = {
  client: S3Client;
  clock: Clock;
  bucket: string;
  /** Tells what went wrong in the words of the port. */
  asking<T>(ask: () => Promise<T>): Promise<T>;
  headObject(key: string): Promise<HeadObjectCommandOutput | undefined>;
};

export class S3Parts {
  readonly #in: Bucket;

  constructor(bucket: Bucket) {
    this.#in = bucket;
  }

  /**
   * S3 forgets an upload once it is completed, and names it only after its metadata is given. So the object gets a name
   * of ours as metadata, by which it is known to be made of this upload, and both names are the upload's id.
   */
  async begin(grant: PartsGrant): Promise<string> {
    const { client, bucket, asking } = this.#in;
    const name = nameUpload(grant);
    const { key, contentType, metadata = {} } = grant;
    const command = new CreateMultipartUploadCommand({
      Bucket: bucket,
      Key: key,
      ContentType: contentType,
      Metadata: { ...metadata, [UPLOAD_MARK]: name },
    });
    const { UploadId } = await asking(() => client.send(command));
    return `${name}.${UploadId}`;
  }

  async sign(grant: PartGrant): Promise<SignedUpload> {
    checkPart(grant);
    const at = this.#at(grant);
    if (!at) throw noSuchUpload();
    return signPartPut(this.#in.client, at, grant, this.#in.clock.now());
  }

  async list(upload: PartsUpload): Promise<SentPart[] | undefined> {
    checkBlobKey(upload.key);
    const at = this.#at(upload);
    if (!at) return undefined;
    const sent: SentPart[] = [];
    for (;;) {
      // The SDK's own pages never end where S3 gives a marker with its last page, too.
      const PartNumberMarker = String(sent.at(-1)?.part ?? 0);
      const command = new ListPartsCommand({ ...at, PartNumberMarker });
      const page = await this.#unlessEnded(() => this.#in.client.send(command));
      if (!page) return undefined;
      for (const { PartNumber = 0, Size = 0, ETag = "" } of page.Parts ?? []) {
        sent.push({ part: PartNumber, sizeBytes: Size, etag: ETag.replaceAll('"', "") });
      }
      if (!page.IsTruncated) return sent;
    }
  }

  async complete(ask: PartsUpload & { parts: number }): Promise<HeadObjectCommandOutput> {
    checkNumber(ask.parts);
    // A part that is replaced after it was listed is no longer the one that S3 is told to take.
    const isReplaced = (error: unknown) => isNamed(error, "InvalidPart");
    await retryOn(isReplaced, this.#in.clock, BACKOFF, () => this.#join(ask));
    const made = await this.#in.headObject(ask.key);
    if (made && isMadeOf(made, ask)) return made;
    throw noSuchUpload();
  }

  async abandon(upload: PartsUpload): Promise<void> {
    checkBlobKey(upload.key);
    const at = this.#at(upload);
    if (at) await this.#unlessEnded(() => this.#in.client.send(new AbortMultipartUploadCommand(at)));
  }

  /** Does nothing when the upload has ended, perhaps because its answer was lost. */
  async #join(ask: PartsUpload & { parts: number }): Promise<void> {
    const at = this.#at(ask);
    const sent = await this.list(ask);
    if (!at || !sent) return;
    const chosen = checkParts(sent, ask.parts);
    const Parts = chosen.map(({ part, etag }) => ({ PartNumber: part, ETag: `"${etag}"` }));
    const command = new CompleteMultipartUploadCommand({ ...at, MultipartUpload: { Parts } });
    await this.#unlessEnded(() => this.#in.client.send(command));
  }

  async #unlessEnded<T>(ask: () => Promise<T>): Promise<T | undefined> {
    try {
      return await this.#in.asking(ask);
    } catch (error) {
      if (isNamed(error, "NoSuchUpload")) return undefined;
      throw error;
    }
  }

  /** Undefined for an id that was never given out. */
  #at({ key, uploadId }: PartsUpload) {
    const UploadId = /^[0-9a-f]{32}\.(.+)$/.exec(uploadId)?.[1];
    return UploadId === undefined ? undefined : { Bucket: this.#in.bucket, Key: key, UploadId };
  }
}

/** S3 ends the tag of such an object with the number of its parts. */
function isMadeOf(
  { Metadata = {}, ETag = "" }: HeadObjectCommandOutput,
  ask: PartsUpload & { parts: number },
): boolean {
  return Metadata[UPLOAD_MARK] === ask.uploadId.split(".")[0] && ETag.replaceAll('"', "").endsWith(`-${ask.parts}`);
}
