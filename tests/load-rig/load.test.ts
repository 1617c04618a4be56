/** The load rig's generator against small servers that misbehave: nobody is forgotten, and everything that happened is told. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { orderClicks } from "../../bench/entry/clicks.ts";
import { acceptedTimes } from "../../bench/entry/figures.ts";
import { type Load, runLoad } from "../../bench/entry/load.ts";

const PEOPLE = 200;
const CLICKS = orderClicks(PEOPLE, 1).length;

type Respond = (socket: Socket, request: string, ordinal: number) => void;

/** Runs the generator against a server that does this with each request. */
async function runAgainst(respond: Respond, ratePerSecond?: number): Promise<Load> {
  let requests = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      requests += 1;
      respond(socket, String(bytes), requests);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  try {
    return await runLoad({
      port,
      path: "/api/events/e/participations",
      secret: "ab".repeat(32),
      userPrefix: "u-",
      people: PEOPLE,
      seed: 1,
      connections: 8,
      giveUpAfterMs: 30_000,
      ...(ratePerSecond !== undefined && { ratePerSecond }),
    });
  } finally {
    server.close();
  }
}

function userOf(request: string): string {
  const claims = /authorization: Bearer [^.]+\.([^.]+)\./.exec(request)?.[1] ?? "";
  return JSON.parse(Buffer.from(claims, "base64url").toString()).sub;
}

function accept(socket: Socket, request: string): void {
  const body = JSON.stringify({ requestId: `of ${userOf(request)}`, ticket: 1, queuedAt: 2, duplicate: true });
  socket.write(`HTTP/1.1 202 Accepted\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

function assertAllAccepted({ answers }: Load): void {
  assert.equal(answers.length, CLICKS);
  for (const { userId, status, requestId } of answers) assert.deepEqual([status, requestId], [202, `of ${userId}`]);
  assert.equal(acceptedTimes({ answers }).length, PEOPLE);
}

test("a tenth click twice and a hundredth thrice, the same people for the same seed", () => {
  const clicks = orderClicks(20_000, 5);
  const byPerson = new Map<number, number>();
  for (const person of clicks) byPerson.set(person, (byPerson.get(person) ?? 0) + 1);
  const counts = [...byPerson.values()];
  const share = (times: number) => counts.filter((count) => count === times).length / 20_000;
  assert.equal(byPerson.size, 20_000);
  assert.ok(Math.abs(share(2) - 0.1) < 0.01, `${share(2)} clicked twice`);
  assert.ok(Math.abs(share(3) - 0.01) < 0.004, `${share(3)} clicked thrice`);
  assert.deepEqual(orderClicks(20_000, 5), clicks);
  assert.notDeepEqual(orderClicks(20_000, 6), clicks);
});

test("everybody is sent once, as themselves, back to back and at a rate", async () => {
  for (const rate of [undefined, 2_000]) {
    const load = await runAgainst(accept, rate);
    assertAllAccepted(load);
    assert.ok(
      load.answers.every(({ retries, ticket, queuedAt, isDuplicate }) => {
        return retries === 0 && ticket === 1 && queuedAt === 2 && isDuplicate;
      }),
    );
    assert.deepEqual(load.triedAgain, {});
  }
});

test("at a rate, requests are due one after the other whenever their answers come", async () => {
  const { answers, startedAt } = await runAgainst(accept, 500);
  for (const [n, { dueAt }] of answers.entries()) assert.ok(Math.abs(dueAt - startedAt - n * 2) < 0.01);
});

test("what was cut off is sent again", async () => {
  const load = await runAgainst((socket, request, ordinal) => {
    if (ordinal % 5 === 0) socket.destroy();
    else accept(socket, request);
  });
  assertAllAccepted(load);
  assert.ok(load.answers.reduce((sum, { retries }) => sum + retries, 0) >= CLICKS / 5);
});

test("an answer that is cut off in the middle is none", async () => {
  const load = await runAgainst((socket, request, ordinal) => {
    if (ordinal % 5 === 0) socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 50\r\n\r\n{"requestId":"wro');
    else accept(socket, request);
  });
  assertAllAccepted(load);
});

test("who is asked to try again does, and it is told", async () => {
  const load = await runAgainst((socket, request, ordinal) => {
    if (ordinal % 5 === 0) socket.write("HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n");
    else accept(socket, request);
  });
  assertAllAccepted(load);
  assert.ok((load.triedAgain[503] ?? 0) >= CLICKS / 5);
});

test("a refusal is an answer", async () => {
  const load = await runAgainst((socket) => socket.write("HTTP/1.1 409 Conflict\r\ncontent-length: 2\r\n\r\n{}"));
  assert.equal(load.answers.length, CLICKS);
  assert.ok(load.answers.every(({ status, requestId }) => status === 409 && requestId === undefined));
});

test("answers in pieces and in chunks are read whole", async () => {
  const load = await runAgainst((socket, request, ordinal) => {
    const body = JSON.stringify({ requestId: `of ${userOf(request)}` });
    if (ordinal % 2 === 0) {
      socket.write(`HTTP/1.1 202 Accepted\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
      setTimeout(() => socket.write(body.slice(5)), 2);
    } else {
      const chunks = [body.slice(0, 5), body.slice(5)].map((part) => `${part.length.toString(16)}\r\n${part}\r\n`);
      socket.write(`HTTP/1.1 202 Accepted\r\ntransfer-encoding: chunked\r\n\r\n${chunks.join("")}0\r\n\r\n`);
    }
  });
  assertAllAccepted(load);
});
