/** Which letters can be sent, checked in front of every engine so that all refuse alike. */

import type { Letter } from "./ports.ts";
import { Problem } from "./problem.ts";

// The rule of browsers' e-mail fields, with a domain of at least two parts. SES takes only ASCII.
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
const MAX_ADDRESS_CHARACTERS = 254;
const MAX_SUBJECT_CHARACTERS = 200;
const MAX_TEXT_BYTES = 256 * 1024;

/** A line break in an address or a subject would begin a header of the writer's own. */
const BREAKS_A_HEADER = /[\p{Cc}\u2028\u2029]/u;

export function checkLetter({ to, subject, text }: Letter): void {
  if (to.length > MAX_ADDRESS_CHARACTERS || !ADDRESS.test(to)) {
    throw badLetter("A letter goes to one e-mail address, such as runner@mail.example.");
  }
  const isSubject = subject.trim() !== "" && subject.length <= MAX_SUBJECT_CHARACTERS && subject.isWellFormed();
  if (!isSubject || BREAKS_A_HEADER.test(subject)) {
    throw badLetter(`A letter's subject is one line of 1 to ${MAX_SUBJECT_CHARACTERS} characters.`);
  }
  if (text.trim() === "" || !text.isWellFormed() || Buffer.byteLength(text) > MAX_TEXT_BYTES) {
    throw badLetter(`A letter's text has 1 to ${MAX_TEXT_BYTES} bytes of well-formed Unicode.`);
  }
}

export function letterRefused({ to }: Letter, cause: unknown): Problem {
  return new Problem("invalid", "mail.refused", `No letter can be sent to ${to}. Check the address.`, { cause });
}

function badLetter(sentence: string): Problem {
  return new Problem("invalid", "mail.bad-letter", sentence);
}
