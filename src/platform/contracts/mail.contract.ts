/** What every engine of the mail port does: the suite is the port's definition. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Letter, Mail } from "../ports.ts";
import { refusedWith } from "./refused.ts";

export type MailSubject = {
  mail: Mail;
  /** All letters handed on so far, in no promised order. */
  handedOn(): Promise<Letter[]>;
  close(): Promise<void>;
};

const LETTER: Letter = { to: "runner@mail.example", subject: "Your code", text: "Your code is 123456." };

export function testMail(name: string, open: () => Promise<MailSubject>): void {
  describe(`mail: ${name}`, () => {
    let subject: MailSubject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());
    describe("letters", () => testLetters(() => subject));
    describe("refusals", () => testRefusals(() => subject));
  });
}

function testLetters(subject: () => MailSubject): void {
  const handsOn = async (letters: Letter[]) => {
    const known = new Set((await subject().handedOn()).map(written));
    await Promise.all(letters.map((letter) => subject().mail.send(letter)));
    const added = (await subject().handedOn()).map(written).filter((letter) => !known.has(letter));
    assert.deepEqual(added.sort(), letters.map(written).sort());
  };

  test("a letter is handed on as it was written", () => handsOn([LETTER]));

  test("in any script", () =>
    handsOn([
      {
        ...LETTER,
        subject: "로그인 코드 🏃 — für Läufer, 日本語で".repeat(4),
        text: "코드는 123456입니다.\n\n🏃 Grüße",
      },
    ]));

  test("line by line, whatever a line looks like", () => {
    const lines = [
      "",
      ".",
      "..",
      "QUIT",
      "From: other@mail.example",
      " indented",
      "trailing ",
      "=3D\t=",
      "x".repeat(3000),
    ];
    return handsOn([{ ...LETTER, subject: "Lines", text: [...lines, "end"].join("\n") }]);
  });

  test("to any address that browsers take", () => {
    const addresses = [
      "a@b.co",
      "o'brien+race=2025@sub-domain.mail.example",
      "Kim.Runner_1@mail.example",
      `${"l".repeat(64)}@mail.example`,
      "a!#$%&*/?^`{|}~-z@xn--9n2bp8q.example",
    ];
    return handsOn(addresses.map((to) => ({ ...LETTER, to })));
  });

  test("many at once, each once", () =>
    handsOn(Array.from({ length: 30 }, (_, n) => ({ ...LETTER, text: `Your code is ${n}.` }))));
}

const BAD_LETTERS: { [reason: string]: Partial<Letter> } = {
  "no address": { to: "" },
  "an address without a domain": { to: "runner" },
  "a domain of one part": { to: "runner@localhost" },
  "an address without a name": { to: "@mail.example" },
  "two addresses": { to: "a@mail.example,b@mail.example" },
  "two addresses with a semicolon": { to: "a@mail.example;b@mail.example" },
  "an address with a display name": { to: "Runner <runner@mail.example>" },
  "an address in brackets": { to: "<runner@mail.example>" },
  "an address with a space": { to: "run ner@mail.example" },
  "an address with a space behind": { to: "runner@mail.example " },
  "an address that is not ASCII": { to: "러너@mail.example" },
  "an address with a line break behind": { to: "runner@mail.example\n" },
  "an address that adds a header": { to: "runner@mail.example\r\nBcc: all@mail.example" },
  "an address that adds a command": { to: "runner@mail.example>\r\nRCPT TO:<all@mail.example" },
  "a name in the address that is too long": { to: `${"l".repeat(65)}@mail.example` },
  "an address that is too long": {
    to: `runner@${"d".repeat(60)}.${"d".repeat(60)}.${"d".repeat(60)}.${"d".repeat(60)}.example`,
  },
  "no subject": { subject: "" },
  "a blank subject": { subject: " " },
  "a subject that adds a header": { subject: "Your code\r\nBcc: all@mail.example" },
  "a subject with a line feed": { subject: "Your\ncode" },
  "a subject with a carriage return": { subject: "Your\rcode" },
  "a subject with a line separator": { subject: "Your\u2028code" },
  "a subject with a NUL": { subject: "Your\0code" },
  "a subject that is too long": { subject: "s".repeat(201) },
  "a subject with half a character": { subject: "Your \ud83c code" },
  "no text": { text: "" },
  "a blank text": { text: "\n" },
  "a text with half a character": { text: "\udfc3" },
  "a text that is too long": { text: "가".repeat(90_000) },
};

function testRefusals(subject: () => MailSubject): void {
  for (const [reason, part] of Object.entries(BAD_LETTERS)) {
    test(reason, async () => {
      const before = (await subject().handedOn()).length;
      await refusedWith("mail.bad-letter", subject().mail.send({ ...LETTER, ...part }));
      assert.equal((await subject().handedOn()).length, before);
    });
  }
}

function written({ to, subject, text }: Letter): string {
  return JSON.stringify({ to, subject, text });
}
