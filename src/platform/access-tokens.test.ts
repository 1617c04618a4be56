/** Access tokens: what was given out is understood again, and nothing else ever is. */

import assert from "node:assert/strict";
import { createHmac, hkdfSync, randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createAccessTokens, revokedSubjects, type TokenHolder } from "./access-tokens.ts";
import type { Actor } from "./actor.ts";
import { Problem } from "./problem.ts";

const NOW = Date.UTC(2027, 3, 18, 9, 30);
const HOUR_MS = 3_600_000;
const secret = randomBytes(32);
const key = Buffer.from(hkdfSync("sha256", secret, "", "snaprace access tokens", 32));

const holder: TokenHolder = {
  userId: "u_minji",
  email: "minji@example.com",
  operator: false,
  organizations: ["han-river-runners", "부산마라톤"],
  photographers: ["minji-kim"],
  session: true,
  tokenId: "t_1",
};

function open(settings: Partial<Parameters<typeof createAccessTokens>[1]> & { secret?: Uint8Array } = {}) {
  return createAccessTokens(settings.secret ?? secret, { now: () => NOW, revokedBefore: () => 0, ...settings });
}

const codeOf = (verify: () => unknown): string => {
  try {
    verify();
  } catch (error) {
    assert.ok(error instanceof Problem, `not a problem but ${error}`);
    assert.equal(error.kind, "unauthenticated");
    return error.code;
  }
  return "accepted";
};

const encode = (part: object | string) =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");

/** Signs anything, the way only the installation itself could. */
function signed(claims: object | string, header: object = { alg: "HS256", typ: "JWT" }, hash = "sha256"): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${createHmac(hash, key).update(input).digest("base64url")}`;
}

const claims = { iss: "snaprace", jti: "t_1", sub: "u_minji", ims: NOW, exp: NOW / 1000 + 60 };

describe("what is given out", () => {
  const id = fc.stringMatching(/^[a-z0-9가-힣][a-z0-9가-힣._-]{0,20}$/);
  const holders: fc.Arbitrary<TokenHolder> = fc.record(
    {
      userId: id,
      email: fc.emailAddress(),
      operator: fc.boolean(),
      organizations: fc.array(id, { maxLength: 10 }),
      photographers: fc.array(id, { maxLength: 20 }),
      session: fc.boolean(),
      tokenId: fc.string({ minLength: 1, unit: "grapheme" }),
    },
    { requiredKeys: ["userId", "operator", "organizations", "photographers", "session", "tokenId"] },
  ) as fc.Arbitrary<TokenHolder>;

  test("is understood as it was meant, until it ends", () => {
    fc.assert(
      fc.property(holders, fc.integer({ min: 1, max: 365 * 24 * HOUR_MS }), (given, lifetimeMs) => {
        let now = NOW;
        const tokens = open({ now: () => now });
        const token = tokens.issue(given, lifetimeMs);
        const expiresAt = Math.ceil((NOW + lifetimeMs) / 1000) * 1000;
        assert.deepEqual(tokens.verify(token), { ...given, expiresAt } satisfies Actor);
        now = expiresAt - 1;
        assert.equal(tokens.verify(token).userId, given.userId);
        now = expiresAt;
        assert.equal(
          codeOf(() => tokens.verify(token)),
          "token.expired",
        );
      }),
    );
  });

  test("holds on another server with the same secret, and on none with another", () => {
    const token = open().issue(holder, HOUR_MS);
    assert.equal(open({ secret: Uint8Array.from(secret) }).verify(token).userId, "u_minji");
    assert.equal(
      codeOf(() => open({ secret: randomBytes(32) }).verify(token)),
      "token.invalid",
    );
  });
});

describe("what was never given out is refused", () => {
  const token = open().issue(holder, HOUR_MS);
  const [header = "", payload = "", signature = ""] = token.split(".");

  test("the samples below are signed as real tokens are", () => {
    assert.equal(open().verify(signed(claims)).userId, "u_minji");
  });

  test("every truncation", () => {
    for (let length = 0; length < token.length; length++) {
      assert.equal(
        codeOf(() => open().verify(token.slice(0, length))),
        "token.invalid",
        `cut to ${length}`,
      );
    }
  });

  test("every changed byte", () => {
    for (const [index, part] of [header, payload, signature].entries()) {
      const bytes = Buffer.from(part, "base64url");
      for (let position = 0; position < bytes.length; position++) {
        const changed = Buffer.from(bytes);
        changed.writeUInt8((changed.readUInt8(position) + 1) % 256, position);
        const parts = [header, payload, signature].with(index, changed.toString("base64url"));
        assert.equal(
          codeOf(() => open().verify(parts.join("."))),
          "token.invalid",
          `byte ${position} of part ${index}`,
        );
      }
    }
  });

  test("claims of one's own under another token's signature", () => {
    const forged = encode({ ...claims, opr: true });
    assert.equal(
      codeOf(() => open().verify(`${header}.${forged}.${signature}`)),
      "token.invalid",
    );
  });

  test("no algorithm, with a signature or without", () => {
    for (const alg of ["none", "None", "NONE", "", null]) {
      const unsigned = `${encode({ alg, typ: "JWT" })}.${encode(claims)}`;
      for (const forged of [`${unsigned}.`, unsigned, `${unsigned}.${signature}`, signed(claims, { alg })]) {
        assert.equal(
          codeOf(() => open().verify(forged)),
          "token.invalid",
          `${alg}: ${forged}`,
        );
      }
    }
  });

  test("another algorithm, even with the right key", () => {
    assert.equal(
      codeOf(() => open().verify(signed(claims, { alg: "HS512" }, "sha512"))),
      "token.invalid",
    );
    assert.equal(
      codeOf(() => open().verify(signed(claims, { alg: "RS256" }))),
      "token.invalid",
    );
    assert.equal(
      codeOf(() => open().verify(signed(claims, { alg: "HS256", crit: ["exp"] }))),
      "token.invalid",
    );
  });

  test("a key made from the secret for something else", () => {
    const input = `${header}.${encode(claims)}`;
    const forged = `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
    assert.equal(
      codeOf(() => open().verify(forged)),
      "token.invalid",
    );
  });

  test("text that is no token at all", () => {
    for (const text of [
      "",
      ".",
      "..",
      "...",
      "a.b.c",
      "null",
      "{}",
      "é.é.é",
      `${token}.${token}`,
      ` ${token}`,
      `${token}\n`,
    ]) {
      assert.equal(
        codeOf(() => open().verify(text)),
        "token.invalid",
        JSON.stringify(text),
      );
    }
  });

  test("a megabyte of it", () => {
    const large = "A".repeat(1024 * 1024);
    for (const text of [
      large,
      `${header}.${large}.${signature}`,
      `${token}${large}`,
      `${large}.${payload}.${signature}`,
    ]) {
      assert.equal(
        codeOf(() => open().verify(text)),
        "token.invalid",
      );
    }
  });
});

