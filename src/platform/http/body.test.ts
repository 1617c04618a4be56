/** Bodies never grow beyond their limit, whatever their sender says about their length. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Context } from "hono";
import { Problem } from "../problem.ts";
import { readBytes, readText } from "./body.ts";
import { incomingOf } from "./on-hono.ts";

const KIB = 1024;

/** A body in pieces, as chunked encoding brings it, that counts how many were taken. */
function chunked(pieces: number, headers: { [name: string]: string } = {}) {
  let taken = 0;
  const body = new ReadableStream({
    pull: (controller) => {
      if (taken === pieces) return controller.close();
      taken += 1;
      controller.enqueue(new Uint8Array(KIB).fill(97));
    },
  });
  const request = new Request("http://127.0.0.1/x", { method: "POST", body, headers, duplex: "half" });
  return { request: incomingOf(new Context(request)), taken: () => taken };
}

async function refusedAs(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason) => reason,
  );
  assert.ok(error instanceof Problem, `not a problem but ${error}`);
  return `${error.httpStatus} ${error.code}: ${error.message}`;
}

describe("a body", () => {
  test("up to its limit is read, with or without a length", async () => {
    assert.equal((await readText(chunked(4).request, 4 * KIB)).length, 4 * KIB);
    assert.equal((await readText(chunked(4, { "content-length": "4096" }).request, 4 * KIB)).length, 4 * KIB);
  });

  test("that is not there is empty", async () => {
    assert.equal(
      await readText(incomingOf(new Context(new Request("http://127.0.0.1/x", { method: "POST" }))), KIB),
      "",
    );
  });

  test("that says it is too large is refused unread", async () => {
    const { request, taken } = chunked(5, { "content-length": "5120" });
    assert.equal(
      await refusedAs(readText(request, 4 * KIB)),
      "413 http.body-too-large: The body is larger than the 4 KiB this takes.",
    );
    assert.ok(taken() <= 1, `${taken()} pieces were taken`);
  });

  test("that does not say is refused as soon as it is too large", async () => {
    for (const headers of [{}, { "content-length": "1" }, { "content-length": "many" }, { "content-length": "-1" }]) {
      const { request, taken } = chunked(1000, headers);
      assert.match(await refusedAs(readText(request, 4 * KIB)), /^413 http\.body-too-large/, JSON.stringify(headers));
      assert.ok(taken() < 10, `${taken()} pieces were taken`);
    }
  });

  test("is handed on piece by piece", async () => {
    const { request } = chunked(3);
    const sizes: number[] = [];
    for await (const piece of readBytes(request, 3 * KIB)) sizes.push(piece.byteLength);
    assert.deepEqual(sizes, [KIB, KIB, KIB]);
  });

  test("above a mebibyte is told so in mebibytes", async () => {
    const large = chunked(1, { "content-length": String(64 * KIB * KIB) });
    assert.match(await refusedAs(readText(large.request, 2 * KIB * KIB)), /the 2 MiB this takes/);
  });
});
