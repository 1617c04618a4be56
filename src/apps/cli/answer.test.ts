/** Answers become the Problems they were, and what is no SnapRace is told from it. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../platform/problem.ts";
import { checkAnswer, readAnswer } from "./answer.ts";

const SERVER = "https://race.example";

function problemAnswer(status: number, body: object, headers: { [name: string]: string } = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

async function refused(answer: Response): Promise<Problem> {
  try {
    await checkAnswer(answer, SERVER);
  } catch (error) {
    assert.ok(error instanceof Problem);
    return error;
  }
  return assert.fail("it was not refused");
}

test("a problem keeps its code, sentence and details, and gets its kind by the status", async () => {
  const errors = [{ line: 17, reason: "The bib is missing." }];
  const standard = { type: "about:blank", title: "Bad Request", status: 400, requestId: "0a" };
  const problem = await refused(problemAnswer(400, { ...standard, code: "a.b", detail: "Mend it.", errors }));
  assert.equal(problem.code, "a.b");
  assert.equal(problem.message, "Mend it.");
  assert.deepEqual(problem.details, { errors, requestId: "0a" });
  assert.equal(problem.kind, "invalid");
});

test("every status has the exit code that the problem would have had here", async () => {
  const expected = { 401: 4, 403: 4, 404: 3, 409: 3, 413: 2, 414: 2, 415: 2, 429: 75, 503: 75, 418: 70 };
  for (const [status, exitCode] of Object.entries(expected)) {
    const problem = await refused(problemAnswer(Number(status), { code: "a.b", detail: "Mend it." }));
    assert.equal(problem.exitCode, exitCode, status);
  }
  const defect = await refused(problemAnswer(500, { code: "internal.error", detail: "Ours." }));
  const misconfigured = await refused(problemAnswer(500, { code: "config.no-region", detail: "Set it." }));
  assert.deepEqual([defect.exitCode, misconfigured.exitCode], [70, 78]);
});

test("when to try again comes along", async () => {
  const answer = problemAnswer(429, { code: "a.b", detail: "Wait." }, { "retry-after": "7" });
  assert.equal((await refused(answer)).retryInMs, 7000);
});

test("a proxy's page, another website and a redirect are told as such", async () => {
  const page = await refused(new Response("<h1>Bad Gateway</h1>", { status: 502, statusText: "Bad Gateway" }));
  assert.equal(page.code, "server.not-snaprace");
  assert.match(page.message, /race\.example answered 502 Bad Gateway/);
  assert.equal(page.kind, "unavailable");
  const moved = await refused(new Response(null, { status: 301, headers: { location: "https://new.example" } }));
  assert.match(moved.message, /https:\/\/new\.example/);
  await assert.rejects(readAnswer(new Response("<html>"), SERVER), { code: "server.not-snaprace" });
});

test("what is fine is JSON, or nothing", async () => {
  assert.deepEqual(await readAnswer(await checkAnswer(Response.json({ a: 1 }), SERVER), SERVER), { a: 1 });
  assert.equal(await readAnswer(new Response(null, { status: 204 }), SERVER), undefined);
});
