/** Letters through a mail server, for one machine that has real users. */

import { createTransport } from "nodemailer";
import { checkLetter, letterRefused } from "../letters.ts";
import type { Letter, Mail } from "../ports.ts";
import { Problem } from "../problem.ts";

const CONNECTION_TIMEOUT_MS = 5000;
/** A mail server may look a letter over before it takes it. */
const ANSWER_TIMEOUT_MS = 15_000;
/** Mail servers turn away those who come with many connections; a rush of letters waits for these few. */
const MAX_CONNECTIONS = 5;
/** A connection that was lost before the letter went out is opened again so many times. */
const MAX_RECONNECTS = 2;

export type SmtpSettings = {
  /**
   * `smtps://user:password@host:port`, or `smtp:` for a connection that turns to TLS when the server can. A password is
   * sent over TLS only, unless the URL ends in `?requireTLS=false`.
   */
  url: string;
  /** An address, or `Name <address>`. */
  from: string;
};

export type SmtpMail = Mail & { close(): void };

export function smtpMail({ url, from }: SmtpSettings): SmtpMail {
  const transport = openTransport(url);
  return {
    async send(letter) {
      checkLetter(letter);
      const { to, subject, text } = letter;
      try {
        await transport.sendMail({ from, to: { name: "", address: to }, subject, text });
      } catch (error) {
        throw problemOf(error, letter, from);
      }
    },
    close: () => transport.close(),
  };
}

function openTransport(url: string) {
  const parsed = URL.parse(url);
  if (!parsed?.hostname || !/^smtps?:$/.test(parsed.protocol)) throw badUrl();
  try {
    return createTransport({
      url,
      pool: true,
      maxConnections: MAX_CONNECTIONS,
      maxRequeues: MAX_RECONNECTS,
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      dnsTimeout: CONNECTION_TIMEOUT_MS,
      greetingTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: ANSWER_TIMEOUT_MS,
      requireTLS: parsed.password !== "",
    });
  } catch {
    throw badUrl();
  }
}

/** Without the URL and without a cause, which would have it: its password is for nobody's eyes. */
function badUrl(): Problem {
  const message = "The mail server's URL must be such as smtps://user:password@mail.example:465.";
  return new Problem("misconfigured", "mail.bad-url", message);
}

function problemOf(cause: unknown, letter: Letter, from: string): Problem {
  const { command, responseCode = 0 } = cause as { command?: string; responseCode?: number };
  // What is answered with 4xx passes by itself.
  const isFinal = responseCode >= 500;
  if (isFinal && command === "MAIL FROM") {
    const message = `The mail server does not send for ${from}. Correct the sender or the user in the mail server's URL.`;
    return new Problem("misconfigured", "mail.sender-not-verified", message, { cause });
  }
  if (isFinal && (command === "RCPT TO" || command === "DATA")) return letterRefused(letter, cause);
  return new Problem(
    "unavailable",
    "mail.unavailable",
    "The letter could not be handed to the mail server. Try again in a few minutes; if it stays, tell the operator.",
    { cause },
  );
}
