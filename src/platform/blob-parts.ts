/** S3's rules for objects that come in parts, checked in front of both engines so that both refuse alike. */

import { randomBytes } from "node:crypto";
import { checkBlobKey, checkMetadata } from "./blob-names.ts";
import type { PartGrant, PartsGrant, SentPart } from "./ports.ts";
import { Problem } from "./problem.ts";

const MAX_PARTS = 10_000;
/** S3's own limit for all parts but the last. */
const MIN_PART_BYTES = 5 * 1024 * 1024;
/** S3 takes 5 GiB; what is lost when a connection breaks should be less. */
const MAX_PART_BYTES = 100 * 1024 * 1024;
const NAMED_AT_MOST = 10;

/** The name of the metadata by which an object in S3 shows which upload it is of. */
export const UPLOAD_MARK = "snaprace-upload";

/** Answers a name for the upload, and refuses metadata that has no room for it beside it. */
export function nameUpload({ key, metadata = {} }: PartsGrant): string {
  const name = randomBytes(16).toString("hex");
  checkBlobKey(key);
  checkMetadata({ ...metadata, [UPLOAD_MARK]: name });
  return name;
}

export function checkPart({ key, part, sizeBytes }: PartGrant): void {
  checkBlobKey(key);
  checkNumber(part);
  if (Number.isSafeInteger(sizeBytes) && sizeBytes >= 1 && sizeBytes <= MAX_PART_BYTES) return;
  throw badPart(`A part has 1 to ${MAX_PART_BYTES} bytes, not ${sizeBytes}.`);
}

/** Gives the parts from 1 to the last one, if they are all there and make an object. */
export function checkParts<Part extends SentPart>(sent: Part[], last: number): Part[] {
  const chosen = sent.filter(({ part }) => part <= last);
  if (chosen.length < last) throw partsMissing(new Set(chosen.map(({ part }) => part)), last);
  const small = chosen.find(({ part, sizeBytes }) => part < last && sizeBytes < MIN_PART_BYTES);
  if (!small) return chosen;
  throw badPart(
    `Part ${small.part} has ${small.sizeBytes} bytes: every part but the last needs ${MIN_PART_BYTES} or more. Send it again.`,
  );
}

/** A part's number, or how many there are. */
export function checkNumber(part: number): void {
  if (Number.isSafeInteger(part) && part >= 1 && part <= MAX_PARTS) return;
  throw badPart(`Parts are counted from 1 to ${MAX_PARTS}: ${part} is none.`);
}

export function noSuchUpload(): Problem {
  return new Problem(
    "missing",
    "blob.no-such-upload",
    "There is no such upload in parts: it was never begun, has ended, or its object was replaced since. Begin a new one.",
  );
}

function partsMissing(sent: Set<number>, last: number): Problem {
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter((part) => !sent.has(part));
  const named = missing.slice(0, NAMED_AT_MOST).join(", ");
  const others = missing.length > NAMED_AT_MOST ? ` and ${missing.length - NAMED_AT_MOST} more` : "";
  return new Problem(
    "conflict",
    "blob.parts-missing",
    `Of ${last} parts some are missing: send ${named}${others}, then complete the upload again.`,
    { details: { missing } },
  );
}

function badPart(message: string): Problem {
  return new Problem("invalid", "blob.bad-part", message);
}
