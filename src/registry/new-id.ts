/** An id for what was made without one: readable where the name allows it, and never taken. */

import { randomBytes } from "node:crypto";

const LONGEST_SLUG = 40;

/** "Han River 10K" becomes `han-river-10k-3f9a1c`; a name without Latin letters only the random part. */
export function newId(prefix: string, name: string): string {
  const slug = name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST_SLUG)
    .replaceAll(/^-+|-+$/g, "");
  return `${slug || prefix}-${randomBytes(3).toString("hex")}`;
}
