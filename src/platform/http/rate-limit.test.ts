/** So many requests and no more, for each caller alone, until the window ends. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../problem.ts";
import { createRateLimit } from "./rate-limit.ts";

function open(requests: number, windowMs = 10_000) {
  let at = Date.UTC(2027, 0, 1);
  const limit = createRateLimit({ requests, windowMs, now: () => at });
  const wait = (ms: number) => {
    at += ms;
  };
  return { wait, count: (caller: string) => outcomeOf(() => limit.count(caller)) };
}

/** How long to wait before the next try, 0 when it was let through. */
function outcomeOf(count: () => void): number {
  try {
    count();
    return 0;
  } catch (error) {
    assert.ok(error instanceof Problem);
    assert.deepEqual([error.httpStatus, error.code], [429, "http.too-many-requests"]);
    return error.retryInMs ?? 0;
  }
}

test("a caller is let through up to the limit, and told how long to wait", () => {
  const { count, wait } = open(3);
  assert.deepEqual([count("kim"), count("kim"), count("kim"), count("kim")], [0, 0, 0, 10_000]);
  wait(7_500);
  assert.equal(count("kim"), 2_500);
});

test("the window's end lets them in again", () => {
  const { count, wait } = open(1);
  assert.deepEqual([count("kim"), count("kim")], [0, 10_000]);
  wait(9_999);
  assert.equal(count("kim"), 1);
  wait(1);
  assert.deepEqual([count("kim"), count("kim")], [0, 10_000]);
});

test("tries beyond the limit do not prolong the wait", () => {
  const { count, wait } = open(1);
  for (let tries = 0; tries < 100; tries++) count("kim");
  wait(10_000);
  assert.equal(count("kim"), 0);
});

test("one caller's requests are not another's", () => {
  const { count } = open(1);
  assert.deepEqual([count("kim"), count("kim"), count("lee"), count("constructor")], [0, 10_000, 0, 0]);
});

test("a quiet time starts no window", () => {
  const { count, wait } = open(1);
  wait(3_600_000);
  assert.deepEqual([count("kim"), count("kim")], [0, 10_000]);
});
