/** Letters through Amazon SES. */

import { type SESv2Client, SendEmailCommand } from "@aws-sdk/client-sesv2";
import { checkLetter, letterRefused } from "../letters.ts";
import type { Letter, Mail } from "../ports.ts";
import { Problem } from "../problem.ts";
import { isNamed, orUnavailable } from "./failures.ts";

/** Of up to four bytes each: an encoded word has at most 75 characters. */
const CHARACTERS_PER_WORD = 10;

export function sesMail({ client, from }: { client: SESv2Client; from: string | undefined }): Mail {
  return {
    async send(letter) {
      checkLetter(letter);
      if (from === undefined) throw noSender();
      const { to, subject, text } = letter;
      const command = new SendEmailCommand({
        FromEmailAddress: inAscii(from),
        Destination: { ToAddresses: [to] },
        Content: { Simple: { Subject: inUtf8(subject), Body: { Text: inUtf8(text) } } },
      });
      try {
        await client.send(command);
      } catch (error) {
        throw asThrown(error, letter, from);
      }
    },
  };
}

function inUtf8(Data: string) {
  return { Data, Charset: "UTF-8" };
}

/** SES takes a sender's name in ASCII only, other letters as RFC 2047 has them. */
function inAscii(from: string): string {
  const [, name, address] = /^"?([^"<>]*?)"?\s*<([^<>]+)>$/.exec(from) ?? [];
  if (name === undefined || /^[\x20-\x7e]*$/.test(name)) return from;
  const characters = [...name];
  const words: string[] = [];
  while (characters.length > 0) {
    const some = characters.splice(0, CHARACTERS_PER_WORD).join("");
    words.push(`=?UTF-8?B?${Buffer.from(some).toString("base64")}?=`);
  }
  return `${words.join(" ")} <${address}>`;
}

function asThrown(error: unknown, letter: Letter, from: string): unknown {
  if (isNamed(error, "MessageRejected", "MailFromDomainNotVerifiedException")) {
    const message = `Amazon SES does not send for ${from}. Verify that sender, and every recipient too while the account is in the sandbox.`;
    return new Problem("misconfigured", "mail.sender-not-verified", message, { cause: error });
  }
  if (isNamed(error, "BadRequestException")) return letterRefused(letter, error);
  if (isNamed(error, "AccountSuspendedException", "LimitExceededException", "SendingPausedException")) {
    const message = "No more letters can be sent for now. Try again later; if it stays, tell the operator.";
    return new Problem("unavailable", "mail.unavailable", message, { cause: error });
  }
  return orUnavailable(error, "mail.unavailable", "The mail service");
}

function noSender(): Problem {
  const message =
    "SNAPRACE_MAIL_FROM is not set, so that no letter can be sent: set it to an address that SES verified.";
  return new Problem("misconfigured", "mail.no-sender", message);
}
