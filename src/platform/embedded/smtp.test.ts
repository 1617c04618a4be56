/** Letters through a mail server keep the contract, and what goes wrong there is told without the server's secrets. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import { readMime } from "../contracts/doubles/mime.ts";
import { type Reply, type Smtp, startSmtp } from "../contracts/doubles/smtp.ts";
import { testMail } from "../contracts/mail.contract.ts";
import type { Letter } from "../ports.ts";
import { Problem } from "../problem.ts";
import { openEmbeddedEngines } from "./engines.ts";
import { smtpMail } from "./smtp.ts";

const FROM = "스냅레이스 <no-reply@race.example>";
const LETTER: Letter = { to: "runner@mail.example", subject: "Your code", text: "Your code is 1." };

testMail("smtp", async () => {
  const server = await startSmtp();
  const mail = smtpMail({ url: `smtp://${server.host}`, from: FROM });
  const handedOn = async () => server.received.map(letterIn);
  const close = async () => {
    mail.close();
    await server.stop();
  };
  return { mail, handedOn, close };
});

/** The address is the one the server was told, which counts, and is in the letter too. */
function letterIn({ to, raw }: Smtp["received"][number]): Letter {
  const { text, headers } = readMime(raw);
  assert.deepEqual([headers.get("to")], to);
  return { to: to.join(), subject: headers.get("subject") ?? "", text };
}

async function openMail(
  t: TestContext,
  { reply, login = "", ask = "" }: { reply?: Reply; login?: string; ask?: string },
) {
  const server = await startSmtp(reply);
  const mail = smtpMail({ url: `smtp://${login}${server.host}${ask}`, from: FROM });
  t.after(async () => {
    mail.close();
    await server.stop();
  });
  return { server, mail };
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const error = await work.then(
    () => assert.fail("not refused"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Problem, String(error));
  return error;
}

function replyTo(start: string, line: string): Reply {
  return (command) => (command.startsWith(start) ? line : undefined);
}

describe("a mail server", () => {
  test("gets the letter from the sender, with the sender's name", async (t) => {
    const { server, mail } = await openMail(t, {});
    await mail.send(LETTER);
    assert.equal(server.received[0]?.from, "no-reply@race.example");
    assert.equal(readMime(server.received[0]?.raw ?? "").headers.get("from"), FROM);
  });

  test("that refuses an address for good makes the letter refused, and others still go", async (t) => {
    const { server, mail } = await openMail(t, { reply: replyTo("RCPT TO:<gone@", "550 5.1.1 No such user") });
    const { kind, code, message, cause } = await problemOf(mail.send({ ...LETTER, to: "gone@mail.example" }));
    assert.deepEqual([kind, code], ["invalid", "mail.refused"]);
    assert.match(message, /gone@mail\.example/);
    assert.match(String(cause), /No such user/);
    await mail.send(LETTER);
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [[LETTER.to]],
    );
  });

  const cases: [what: string, reply: Reply, kind: string, code: string][] = [
    ["refuses the letter itself", replyTo(".", "554 5.7.1 Spam"), "invalid", "mail.refused"],
    ["refuses an address for now", replyTo("RCPT TO:", "450 4.2.0 Greylisted"), "unavailable", "mail.unavailable"],
    ["refuses the letter for now", replyTo(".", "452 4.3.1 Full"), "unavailable", "mail.unavailable"],
    ["refuses the sender", replyTo("MAIL FROM:", "553 5.7.1 Not yours"), "misconfigured", "mail.sender-not-verified"],
    ["refuses the sender for now", replyTo("MAIL FROM:", "451 4.7.1 Later"), "unavailable", "mail.unavailable"],
    ["wants to be left alone", replyTo("EHLO", "421 4.3.2 Shutting down"), "unavailable", "mail.unavailable"],
  ];
  for (const [what, reply, kind, code] of cases) {
    test(`that ${what}: ${code}`, async (t) => {
      const { server, mail } = await openMail(t, { reply });
      const problem = await problemOf(mail.send(LETTER));
      assert.deepEqual([problem.kind, problem.code], [kind, code]);
      assert.ok(problem.cause instanceof Error);
      assert.deepEqual(server.received, []);
    });
  }

  test("that says nothing is given up on", async (t) => {
    const { mail } = await openMail(t, { reply: replyTo("MAIL", ""), ask: "?socketTimeout=100" });
    assert.equal((await problemOf(mail.send(LETTER))).code, "mail.unavailable");
  });

  test("that is not there: mail.unavailable", async (t) => {
    const server = await startSmtp();
    await server.stop();
    const mail = smtpMail({ url: `smtp://${server.host}`, from: FROM });
    t.after(() => mail.close());
    const { kind, code, message } = await problemOf(mail.send(LETTER));
    assert.deepEqual([kind, code], ["unavailable", "mail.unavailable"]);
    assert.doesNotMatch(message, /127\.0\.0\.1/);
  });
});

