/** Signed URLs of this server: an HMAC binds method, key, time, size, type and metadata, or which part it is, as S3's signature does. */

import { createHmac, timingSafeEqual } from "node:crypto";
import type { Clock } from "../ports.ts";
import { Problem } from "../problem.ts";

const BLOBS_PATH = "/blobs/";
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
  readonly #secret: Buffer;
  readonly #publicUrl: string;
  readonly #clock: Clock;

  constructor(secret: Buffer, publicUrl: string, clock: Clock) {
    this.#secret = secret;
    this.#publicUrl = publicUrl;
    this.#clock = clock;
  }

  sign(signed: Signed, expiresInMs: number, asOf = this.#clock.now()): string {
    const expires = String(asOf + expiresInMs);
    const path = [signed.bucket, ...signed.key.split("/")].map(encodeURIComponent).join("/");
    const url = new URL(BLOBS_PATH + path, this.#publicUrl);
    url.searchParams.set("expires", expires);
    if (signed.method === "GET" && signed.fileName !== undefined) url.searchParams.set("name", signed.fileName);
    if ("uploadId" in signed) {
      url.searchParams.set("uploadId", signed.uploadId);
      url.searchParams.set("part", String(signed.part));
    }
    url.searchParams.set("signature", this.#signature(signed, expires));
    return url.href;
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
    const text = JSON.stringify([signed.method, signed.bucket, signed.key, expires, ...boundBy(signed)]);
    return createHmac("sha256", this.#secret).update(text).digest("base64url");
  }
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
