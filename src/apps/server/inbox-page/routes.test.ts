/** The inbox shows this machine's letters to this machine only. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Hono } from "hono";
import { asProblem } from "../../../platform/problem.ts";
import type { Letter } from "./page.ts";
import { inboxPageRoutes } from "./routes.ts";

const signIn: Letter = {
  to: "ana@race.example",
  subject: "Your sign-in code",
  text: "Your code is 042917.\nIt is good for 10 minutes.",
  sentAt: Date.UTC(2026, 4, 17, 9, 30, 5),
};

function openInbox(letters: Letter[]) {
  const limits: number[] = [];
  const list = async (limit: number) => {
    limits.push(limit);
    return letters;
  };
  const app = new Hono().route("/", inboxPageRoutes({ list }));
  app.onError((error, c) => {
    const problem = asProblem(error);
    return c.json({ code: problem.code }, problem.httpStatus);
  });
  const ask = (path: string, headers: Record<string, string> = {}) =>
    app.request(path, { headers: { host: "localhost:8080", ...headers } });
  return { ask, limits, page: async (path = "/inbox") => (await ask(path)).text() };
}

/** The page with one letter of this text. */
function pageOf(text: string): Promise<string> {
  return openInbox([{ ...signIn, text }]).page();
}

test("a letter is shown with its receiver, subject, time and text", async () => {
  const { ask, limits } = openInbox([signIn]);
  const answer = await ask("/inbox");
  const page = await answer.text();
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get("cache-control"), "no-store");
  assert.match(page, /<h2>Your sign-in code<\/h2>/);
  assert.match(page, /ana@race\.example/);
  assert.match(page, /<time datetime="2026-05-17T09:30:05\.000Z">2026-05-17 09:30:05 UTC<\/time>/);
  assert.match(page, /Your code is 042917\.\nIt is good for 10 minutes\./);
  assert.deepEqual(limits, [50]);
});

test("the newest letter comes first, in whatever order they are listed", async () => {
  const at = (subject: string, sentAt: number) => ({ ...signIn, subject, sentAt });
  const page = await openInbox([at("second", 2), at("third", 3), at("first", 1)]).page();
  assert.deepEqual(
    [...page.matchAll(/<h2>(\w+)<\/h2>/g)].map((match) => match[1]),
    ["third", "second", "first"],
  );
});

test("the sign-in code stands out", async () => {
  assert.match(await pageOf("Your code is 042917."), /<code>042917<\/code>/);
  assert.match(await pageOf("Code:\n\n042917\n"), /<code>042917<\/code>/);
  assert.match(await pageOf("042917"), /<code>042917<\/code>/);
});

const notCodes = [
  "1234567",
  "12345",
  "https://a.example/123456",
  "?code=123456",
  "123456-7",
  "AB123456",
  "1.123456",
  "123456.50",
];
for (const text of notCodes) {
  test(`${text} is no sign-in code`, async () =>
    assert.doesNotMatch(await pageOf(`See ${text} there`), /Sign-in code/));
}

test("an address in a letter is a link, without the full stop after it", async () => {
  const page = await pageOf('Open http://127.0.0.1:8080/join?a=1&b="x. Or https://race.example/x.');
  assert.match(page, /<a href="http:\/\/127\.0\.0\.1:8080\/join\?a=1&amp;b=" rel="noreferrer">/);
  assert.match(page, /<a href="https:\/\/race\.example\/x" rel="noreferrer">https:\/\/race\.example\/x<\/a>\.<\/p>/);
});

test("nothing in a letter becomes HTML", async () => {
  const nasty = '<img src=x onerror="alert(1)">';
  const letter = {
    to: nasty,
    subject: nasty,
    text: `${nasty} javascript:alert(1) https://x"onclick=alert(1)`,
    sentAt: 0,
  };
  const page = await openInbox([letter]).page();
  assert.doesNotMatch(page, /<img src=x|href="javascript|"onclick/);
  assert.equal(page.split("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;").length - 1, 3);
});

test("an empty inbox says what will come and how", async () => {
  const page = await openInbox([]).page();
  assert.match(page, /No letters yet/);
  assert.match(page, /Sign in with an e-mail address/);
  assert.match(page, /<code>SMTP_URL<\/code>/);
});

test("it looks for new letters by itself until told to stand still", async () => {
  const { page } = openInbox([signIn]);
  assert.match(await page(), /<meta http-equiv="refresh" content="5">/);
  assert.doesNotMatch(await page("/inbox?paused"), /http-equiv="refresh"/);
});

test("to everybody else there is nothing, and nothing is read", async () => {
  const { ask, limits } = openInbox([signIn]);
  const strangers: Record<string, string>[] = [
    { host: "race.example" },
    { "x-forwarded-for": "203.0.113.9" },
    { "sec-fetch-site": "cross-site" },
  ];
  for (const headers of strangers) {
    for (const path of ["/inbox", "/inbox.css"]) {
      const answer = await ask(path, headers);
      assert.equal(answer.status, 404);
      assert.deepEqual(await answer.json(), { code: "http.not-found" });
    }
  }
  assert.deepEqual(limits, []);
});