describe("the password", () => {
  const login = "postman:top%20secret@";

  test("that is wrong is not told", async (t) => {
    const reply = replyTo("AUTH", "535 5.7.8 Wrong");
    const { server, mail } = await openMail(t, { reply, login, ask: "?requireTLS=false" });
    const problem = await problemOf(mail.send(LETTER));
    assert.deepEqual([problem.kind, problem.code], ["unavailable", "mail.unavailable"]);
    assert.match(String(problem.cause), /Wrong/);
    assert.doesNotMatch(JSON.stringify([problem.message, String(problem.cause), problem.cause]), /secret|postman/);
    assert.ok(server.commands.includes(`AUTH PLAIN ${btoa("\0postman\0top secret")}`), server.commands.join("\n"));
  });

  test("is not sent in the clear", async (t) => {
    const { server, mail } = await openMail(t, { login });
    assert.equal((await problemOf(mail.send(LETTER))).code, "mail.unavailable");
    assert.deepEqual(
      server.commands.filter((command) => /^(AUTH|MAIL)/.test(command)),
      [],
    );
  });

  for (const url of [
    "smtp://postman:secret@",
    "http://postman:secret@mail.example",
    "postman:secret",
    "smtp://postman:secret@a b",
    "smtp://postman:secret@a%00b",
  ]) {
    test(`is not told of a bad URL: ${url}`, () => {
      assert.throws(
        () => smtpMail({ url, from: FROM }),
        (error) => {
          assert.ok(error instanceof Problem);
          assert.deepEqual([error.kind, error.code, error.cause], ["misconfigured", "mail.bad-url", undefined]);
          assert.doesNotMatch(error.message, /secret|postman/);
          return true;
        },
      );
    });
  }
});

describe("engines with a mail server", () => {
  test("have no inbox, and leave the server when they close", async (t) => {
    const server = await startSmtp();
    t.after(() => server.stop());
    const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
    t.after(() => rm(dataFolder, { recursive: true }));
    const heard: Letter[] = [];
    const smtp = { url: `smtp://${server.host}`, from: FROM };
    const onLetter = (letter: Letter) => heard.push(letter);
    const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1", smtp, onLetter });
    t.after(() => engines.close());
    assert.ok(!("inbox" in engines));
    await engines.mail.send(LETTER);
    assert.deepEqual(server.received.map(letterIn), [LETTER]);
    assert.deepEqual(heard, []);
    await engines.close();
    assert.equal((await problemOf(engines.mail.send(LETTER))).code, "mail.unavailable");
    assert.equal(server.received.length, 1);
  });

  test("do not take the data folder when the URL is bad", async (t) => {
    const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
    t.after(() => rm(dataFolder, { recursive: true }));
    const settings = { dataFolder, publicUrl: "http://127.0.0.1" };
    const smtp = { url: "mail.example", from: FROM };
    assert.equal((await problemOf(openEmbeddedEngines({ ...settings, smtp }))).code, "mail.bad-url");
    await (await openEmbeddedEngines(settings)).close();
  });
});
