/** Finds out who calls: a bearer token for scripts, cookies for pages. Neither costs a database read while it is fresh. */

import { parse, serialize } from "hono/utils/cookie";
import type { AccessTokens } from "../access-tokens.ts";
import type { Actor } from "../actor.ts";
import { Problem } from "../problem.ts";
import type { Incoming } from "./exchange.ts";

const ACCESS_COOKIE = "snaprace_access";
/** Makes the next request ask the session what its person may do now. */
export const endAccessCookie = `${ACCESS_COOKIE}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`;
const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/** Gives a new access token for the session in the request's cookies, if there is one: the one place that reads the database. */
export type RenewAccess = (headers: Headers) => Promise<{ token: string; cookies: string[] } | undefined>;

export type CallerParts = { tokens: AccessTokens; renew: RenewAccess; publicUrl: string };

/** `cookies` gets those that the answer must bring along, when a session was renewed. */
export async function identifyCaller(
  request: Incoming,
  parts: CallerParts,
  cookies: string[],
): Promise<Actor | undefined> {
  const authorization = request.header("authorization");
  if (authorization !== undefined) return parts.tokens.verify(bearerToken(authorization));
  const cookie = request.header("cookie");
  if (cookie === undefined) return undefined;
  const actor = fromAccessCookie(cookie, parts.tokens) ?? (await fromSession(request, parts, cookies));
  if (actor) refuseForeignPages(request, parts.publicUrl);
  return actor;
}

function bearerToken(authorization: string): string {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(authorization)?.[1];
  if (token) return token;
  throw new Problem("unauthenticated", "token.invalid", "Send the token as `authorization: Bearer TOKEN`.");
}

function fromAccessCookie(cookie: string, tokens: AccessTokens): Actor | undefined {
  const token = parse(cookie, ACCESS_COOKIE)[ACCESS_COOKIE];
  if (!token) return undefined;
  try {
    return tokens.verify(token);
  } catch {
    // Too old or void: the session behind it decides.
    return undefined;
  }
}

async function fromSession(
  request: Incoming,
  { tokens, renew, publicUrl }: CallerParts,
  cookies: string[],
): Promise<Actor | undefined> {
  const renewed = await renew(request.headers());
  if (!renewed) return undefined;
  const actor = tokens.verify(renewed.token);
  cookies.push(...renewed.cookies, accessCookie(renewed.token, publicUrl, actor.expiresAt));
  return actor;
}

function accessCookie(token: string, publicUrl: string, expiresAt: number): string {
  return serialize(ACCESS_COOKIE, token, {
    path: "/",
    httpOnly: true,
    sameSite: "Lax",
    secure: publicUrl.startsWith("https:"),
    expires: new Date(expiresAt),
  });
}

/** A browser sends cookies along with forms and fetches of other sites' pages; those may read and change nothing. */
function refuseForeignPages(request: Incoming, publicUrl: string): void {
  if (SAFE_METHODS.has(request.method)) return;
  const origin = request.header("origin");
  const site = request.header("sec-fetch-site");
  const own = origin !== undefined ? origin === publicUrl || origin === request.origin() : site === "same-origin";
  if (own) return;
  throw new Problem("forbidden", "access.foreign-page", "Requests with cookies must come from this site's own pages.");
}
