/** Answers requests to signed blob URLs, as S3 would. */

import { Readable } from "node:stream";
import { attachment } from "../content-disposition.ts";
import { Problem } from "../problem.ts";
import type { BlobUrls } from "./blob-urls.ts";
import type { FileBlobs } from "./blobs.ts";

/** An object may be replaced by another: after some minutes browsers ask whether theirs is still the one. */
const CACHE_CONTROL = "private, max-age=300";

export async function serveBlob(
  urls: BlobUrls,
  bucketOf: (name: string) => FileBlobs | undefined,
  request: Request,
): Promise<Response> {
  const signed = urls.verify(request);
  const blobs = bucketOf(signed.bucket);
  if (!blobs) throw new Problem("missing", "blob.no-bucket", "There is no such bucket here.");
  if (signed.method === "PUT") {
    const body = request.body ?? new Uint8Array(0);
    const { etag } = await ("uploadId" in signed ? blobs.receivePart(body, signed) : blobs.receive(body, signed));
    return new Response(null, { status: 200, headers: { etag: `"${etag}"` } });
  }
  const given = request.headers.get("if-none-match");
  const known = given === null ? undefined : await blobs.head(signed.key);
  if (known && given === `"${known.etag}"`) {
    return new Response(null, { status: 304, headers: { etag: given, "cache-control": CACHE_CONTROL } });
  }
  const found = await blobs.get(signed.key);
  if (!found) throw new Problem("missing", "blob.missing", "There is no such object any more.");
  const headers = new Headers({
    "content-type": found.head.contentType,
    "content-length": String(found.head.sizeBytes),
    etag: `"${found.head.etag}"`,
    "cache-control": CACHE_CONTROL,
    // Whatever was uploaded, it is never run as a page of this origin.
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
  });
  if (signed.fileName !== undefined) headers.set("content-disposition", attachment(signed.fileName));
  return new Response(Readable.toWeb(found.body) as ReadableStream, { headers });
}
