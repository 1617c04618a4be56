/** Signed S3 URLs: what the holder of one may do is bound by what is signed. */

import { GetObjectCommand, PutObjectCommand, type S3Client, UploadPartCommand } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { attachment } from "../content-disposition.ts";
import type { DownloadGrant, PartGrant, SignedUpload, UploadGrant } from "../ports.ts";
import { Problem } from "../problem.ts";

const MAX_EXPIRY_MS = 7 * 24 * 60 * 60 * 1000;

export async function signPut(
  client: S3Client,
  bucket: string,
  { key, sizeBytes, contentType, metadata = {}, expiresInMs }: UploadGrant,
  nowMs: number,
): Promise<SignedUpload> {
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: key,
    ContentType: contentType,
    ContentLength: sizeBytes,
    Metadata: metadata,
  });
  const metadataHeaders = Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value] as const);
  const url = await getSignedUrl(client, command, {
    ...validity(expiresInMs, nowMs),
    // Left to itself the presigner leaves the type unsigned, and moves metadata into the URL, where S3 asks for no header.
    signableHeaders: new Set(["host", "content-length", "content-type", ...metadataHeaders.map(([name]) => name)]),
    unhoistableHeaders: new Set(metadataHeaders.map(([name]) => name)),
  });
  // Every client sends the length of its body by itself, and browsers let no script set it.
  return { method: "PUT", url, headers: { "content-type": contentType, ...Object.fromEntries(metadataHeaders) } };
}

export async function signPartPut(
  client: S3Client,
  at: { Bucket: string; Key: string; UploadId: string },
  { part, sizeBytes, expiresInMs }: PartGrant,
  nowMs: number,
): Promise<SignedUpload> {
  const command = new UploadPartCommand({ ...at, PartNumber: part, ContentLength: sizeBytes });
  const signableHeaders = new Set(["host", "content-length"]);
  const url = await getSignedUrl(client, command, { ...validity(expiresInMs, nowMs), signableHeaders });
  return { method: "PUT", url, headers: {} };
}

export async function signGet(
  client: S3Client,
  bucket: string,
  { key, expiresInMs, fileName, asOf }: DownloadGrant,
  nowMs: number,
): Promise<string> {
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ...(fileName !== undefined && { ResponseContentDisposition: attachment(fileName) }),
  });
  return getSignedUrl(client, command, validity(expiresInMs, asOf ?? nowMs));
}

function validity(expiresInMs: number, nowMs: number) {
  if (expiresInMs > MAX_EXPIRY_MS) {
    throw new Problem("invalid", "blob.bad-expiry", "A signed URL is valid for seven days at most.");
  }
  return { expiresIn: Math.max(1, Math.ceil(expiresInMs / 1000)), signingDate: new Date(nowMs) };
}
