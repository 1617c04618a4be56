/** Taking a port that is free, refusing one that is not, and giving it back without cutting answers off. */

import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { Hono } from "hono";
import { drain, listen } from "./listen.ts";

const anyPort = { host: "127.0.0.1", port: 0 };

async function openServer(app: Hono) {
  const server = await listen(app, anyPort);
  const { port } = server.address() as AddressInfo;
  return { server, port, url: `http://127.0.0.1:${port}` };
}

test("a port in use is refused with a sentence", async () => {
  const { server, port } = await openServer(new Hono());
  await assert.rejects(listen(new Hono(), { host: "127.0.0.1", port }), {
    kind: "misconfigured",
    code: "server.port-in-use",
    message: `Port ${port} of 127.0.0.1 is in use: stop what uses it or set PORT to another.`,
  });
  await drain(server, 0);
});

test("an address of another machine is refused with a sentence", async () => {
  await assert.rejects(listen(new Hono(), { host: "192.0.2.1", port: 0 }), { code: "server.no-such-host" });
});

test("draining lets a running request finish and takes no new one", async () => {
  const gate = Promise.withResolvers<void>();
  const entered = Promise.withResolvers<void>();
  const app = new Hono().get("/slow", async (c) => {
    entered.resolve();
    await gate.promise;
    return c.text("finished");
  });
  const { server, url } = await openServer(app);
  const answer = fetch(`${url}/slow`);
  await entered.promise;
  const drained = drain(server, 10_000);
  await assert.rejects(fetch(`${url}/slow`));
  gate.resolve();
  assert.equal(await (await answer).text(), "finished");
  await drained;
});

test("draining ends by force when the grace is over", async () => {
  const app = new Hono().get("/stuck", () => new Promise<Response>(() => {}));
  const { server, url } = await openServer(app);
  const arrived = once(server, "request");
  const answer = fetch(`${url}/stuck`);
  await arrived;
  await Promise.all([drain(server, 20), assert.rejects(answer)]);
});
