/** The mail port on SES: what SES is asked, and what the engine makes of its errors. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { localSettings } from "../contracts/doubles/aws-subject.ts";
import { type Answer, awsError, type Call, startScriptedAws } from "../contracts/doubles/scripted-aws.ts";
import { onScriptedAws } from "../contracts/doubles/scripted-engines.ts";
import { testMail } from "../contracts/mail.contract.ts";
import { refusedWith } from "../contracts/refused.ts";
import type { Letter } from "../ports.ts";
import { openAwsEngines } from "./engines.ts";

const FROM = "no-reply@race.example";
const LETTER: Letter = { to: "runner@mail.example", subject: "로그인 코드", text: "코드는 1입니다." };
const TAKEN: Answer = { json: { MessageId: "m-1" } };

testMail("aws", async () => {
  const { endpoint, calls, stop } = await startScriptedAws(() => TAKEN);
  const engines = openAwsEngines({ ...localSettings({ ses: endpoint }), mailFrom: FROM });
  const close = async () => {
    await engines.close();
    await stop();
  };
  return { mail: engines.mail, handedOn: async () => calls.map(letterIn), close };
});

type Sent = {
  Destination: { ToAddresses: string[] };
  Content: { Simple: { Subject: { Data: string }; Body: { Text: { Data: string } } } };
};

function letterIn({ input }: Call): Letter {
  const { Destination, Content } = input as Sent;
  const { Subject, Body } = Content.Simple;
  return { to: Destination.ToAddresses.join(), subject: Subject.Data, text: Body.Text.Data };
}

describe("asking SES", () => {
  test("a letter goes out in UTF-8, from the sender", () =>
    onScriptedAws(
      () => TAKEN,
      async ({ engines, calls }) => {
        await engines.mail.send(LETTER);
        assert.equal(calls.length, 1);
        assert.equal(calls[0]?.url, "/v2/email/outbound-emails");
        assert.deepEqual(calls[0]?.input, {
          FromEmailAddress: FROM,
          Destination: { ToAddresses: [LETTER.to] },
          Content: {
            Simple: {
              Subject: { Data: LETTER.subject, Charset: "UTF-8" },
              Body: { Text: { Data: LETTER.text, Charset: "UTF-8" } },
            },
          },
        });
      },
      { mailFrom: FROM },
    ));

  const senders: [from: string, sent: string][] = [
    [`SnapRace <${FROM}>`, `SnapRace <${FROM}>`],
    [`스냅 <${FROM}>`, `=?UTF-8?B?7Iqk64OF?= <${FROM}>`],
    [`"스냅" <${FROM}>`, `=?UTF-8?B?7Iqk64OF?= <${FROM}>`],
    [
      `🏃🏃🏃🏃🏃🏃🏃🏃🏃🏃가 <${FROM}>`,
      `=?UTF-8?B?${btoa("\xf0\x9f\x8f\x83".repeat(10))}?= =?UTF-8?B?6rCA?= <${FROM}>`,
    ],
  ];
  for (const [from, sent] of senders) {
    test(`the sender ${from} is written in ASCII`, () =>
      onScriptedAws(
        () => TAKEN,
        async ({ engines, calls }) => {
          await engines.mail.send(LETTER);
          assert.equal(calls[0]?.input.FromEmailAddress, sent);
        },
        { mailFrom: from },
      ));
  }

  const errors: [name: string, code: string, status?: number][] = [
    ["MessageRejected", "mail.sender-not-verified"],
    ["MailFromDomainNotVerifiedException", "mail.sender-not-verified"],
    ["BadRequestException", "mail.refused"],
    ["TooManyRequestsException", "mail.unavailable", 429],
    ["LimitExceededException", "mail.unavailable"],
    ["SendingPausedException", "mail.unavailable"],
    ["AccountSuspendedException", "mail.unavailable"],
    ["InternalServiceErrorException", "mail.unavailable", 500],
  ];
  for (const [name, code, status = 400] of errors) {
    test(`${name} is ${code}`, () =>
      onScriptedAws(
        () => awsError(name, {}, status),
        ({ engines }) => refusedWith(code, engines.mail.send(LETTER)),
        { mailFrom: FROM, maxAttempts: 1 },
      ));
  }

  test("an error nobody foresaw stays what it is", () =>
    onScriptedAws(
      () => awsError("AccessDeniedException", {}, 403),
      ({ engines }) => assert.rejects(engines.mail.send(LETTER), { name: "AccessDeniedException" }),
      { mailFrom: FROM },
    ));

  test("SES that can't be reached is mail.unavailable", async () => {
    const engines = openAwsEngines({ ...localSettings({ ses: "http://127.0.0.1:9" }), mailFrom: FROM, maxAttempts: 1 });
    await refusedWith("mail.unavailable", engines.mail.send(LETTER));
    await engines.close();
  });

  test("without a sender nothing is asked, and a bad letter is still a bad letter", () =>
    onScriptedAws(
      () => TAKEN,
      async ({ engines, calls }) => {
        await refusedWith("mail.no-sender", engines.mail.send(LETTER));
        await refusedWith("mail.bad-letter", engines.mail.send({ ...LETTER, to: "nobody" }));
        assert.equal(calls.length, 0);
      },
    ));
});
