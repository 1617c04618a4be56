/** Log lines: JSON, with the request id, without secrets. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { newRequestId, withRequestId } from "../platform/request-context.ts";
import { createLog } from "./log.ts";

function logLines() {
  const lines: string[] = [];
  const log = createLog({ level: "info", to: { write: (line) => lines.push(line) } });
  return { log, lines };
}

test("a line carries the id of the request it belongs to", () => {
  const { log, lines } = logLines();
  const requestId = newRequestId();
  withRequestId(requestId, () => log.info("inside"));
  log.info("outside");
  const [inside, outside] = lines.map((line) => JSON.parse(line));
  assert.equal(inside.requestId, requestId);
  assert.equal(inside.level, "info");
  assert.equal("requestId" in outside, false);
});

test("no secret leaves with a line, wherever it stands", () => {
  const { log, lines } = logLines();
  const url = "https://b.s3.amazonaws.com/k?X-Amz-Credential=AKIASECRET&X-Amz-Signature=SECRET&x-id=PutObject";
  log.info({ url, nested: { headers: { authorization: "Bearer SECRET", cookie: 'a="SECRET"' } } }, "answered");
  log.error({ err: new Error(`fetch failed: ${url} with Bearer abc.SECRET-def`) }, "failed");
  log.info(`GET /blobs/k?expires=9&signature=SECRET`);
  for (const line of lines) {
    assert.doesNotMatch(line, /SECRET/);
    assert.match(line, /\[hidden\]/);
    assert.doesNotThrow(() => JSON.parse(line));
  }
  assert.match(lines[0] ?? "", /x-id=PutObject/);
});

test("what looks like a secret's name but is none stays readable", () => {
  const { log, lines } = logLines();
  log.info({ ticket: "7", tokenCount: "3" }, "the signature was wrong");
  assert.doesNotMatch(lines[0] ?? "", /hidden/);
});
