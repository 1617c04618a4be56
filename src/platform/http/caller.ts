/** Finds out who calls: a bearer token for scripts, cookies for pages. Neither costs a database read while it is fresh. */

import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { AccessTokens } from "../access-tokens.ts";
import type { Actor } from "../actor.ts";
import { Problem } from "../problem.ts";

const ACCESS_COOKIE = "snaprace_access";
/** Makes the next request ask the session what its person may do now. */
export const endAccessCookie = `${ACCESS_COOKIE}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`;
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Gives a new access token for the session in the request's cookies, if there is one: the one place that reads the database. */
export type RenewAccess = (headers: Headers) => Promise<{ token: string; cookies: string[] } | undefined>;

export type CallerParts = { tokens: AccessTokens; renew: RenewAccess; publicUrl: string };

export async function identifyCaller(c: Context, parts: CallerParts): Promise<Actor | undefined> {
  const authorization = c.req.header("authorization");
  if (authorization !== undefined) return parts.tokens.verify(bearerToken(authorization));
  if (c.req.header("cookie") === undefined) return undefined;
  const actor = fromAccessCookie(c, parts.tokens) ?? (await fromSession(c, parts));
  if (actor) refuseForeignPages(c, parts.publicUrl);
  return actor;
}

function bearerToken(authorization: string): string {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (token) return token;
  throw new Problem("unauthenticated", "token.invalid", "Send the token as `authorization: Bearer TOKEN`.");
}

function fromAccessCookie(c: Context, tokens: AccessTokens): Actor | undefined {
  const token = getCookie(c, ACCESS_COOKIE);
  if (!token) return undefined;
  try {
    return tokens.verify(token);
  } catch {
    // Too old or void: the session behind it decides.
    return undefined;
  }
}

async function fromSession(c: Context, { tokens, renew, publicUrl }: CallerParts): Promise<Actor | undefined> {
  const renewed = await renew(c.req.raw.headers);
  if (!renewed) return undefined;
  const actor = tokens.verify(renewed.token);
  for (const cookie of renewed.cookies) c.header("set-cookie", cookie, { append: true });
  setAccessCookie(c, renewed.token, publicUrl, actor.expiresAt);
  c.set("renewed", true);
  return actor;
}

/** Then the answer must bring the new cookies along. */
export function wasRenewed(c: Context): boolean {
  return c.get("renewed") === true;
}

function setAccessCookie(c: Context, token: string, publicUrl: string, expiresAt: number): void {
  setCookie(c, ACCESS_COOKIE, token, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: publicUrl.startsWith("https:"),
    expires: new Date(expiresAt),
  });
}

/** A browser sends cookies along with forms and fetches of other sites' pages; those may read and change nothing. */
function refuseForeignPages(c: Context, publicUrl: string): void {
  if (SAFE_METHODS.has(c.req.method)) return;
  const origin = c.req.header("origin");
  const site = c.req.header("sec-fetch-site");
  const own =
    origin !== undefined ? origin === publicUrl || origin === new URL(c.req.url).origin : site === "same-origin";
  if (own) return;
  throw new Problem("forbidden", "access.foreign-page", "Requests with cookies must come from this site's own pages.");
}
