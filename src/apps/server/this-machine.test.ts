/** Only a request that was made on this machine passes; each sign of another origin alone is enough to refuse. */

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { test } from "node:test";
import { Hono } from "hono";
import { drain, listen } from "./listen.ts";
import { isFromThisMachine } from "./this-machine.ts";

const app = new Hono().get("/", (c) => c.text(isFromThisMachine(c) ? "here" : "elsewhere"));

type Given = { headers?: Record<string, string>; env?: object };

async function ask({ headers = {}, env }: Given = {}): Promise<string> {
  const answer = await app.request("/", { headers: { host: "localhost:8080", ...headers } }, env);
  return answer.text();
}

const socketOf = (remoteAddress: string | undefined, httpVersion = "1.1") => ({
  incoming: { httpVersion, socket: { remoteAddress } },
});

for (const host of ["localhost", "localhost:8080", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:80"]) {
  test(`the host ${host} is this machine`, async () => {
    assert.equal(await ask({ headers: { host } }), "here");
  });
}

const otherHosts = [
  "",
  "race.example",
  "localhost.race.example",
  "localhost.",
  "notlocalhost",
  "127.0.0.1.race.example",
  "127.0.0.1@race.example",
  "127x0x0x1",
  "192.168.0.4:8080",
  "0.0.0.0",
  "::1",
  "localhost:",
  "localhost:8080/",
  "localhost:8080, race.example",
];
for (const host of otherHosts) {
  test(`the host "${host}" is another`, async () => {
    assert.equal(await ask({ headers: { host } }), "elsewhere");
  });
}

test("a request that names no host is refused", async () => {
  assert.equal(await (await app.request("/")).text(), "elsewhere");
});

const forwarders = ["Forwarded", "Via", "X-Real-IP", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"];
for (const name of forwarders) {
  test(`${name} says that somebody else asked`, async () => {
    assert.equal(await ask({ headers: { [name]: "127.0.0.1" } }), "elsewhere");
    assert.equal(await ask({ headers: { [name]: "" } }), "elsewhere");
  });
}

test("a browser that asks for another site is refused", async () => {
  const given = (site: string, dest: string) => ask({ headers: { "sec-fetch-site": site, "sec-fetch-dest": dest } });
  assert.equal(await given("none", "document"), "here");
  assert.equal(await given("same-origin", "document"), "here");
  assert.equal(await given("same-site", "document"), "here");
  assert.equal(await given("same-site", "iframe"), "elsewhere");
  assert.equal(await given("same-site", "empty"), "elsewhere");
  assert.equal(await given("cross-site", "document"), "elsewhere");
  assert.equal(await given("cross-site", "iframe"), "elsewhere");
  assert.equal(await given("made-up", "document"), "elsewhere");
});

test("the socket's address decides where it is known", async () => {
  for (const address of ["127.0.0.1", "127.8.9.10", "::1", "::ffff:127.0.0.1"]) {
    assert.equal(await ask({ env: socketOf(address) }), "here", address);
  }
  for (const address of [
    "192.168.0.4",
    "128.0.0.1",
    "::",
    "fe80::1",
    "::ffff:10.0.0.1",
    "2001:db8::1",
    "",
    "localhost",
  ]) {
    assert.equal(await ask({ env: socketOf(address) }), "elsewhere", address);
  }
  assert.equal(await ask({ env: socketOf(undefined) }), "elsewhere");
});

test("HTTP/1.0 is spoken by proxies only", async () => {
  assert.equal(await ask({ env: socketOf("127.0.0.1", "1.0") }), "elsewhere");
});

/** Written by hand, because clients would put their own host or version in. */
async function askOverTcp(address: string, port: number, version: string): Promise<string> {
  const socket = connect(port, address);
  socket.setEncoding("utf8");
  socket.write(`GET / HTTP/${version}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  let answer = "";
  socket.on("data", (text) => {
    answer += text;
  });
  await once(socket, "close");
  return answer;
}

test("over real connections too", async (t) => {
  const server = await listen(app, { host: "0.0.0.0", port: 0 });
  t.after(() => drain(server, 1000));
  const { port } = server.address() as AddressInfo;
  assert.match(await askOverTcp("127.0.0.1", port, "1.1"), /here/);
  assert.match(await askOverTcp("127.0.0.1", port, "1.0"), /elsewhere/);
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const outward = addresses.find((each) => !each.internal && each.family === "IPv4");
  if (outward) assert.match(await askOverTcp(outward.address, port, "1.1"), /elsewhere/);
  else t.diagnostic("This machine has no address but loopback.");
});
