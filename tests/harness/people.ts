/** People at a browser: they sign in with the code from their letter, and keep cookies as a browser does. */

import { randomBytes } from "node:crypto";
import type { Caller, TestProgram } from "./program.ts";

const OWN_ORIGIN = "http://127.0.0.1:8080";

export type Person = {
  email: string;
  /** Calls below /api from the site's own page, with the cookies there are. */
  call: Caller;
  cookies: Map<string, string>;
};

export const newEmail = () => `kim-${randomBytes(4).toString("hex")}@example.com`;

/** Asks for a code and reads it in the letter that came. */
export async function requestCode(program: TestProgram, email: string): Promise<string> {
  const to = email.trim().toLowerCase();
  const before = await program.lettersTo(to);
  const asked = await program.as()("POST", "/auth/codes", { email });
  if (asked.status !== 202) throw new Error(`No code for ${email}: ${JSON.stringify(asked.body)}`);
  const after = await program.lettersTo(to);
  const letter = after.find((text) => !before.includes(text)) ?? "";
  const code = /\b\d{6}\b/.exec(letter)?.[0];
  if (!code) throw new Error(`There is no code in the letter to ${email}: ${letter}`);
  return code;
}

export async function signIn(program: TestProgram, email = newEmail(), origin = OWN_ORIGIN): Promise<Person> {
  const person = openBrowser(program, email, origin);
  await signInAgain(program, person, email);
  return person;
}

/** In the same browser, perhaps as somebody else. */
export async function signInAgain(program: TestProgram, person: Person, email: string): Promise<void> {
  const code = await requestCode(program, email);
  const answer = await person.call("POST", "/auth/sessions", { email, code });
  if (answer.status !== 204) throw new Error(`${email} can't sign in: ${JSON.stringify(answer.body)}`);
}

function openBrowser(program: TestProgram, email: string, origin: string): Person {
  const cookies = new Map<string, string>();
  const call: Caller = async (method, path, send, headers = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await program.as()(method, path, send, { ...(cookie && { cookie }), origin, ...headers });
    for (const text of answer.headers.getSetCookie()) keepCookie(cookies, text);
    return answer;
  };
  return { email, call, cookies };
}

function keepCookie(cookies: Map<string, string>, text: string): void {
  const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
  if (/;\s*max-age=0(;|$)/i.test(text)) cookies.delete(name);
  else cookies.set(name, value);
}
