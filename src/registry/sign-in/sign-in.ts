/** Signing in and out: codes by mail, sessions for pages, tokens for scripts. */

import { randomBytes } from "node:crypto";
import type { Transaction } from "kysely";
import { type AccessTokens, createAccessTokens, revokedSubjects } from "../../platform/access-tokens.ts";
import type { Actor } from "../../platform/actor.ts";
import { encodeCursor } from "../../platform/cursor.ts";
import type { RenewAccess } from "../../platform/http/caller.ts";
import { cutPage, type PageRequest, readCursor } from "../../platform/http/paging.ts";
import type { Clock, Mail, Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import type { RegistryDatabase } from "../database.ts";
import type { RegistrySchema } from "../schema.ts";
import { countAttempt, takeBackAttempt } from "./attempts.ts";
import { readGrants } from "./grants.ts";
import { CODE_MINUTES, createPeople, type People } from "./people.ts";
import { type Revocations, watchRevocations } from "./revocations.ts";

const ACCESS_MS = 5 * 60_000;
const DAY_MS = 86_400_000;
const MOST_TOKENS = 50;
const WINDOW_MS = 15 * 60_000;

export type SignInParts = {
  db: RegistryDatabase;
  clock: Clock;
  mail: Mail;
  secret: Uint8Array;
  publicUrl: string;
  /** E-mail addresses of those who run this installation. */
  operators: string[];
  onError(error: unknown): void;
};

export type SignIn = SignInParts & { people: People; tokens: AccessTokens; revocations: Revocations };

export async function openSignIn(parts: SignInParts): Promise<SignIn> {
  const { db, clock, secret, publicUrl, mail, operators } = parts;
  const revocations = await watchRevocations(db, clock, parts.onError);
  const tokens = createAccessTokens(secret, {
    now: () => clock.now(),
    revokedBefore: revocations.revokedBefore,
    isOperator: (email) => operators.includes(email),
  });
  const sendCode = (email: string, code: string) => mail.send({ to: email, ...codeLetter(code) });
  const people = createPeople({ db, secret, publicUrl, sendCode });
  return { ...parts, people, tokens, revocations };
}

function codeLetter(code: string): { subject: string; text: string } {
  const text = [
    `Your SnapRace sign-in code is ${code}`,
    `Type it within ${CODE_MINUTES} minutes. It works once.`,
    "If you did not ask for it, you need not do anything: without the code nobody can sign in as you.",
  ];
  return { subject: "Your SnapRace sign-in code", text: text.join("\n\n") };
}

/** The answer is the same for every address, so that nobody learns who is known here. */
export async function requestCode(signIn: SignIn, input: { email: string }, address: string): Promise<void> {
  await countAttempt(signIn.db, { subject: `codes to ${input.email}`, max: 5, windowMs: WINDOW_MS });
  await countAttempt(signIn.db, { subject: `codes from ${address}`, max: 1000, windowMs: WINDOW_MS });
  await signIn.people.requestCode(input.email);
}

/** Answers the cookies that are the session. */
export async function openSession(
  signIn: SignIn,
  input: { email: string; code: string },
  caller: { headers: Headers; address: string },
): Promise<string[]> {
  const byAddress = `tries from ${caller.address}`;
  await countAttempt(signIn.db, { subject: `tries for ${input.email}`, max: 10, windowMs: WINDOW_MS });
  await countAttempt(signIn.db, { subject: byAddress, max: 200, windowMs: WINDOW_MS });
  const cookies = await signIn.people.signIn(input.email, input.code, caller.headers);
  await takeBackAttempt(signIn.db, byAddress);
  return cookies;
}

/** Gives the session a token that lasts some minutes, in which nothing more has to be looked up. */
export const renewAccess = (signIn: SignIn): RenewAccess => {
  return async (headers) => {
    const saidAt = signIn.clock.now();
    const session = await signIn.people.currentSession(headers);
    if (!session) return undefined;
    const grants = await readGrants(signIn.db, signIn.operators, session.email);
    const holder = { userId: session.userId, email: session.email, tokenId: session.sessionId, session: true };
    return { token: signIn.tokens.issue({ ...holder, ...grants }, ACCESS_MS, saidAt), cookies: session.cookies };
  };
};

/** Answers the cookies that end it in the browser. */
export async function closeSession(signIn: SignIn, actor: Actor, headers: Headers): Promise<string[]> {
  if (!actor.session) {
    throw new Problem("conflict", "sign-in.no-session", "A script's token has no session. Revoke the token instead.");
  }
  const cookies = await signIn.people.signOut(headers);
  // By its id too: who sends the access token alone sends no cookie that names the session.
  await signIn.db.deleteFrom("sessions").where("id", "=", actor.tokenId).execute();
  await signIn.revocations.revoke(revokedSubjects.token(actor.tokenId), ACCESS_MS);
  return cookies;
}

export type ScriptToken = { tokenId: string; name: string; createdAt: string; expiresAt: string };

/** The token itself is shown once and kept nowhere. It may do what its maker may do now. */
export async function makeScriptToken(signIn: SignIn, actor: Actor, input: { name: string; days: number }) {
  if (!actor.session) {
    throw new Problem("forbidden", "token.needs-session", "Sign in to make a token: a token can't make another.");
  }
  const { db, clock, tokens, operators } = signIn;
  const saidAt = clock.now();
  // Read anew: what the page's own token says may be minutes old, and this one's word lasts for months.
  const grants = await readGrants(db, operators, actor.email ?? "");
  const tokenId = newTokenId(saidAt);
  const lifetimeMs = input.days * DAY_MS;
  const row = await db.transaction().execute(async (transaction) => {
    await checkSessionLasts(transaction, actor, saidAt);
    await checkTokenCount(transaction, actor.userId, saidAt);
    return transaction
      .insertInto("script_tokens")
      .values({
        token_id: tokenId,
        user_id: actor.userId,
        name: input.name,
        expires_at: new Date(saidAt + lifetimeMs),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return {
    ...showToken(row),
    token: tokens.issue({ ...actor, ...grants, tokenId, session: false }, lifetimeMs, saidAt),
  };
}

/** Begins with the time, so that ids sort by age. */
function newTokenId(nowMs: number): string {
  return `t_${nowMs.toString(16).padStart(12, "0")}${randomBytes(6).toString("hex")}`;
}

/** Another server may not have heard of its end yet, and what is made now would outlive it. */
async function checkSessionLasts(transaction: Transaction<RegistrySchema>, actor: Actor, now: number): Promise<void> {
  const session = await transaction
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", actor.tokenId)
    .where("user_id", "=", actor.userId)
    .where("expires_at", ">", new Date(now))
    .executeTakeFirst();
  if (!session) throw new Problem("unauthenticated", "sign-in.session-ended", "The session has ended. Sign in again.");
}

async function checkTokenCount(transaction: Transaction<RegistrySchema>, userId: string, now: number): Promise<void> {
  // One at a time for each person, or tokens made at once could be more than the list shows.
  await transaction.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().execute();
  const held = await transaction
    .selectFrom("script_tokens")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .where("expires_at", ">", new Date(now))
    .executeTakeFirstOrThrow();
  if (held.count < MOST_TOKENS) return;
  throw new Problem("conflict", "token.too-many", `You have ${MOST_TOKENS} tokens. Revoke one that is not used.`);
}

/** Newest first, which is the order of their ids. */
export async function listScriptTokens(signIn: SignIn, actor: Actor, page: PageRequest): Promise<Page<ScriptToken>> {
  let query = signIn.db
    .selectFrom("script_tokens")
    .selectAll()
    .where("user_id", "=", actor.userId)
    .where("expires_at", ">", new Date(signIn.clock.now()))
    .orderBy("token_id", "desc")
    .limit(page.limit + 1);
  if (page.cursor) query = query.where("token_id", "<", readCursor(page.cursor, ["tokenId"]).tokenId);
  return cutPage(await query.execute(), page.limit, showToken, (row) => encodeCursor({ tokenId: row.token_id }));
}

export async function revokeScriptToken(signIn: SignIn, actor: Actor, tokenId: string): Promise<void> {
  const row = await signIn.db
    .selectFrom("script_tokens")
    .selectAll()
    .where("token_id", "=", tokenId)
    .where("user_id", "=", actor.userId)
    .executeTakeFirst();
  if (!row) throw new Problem("missing", "token.not-found", `You have no token ${tokenId}.`);
  // Void first: a crash in between leaves a void token in the list, never a valid one outside it.
  await signIn.revocations.revoke(revokedSubjects.token(tokenId), row.expires_at.getTime() - signIn.clock.now());
  await signIn.db.deleteFrom("script_tokens").where("token_id", "=", tokenId).execute();
}

function showToken(row: { token_id: string; name: string; created_at: Date; expires_at: Date }): ScriptToken {
  return {
    tokenId: row.token_id,
    name: row.name,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  };
}
