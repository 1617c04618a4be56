/** Who calls: bearer tokens, cookies with a session behind them, and what pages of other sites may not do with them. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Hono } from "hono";
import { createAccessTokens, type TokenHolder } from "../access-tokens.ts";
import { asProblem } from "../problem.ts";
import { identifyCaller, type RenewAccess } from "./caller.ts";
import { incomingOf } from "./on-hono.ts";

const NOW = Date.UTC(2027, 3, 18);
const tokens = createAccessTokens(Buffer.alloc(32, 7), { now: () => NOW, revokedBefore: () => 0 });
const earlier = createAccessTokens(Buffer.alloc(32, 7), { now: () => NOW - 600_000, revokedBefore: () => 0 });
const foreign = createAccessTokens(Buffer.alloc(32, 8), { now: () => NOW, revokedBefore: () => 0 });

const holder = (userId: string): TokenHolder => ({
  userId,
  operator: false,
  organizations: [],
  photographers: [],
  session: true,
  tokenId: "t_1",
});
const token = (userId: string) => tokens.issue(holder(userId), 60_000);

type Sent = { method?: string; headers?: { [name: string]: string }; url?: string };

function open(publicUrl = "http://race.example") {
  const renewals: string[] = [];
  const renew: RenewAccess = async (headers) => {
    const session = /session=(\w+)/.exec(headers.get("cookie") ?? "")?.[1];
    renewals.push(session ?? "none");
    return session ? { token: token(session), cookies: ["session=renewed; Path=/"] } : undefined;
  };
  const app = new Hono().all("*", async (c) => {
    const cookies: string[] = [];
    const actor = await identifyCaller(incomingOf(c), { tokens, renew, publicUrl }, cookies);
    for (const cookie of cookies) c.header("set-cookie", cookie, { append: true });
    return c.text(actor?.userId ?? "nobody");
  });
  app.onError((error, c) => c.text(asProblem(error).code, asProblem(error).httpStatus));
  const call = async ({ method = "GET", headers = {}, url = `${publicUrl}/api/me` }: Sent) => {
    const answer = await app.request(url, { method, headers });
    return { status: answer.status, text: await answer.text(), cookies: answer.headers.getSetCookie() };
  };
  return { call, renewals };
}

describe("bearer tokens", () => {
  test("say who it is, from anywhere and with any method", async () => {
    const { call, renewals } = open();
    const authorization = `Bearer ${token("kim")}`;
    for (const headers of [{ authorization }, { authorization, origin: "https://evil.example" }]) {
      assert.equal((await call({ headers })).text, "kim");
      assert.equal((await call({ headers, method: "DELETE" })).text, "kim");
    }
    assert.equal((await call({ headers: { authorization: `bearer ${token("kim")}` } })).text, "kim");
    assert.deepEqual(renewals, []);
  });

  test("come before cookies: a bad one is refused whoever is signed in", async () => {
    const { call, renewals } = open();
    const cookie = `snaprace_access=${token("kim")}; session=kim`;
    for (const [given, code] of [
      ["", "token.invalid"],
      ["Bearer", "token.invalid"],
      ["Bearer  ", "token.invalid"],
      ["Basic a2ltOmtpbQ==", "token.invalid"],
      [`Bearer ${token("kim")} x`, "token.invalid"],
      [`Bearer "${token("kim")}"`, "token.invalid"],
      [`Bearer ${foreign.issue(holder("kim"), 60_000)}`, "token.invalid"],
      [`Bearer ${earlier.issue(holder("kim"), 60_000)}`, "token.expired"],
    ] as const) {
      const answer = await call({ headers: { authorization: given, cookie } });
      assert.deepEqual([answer.status, answer.text], [401, code], given);
    }
    assert.deepEqual(renewals, []);
  });
});

describe("cookies", () => {
  test("without any it is nobody, and nothing is looked up", async () => {
    const { call, renewals } = open();
    assert.equal((await call({})).text, "nobody");
    assert.deepEqual(renewals, []);
  });

  test("a fresh access cookie is enough", async () => {
    const { call, renewals } = open();
    const answer = await call({ headers: { cookie: `a=b; snaprace_access=${token("kim")}; session=lee` } });
    assert.deepEqual([answer.text, answer.cookies, renewals], ["kim", [], []]);
  });

  test("an old, foreign or broken one is replaced by what the session says now", async () => {
    const old = [
      earlier.issue(holder("lee"), 60_000),
      foreign.issue(holder("lee"), 60_000),
      "x",
      "",
      token("lee").slice(0, -3),
    ];
    for (const access of [undefined, ...old]) {
      const { call, renewals } = open();
      const cookie = `${access === undefined ? "" : `snaprace_access=${access}; `}session=kim`;
      const answer = await call({ headers: { cookie } });
      assert.deepEqual([answer.text, renewals], ["kim", ["kim"]], cookie);
      assert.equal(answer.cookies[0], "session=renewed; Path=/");
      assert.match(
        answer.cookies[1] ?? "",
        /^snaprace_access=[\w.-]+; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
      );
    }
  });

  test("without a session an old one is nobody's", async () => {
    const { call } = open();
    assert.equal(
      (await call({ headers: { cookie: `snaprace_access=${earlier.issue(holder("kim"), 1)}` } })).text,
      "nobody",
    );
  });

  test("are for https only where the site is", async () => {
    const { call } = open("https://race.example");
    const { cookies } = await call({ headers: { cookie: "session=kim" } });
    assert.match(cookies[1] ?? "", /; Secure(;|$)/);
  });
});

describe("with cookies", () => {
  const cookies = { fresh: `snaprace_access=${token("kim")}`, renewed: "session=kim" };
  const own = "http://race.example";

  for (const [kind, cookie] of Object.entries(cookies)) {
    test(`pages of other sites change nothing (${kind})`, async () => {
      const { call } = open();
      const origins = [
        "https://evil.example",
        "https://race.example",
        "http://race.example:9000",
        "http://www.race.example",
        "http://race.example.evil.example",
        "http://race.example/",
        "null",
        "",
      ];
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        for (const origin of origins) {
          // A page may look like the site's own by one header, but browsers write both.
          for (const site of [undefined, "cross-site", "same-site", "same-origin"]) {
            const headers = { cookie, origin, ...(site && { "sec-fetch-site": site }) };
            const answer = await call({ method, headers });
            assert.deepEqual([answer.status, answer.text], [403, "access.foreign-page"], `${method} ${origin} ${site}`);
          }
        }
      }
    });

    test(`who does not say where it comes from changes nothing either (${kind})`, async () => {
      const { call } = open();
      for (const site of [undefined, "none", "same-site", "cross-site", ""]) {
        const headers = { cookie, ...(site !== undefined && { "sec-fetch-site": site }) };
        assert.equal((await call({ method: "POST", headers })).text, "access.foreign-page", site);
      }
    });

    test(`the site's own pages do (${kind})`, async () => {
      const { call } = open();
      assert.equal((await call({ method: "POST", headers: { cookie, origin: own } })).text, "kim");
      assert.equal((await call({ method: "POST", headers: { cookie, "sec-fetch-site": "same-origin" } })).text, "kim");
    });

    test(`reading is fine from anywhere: browsers keep the answer from other sites' pages (${kind})`, async () => {
      const { call } = open();
      assert.equal((await call({ headers: { cookie, origin: "https://evil.example" } })).text, "kim");
      assert.equal((await call({ method: "HEAD", headers: { cookie } })).status, 200);
    });
  }

  test("the address that the browser used counts as the site's own beside the public one", async () => {
    const { call } = open("https://race.example");
    const headers = { cookie: cookies.fresh, origin: "http://127.0.0.1:8080" };
    assert.equal((await call({ method: "POST", headers, url: "http://127.0.0.1:8080/api/me" })).text, "kim");
    assert.equal((await call({ method: "POST", headers, url: "http://127.0.0.1:8081/api/me" })).status, 403);
  });

  test("that name nobody, a foreign page is as good as any", async () => {
    const { call } = open();
    const headers = { cookie: "theme=dark", origin: "https://evil.example" };
    assert.equal((await call({ method: "POST", headers })).text, "nobody");
  });
});
