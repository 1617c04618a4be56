/** What is tried again, how often, and when it is given up. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Problem, type ProblemKind } from "../../platform/problem.ts";
import { createPatience, type PatienceSettings } from "./upload-patience.ts";

const problem = (kind: ProblemKind, retryInMs?: number) =>
  new Problem(kind, "test.failed", "It failed.", retryInMs === undefined ? {} : { retryInMs });

function open(settings: Partial<PatienceSettings> = {}) {
  const waits: Problem[] = [];
  const stop = new AbortController();
  const quick = { firstWaitMs: 1, longestWaitMs: 4, patienceMs: 60_000 };
  const onWait = (why: Problem) => void waits.push(why);
  return { waits, stop, patience: createPatience({ signal: stop.signal, onWait, ...quick, ...settings }) };
}

describe("patience", () => {
  test("lasts until it goes well, and tells of an outage once", async () => {
    const { patience, waits } = open();
    let tries = 0;
    const work = async () => {
      tries += 1;
      if (tries < 12) throw problem(tries % 2 ? "unavailable" : "too-many", 0);
      return tries;
    };
    assert.equal(await patience(work), 12);
    assert.equal(waits.length, 1);
  });

  test("ends when nothing went well for long, and begins afresh when a piece did", async () => {
    const over = open({ patienceMs: 0, firstWaitMs: 2 });
    let tries = 0;
    const failing = async () => {
      tries += 1;
      throw problem("unavailable");
    };
    await assert.rejects(over.patience(failing), { code: "test.failed" });
    assert.equal(tries, 2);
    let pieces = 0;
    const inPieces = async (wentWell: () => void) => {
      wentWell();
      pieces += 1;
      if (pieces < 20) throw problem("unavailable");
    };
    await over.patience(inPieces);
    assert.equal(pieces, 20);
  });

  test("is short with defects, and there is none for what will not pass", async () => {
    for (const [kind, most] of [["unexpected", 4] as const, ["missing", 1] as const, ["invalid", 1] as const]) {
      const { patience } = open();
      let tries = 0;
      const failing = async () => {
        tries += 1;
        throw problem(kind);
      };
      await assert.rejects(patience(failing), { kind });
      assert.equal(tries, most, kind);
    }
    const { patience } = open();
    await assert.rejects(
      patience(() => Promise.reject(new TypeError("a defect"))),
      TypeError,
    );
  });

  test("ends at once when it is told to stop, also while it waits", async () => {
    const { patience, stop } = open({ firstWaitMs: 3_600_000, longestWaitMs: 3_600_000 });
    const waiting = patience(() => Promise.reject(problem("unavailable")));
    setImmediate(() => stop.abort());
    await assert.rejects(waiting, { name: "AbortError" });
    await assert.rejects(
      patience(async () => "never begun"),
      { name: "AbortError" },
    );
  });
});
