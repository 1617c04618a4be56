/** What every answer tells browsers, so that nothing of ours is framed, sniffed, or more powerful than it need be. */

const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Plain and made once, so that no answer has to make an object of Headers. */
export function protectiveHeaders(publicUrl: string): { [name: string]: string } {
  return {
    "content-security-policy": PAGE_POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "origin-agent-cluster": "?1",
    "referrer-policy": "no-referrer",
    // Without subdomains: they may belong to somebody else's site.
    ...(publicUrl.startsWith("https:") && { "strict-transport-security": "max-age=15552000" }),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
  };
}
