/** Signed URLs of this server: an HMAC binds method, key, time, size, type and metadata, or which part it is, as S3's signature does. */

import { timingSafeEqual } from "node:crypto";
import { createKeyedHash, type KeyedHash } from "../keyed-hash.ts";
import type { Clock } from "../ports.ts";
import { Problem } from "../problem.ts";

const BLOBS_PATH = "/blobs/";
const PLAIN = /^[\w.~/-]*$/;
export const METADATA_PREFIX = "x-amz-meta-";

/** What a signature vouches for. The upload's size, type and metadata are not in the URL: the request's own are checked. */
export type Signed =
  | { method: "PUT"; bucket: string; key: string; sizeBytes: number; uploadId: string; part: number }
  | {
      method: "PUT";
      bucket: string;
      key: string;
      sizeBytes: number;
      contentType: string;
      metadata: { [name: string]: string };
    }
  | { method: "GET"; bucket: string; key: string; fileName: string | undefined };

export class BlobUrls {
  readonly #hash: KeyedHash;
  readonly #origin: string;
  readonly #clock: Clock;

  constructor(secret: Buffer, publicUrl: string, clock: Clock) {
    this.#hash = createKeyedHash(secret);
    this.#origin = new URL(publicUrl).origin;
    this.#clock = clock;
  }

  /** Put together as text: a page of photos has a hundred of these, and a URL object takes longer than the signature. */
  sign(signed: Signed, expiresInMs: number, asOf = this.#clock.now()): string {
    const expires = String(asOf + expiresInMs);
    let query = `expires=${expires}`;
    if (signed.method === "GET" && signed.fileName !== undefined)
      query += `&name=${encodeURIComponent(signed.fileName)}`;
    if ("uploadId" in signed) query += `&uploadId=${encodeURIComponent(signed.uploadId)}&part=${signed.part}`;
    query += `&signature=${this.#signature(signed, expires)}`;
    return `${this.#origin}${BLOBS_PATH}${encodePath(signed.bucket)}/${encodePath(signed.key)}?${query}`;
  }

  /** Gives what the request may do, and refuses it when its signature says otherwise. */
  verify(request: Request): Signed {
    const url = new URL(request.url);
    const signed = claimOf(request, url);
    const expires = url.searchParams.get("expires") ?? "";
    const wanted = Buffer.from(this.#signature(signed, expires));
    const given = Buffer.from(url.searchParams.get("signature") ?? "");
    if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) {
      throw new Problem(
        "forbidden",
        "blob.bad-signature",
        "The signed URL does not allow this request: send exactly the method, size, type and metadata it was made for.",
      );
    }
    if (this.#clock.now() > Number(expires)) {
      throw new Problem("forbidden", "blob.expired", "The signed URL has expired. Ask for a new one.");
    }
    return signed;
  }

  #signature(signed: Signed, expires: string): string {
    return this.#hash(JSON.stringify([signed.method, signed.bucket, signed.key, expires, ...boundBy(signed)]));
  }
}

/** Most keys are plain, and to see that takes less than to encode them. */
function encodePath(path: string): string {
  return PLAIN.test(path) ? path : path.split("/").map(encodeURIComponent).join("/");
}

function boundBy(signed: Signed): unknown[] {
  if (signed.method === "GET") return [signed.fileName ?? null];
  if ("uploadId" in signed) return [signed.uploadId, signed.part, signed.sizeBytes];
  return [signed.sizeBytes, signed.contentType, Object.entries(signed.metadata).sort()];
}

function claimOf(request: Request, url: URL): Signed {
  const [bucket = "", ...parts] = url.pathname.slice(BLOBS_PATH.length).split("/").map(decode);
  const key = parts.join("/");
  if (request.method === "GET") {
    return { method: "GET", bucket, key, fileName: url.searchParams.get("name") ?? undefined };
  }
  if (request.method !== "PUT") {
    throw new Problem("forbidden", "blob.bad-method", "A signed URL is used with GET or PUT only.");
  }
  const length = request.headers.get("content-length");
  if (length === null) throw new Problem("invalid", "blob.no-length", "An upload needs a Content-Length header.");
  const sizeBytes = Number(length);
  const uploadId = url.searchParams.get("uploadId");
  if (uploadId !== null) {
    return { method: "PUT", bucket, key, sizeBytes, uploadId, part: Number(url.searchParams.get("part")) };
  }
  const metadata: { [name: string]: string } = {};
  for (const [name, value] of request.headers) {
    if (name.startsWith(METADATA_PREFIX)) metadata[name.slice(METADATA_PREFIX.length)] = value;
  }
  const contentType = request.headers.get("content-type") ?? "";
  return { method: "PUT", bucket, key, sizeBytes, contentType, metadata };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Problem("invalid", "blob.bad-key", "The URL's path is not valid.");
  }
}
