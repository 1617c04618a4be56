/** Whose address a request counts for: nobody gets another one by writing headers. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Hono } from "hono";
import { incomingOf } from "../platform/http/on-hono.ts";
import { callerAddress } from "./caller-address.ts";

type Request = { from?: string; forwarded?: string; environment?: object };

async function addressOf(trustedProxies: number, { from = "203.0.113.9", forwarded, environment }: Request = {}) {
  const app = new Hono().get("/", (c) => c.text(callerAddress(incomingOf(c), trustedProxies)));
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded };
  const around = environment ?? { incoming: { socket: { remoteAddress: from } } };
  return (await app.request("/", { headers }, around)).text();
}

describe("without trusted proxies", () => {
  test("it is the connection's", async () => {
    assert.equal(await addressOf(0), "203.0.113.9");
    assert.equal(
      await addressOf(0, { environment: { requestContext: { http: { sourceIp: "198.51.100.7" } } } }),
      "198.51.100.7",
    );
    assert.equal(await addressOf(0, { environment: {} }), "unknown");
  });

  test("x-forwarded-for is ignored, however long", async () => {
    for (const forwarded of ["1.1.1.1", "1.1.1.1, 2.2.2.2, 3.3.3.3", "", "unknown", ",,,"]) {
      assert.equal(await addressOf(0, { forwarded }), "203.0.113.9", forwarded);
    }
  });
});

describe("behind trusted proxies", () => {
  test("it is what the outermost of them saw", async () => {
    assert.equal(await addressOf(1, { forwarded: "198.51.100.7" }), "198.51.100.7");
    assert.equal(await addressOf(2, { forwarded: "198.51.100.7, 10.0.0.2" }), "198.51.100.7");
    assert.equal(await addressOf(2, { forwarded: " 198.51.100.7 ,10.0.0.2 " }), "198.51.100.7");
  });

  test("what callers write before it counts for nothing", async () => {
    assert.equal(await addressOf(1, { forwarded: "1.1.1.1, 198.51.100.7" }), "198.51.100.7");
    assert.equal(await addressOf(1, { forwarded: "1.1.1.1, 2.2.2.2,, 198.51.100.7" }), "198.51.100.7");
    assert.equal(await addressOf(2, { forwarded: "1.1.1.1, 198.51.100.7, 10.0.0.2" }), "198.51.100.7");
  });

  test("who came around them is known by the connection", async () => {
    assert.equal(await addressOf(1), "203.0.113.9");
    assert.equal(await addressOf(2, { forwarded: "1.1.1.1" }), "203.0.113.9");
  });

  test("a port that a proxy adds is no part of it", async () => {
    assert.equal(await addressOf(1, { forwarded: "198.51.100.7:51234" }), "198.51.100.7");
    assert.equal(await addressOf(1, { forwarded: "[2001:db8:1:2::7]:51234" }), "2001:db8:1:2::/64");
  });
});

test("all addresses of an IPv6 network are one caller", async () => {
  const same = [
    "2001:db8:1:2::1",
    "2001:DB8:1:2:ffff:ffff:ffff:ffff",
    "2001:0db8:0001:0002::9",
    "2001:db8:1:2:3::192.0.2.1",
  ];
  for (const from of same) assert.equal(await addressOf(0, { from }), "2001:db8:1:2::/64", from);
  assert.equal(await addressOf(0, { from: "2001:db8:1:3::1" }), "2001:db8:1:3::/64");
  assert.equal(await addressOf(0, { from: "::1" }), "0:0:0:0::/64");
  assert.equal(await addressOf(0, { from: "fe80::1%eth0" }), "fe80:0:0:0::/64");
  assert.equal(await addressOf(0, { from: "1::2:3:4:5:6:7" }), "1:0:2:3::/64");
});

test("an IPv4 address is the same caller over an IPv6 socket", async () => {
  assert.equal(await addressOf(0, { from: "::ffff:203.0.113.9" }), "203.0.113.9");
});