describe("what is signed but makes no sense is refused too", () => {
  const { jti, sub, ims, exp, ...issuer } = claims;
  const wrong: { [what: string]: object | string } = {
    "another issuer": { ...claims, iss: "somebody" },
    "no token id": { ...issuer, sub, ims, exp },
    "an empty token id": { ...claims, jti: "" },
    "no subject": { ...issuer, jti, ims, exp },
    "a subject that is no user's id": { ...claims, sub: "a b" },
    "no moment": { ...issuer, jti, sub, exp },
    "no end": { ...issuer, jti, sub, ims },
    "an end that is no number": { ...claims, exp: "never" },
    "an organization that is none": { ...claims, org: ["../han"] },
    "organizations that are no list": { ...claims, org: "han-river-runners" },
    "an operator by another word": { ...claims, opr: "true" },
    "a list": [claims],
    "no JSON": "minji",
  };
  for (const [what, body] of Object.entries(wrong)) {
    test(what, () =>
      assert.equal(
        codeOf(() => open().verify(signed(body))),
        "token.invalid",
      ),
    );
  }

  test("claims it does not know are left aside", () => {
    const actor = open().verify(signed({ ...claims, operator: true, organizations: ["a"], constructor: 1 }));
    assert.equal(actor.operator, false);
    assert.deepEqual(actor.organizations, []);
    assert.deepEqual(Object.keys(actor).sort(), [
      "expiresAt",
      "operator",
      "organizations",
      "photographers",
      "session",
      "tokenId",
      "userId",
    ]);
  });
});

describe("what was revoked", () => {
  const revoking = (subject: string, before = NOW) =>
    open({ revokedBefore: (asked) => (asked === subject ? before : 0) });

  test("a token is void whenever it was made: its id never comes back", () => {
    for (const before of [NOW - HOUR_MS, NOW, NOW + HOUR_MS]) {
      const tokens = revoking(revokedSubjects.token("t_1"), before);
      assert.equal(
        codeOf(() => tokens.verify(tokens.issue(holder, HOUR_MS))),
        "token.revoked",
      );
      assert.equal(tokens.verify(tokens.issue({ ...holder, tokenId: "t_2" }, HOUR_MS)).tokenId, "t_2");
    }
  });

  const losses = [
    { subject: revokedSubjects.organization("han-river-runners"), left: { organizations: ["부산마라톤"] } },
    { subject: revokedSubjects.organizer("han-river-runners", "u_minji"), left: { organizations: ["부산마라톤"] } },
    { subject: revokedSubjects.organizer("han-river-runners", "u_other"), left: {} },
    { subject: revokedSubjects.organization("han-river"), left: {} },
    { subject: revokedSubjects.photographer("minji-kim"), left: { photographers: [] } },
  ];
  for (const { subject, left } of losses) {
    test(`${subject} takes only its own`, () => {
      const tokens = revoking(subject);
      const actor = tokens.verify(tokens.issue(holder, HOUR_MS));
      assert.deepEqual(actor, { ...holder, ...left, expiresAt: NOW + HOUR_MS });
    });
  }

  test("is not said by a token whose word is as old, and may be said again by a later one", () => {
    const tokens = revoking(revokedSubjects.organization("han-river-runners"));
    const said = (saidAt: number) => tokens.verify(tokens.issue(holder, HOUR_MS, saidAt)).organizations;
    assert.deepEqual(said(NOW - 1), ["부산마라톤"]);
    assert.deepEqual(said(NOW), ["부산마라톤"]);
    assert.deepEqual(said(NOW + 1), holder.organizations);
  });
});

test("an operator who is none any more loses it; a token made at the machine has no address to lose", () => {
  const tokens = open({ isOperator: (email) => email === "minji@example.com" });
  const isOperator = (given: Partial<TokenHolder>) =>
    tokens.verify(tokens.issue({ ...holder, operator: true, ...given }, HOUR_MS)).operator;
  assert.equal(isOperator({}), true);
  assert.equal(isOperator({ email: "former@example.com" }), false);
  assert.equal(isOperator({ operator: false }), false);
  const { email: _, ...atMachine } = holder;
  assert.equal(tokens.verify(tokens.issue({ ...atMachine, operator: true }, HOUR_MS)).operator, true);
});
