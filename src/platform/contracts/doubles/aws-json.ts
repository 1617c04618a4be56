/** AWS's JSON protocol in its plainest form, to set doubles up without an SDK. */

/** Doubles check that a request is signed, not the signature. */
export const AUTHORIZATION =
  "AWS4-HMAC-SHA256 Credential=test/20250101/us-east-1/service/aws4_request, SignedHeaders=host, Signature=00";

export async function callJson(endpoint: string, target: string, input: object): Promise<{ [field: string]: unknown }> {
  const response = await fetch(endpoint, {
    method: "POST",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": target,
      "x-amz-date": "20250101T000000Z",
      authorization: AUTHORIZATION,
    },
    body: JSON.stringify(input),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${target} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}
