/** Signed tokens that say who the caller is, so that verifying one needs the installation's secret and nothing else. */

import { hkdfSync, timingSafeEqual } from "node:crypto";
import { createSigner } from "fast-jwt";
import { z } from "zod";
import type { Actor } from "./actor.ts";
import { OrganizationId, PhotographerId, UserId } from "./ids.ts";
import { createKeyedHash, type KeyedHash } from "./keyed-hash.ts";
import { Problem } from "./problem.ts";

const ISSUER = "snaprace";

/** Short names: the token travels with every request. */
const Claims = z.object({
  iss: z.literal(ISSUER),
  jti: z.string().min(1),
  sub: UserId,
  eml: z.string().optional(),
  opr: z.boolean().optional(),
  org: z.array(OrganizationId).optional(),
  pho: z.array(PhotographerId).optional(),
  ses: z.boolean().optional(),
  ims: z.int(),
  exp: z.number(),
});
type Claims = z.infer<typeof Claims>;

export type TokenHolder = Omit<Actor, "expiresAt">;

export type AccessTokens = {
  /** `saidAt` (epoch ms) is when what it says was looked up: what was revoked since then it can't say any more. */
  issue(holder: TokenHolder, lifetimeMs: number, saidAt?: number): string;
  /** Throws a Problem for anything that is not a valid token now. */
  verify(token: string): Actor;
};

export type TokenSettings = {
  now(): number;
  /** What a subject's tokens said up to this moment (epoch ms) no longer holds; 0 for never. See revokedSubjects. */
  revokedBefore(subject: string): number;
  /** Whether this still is an operator's address. Tokens without one were made at the machine itself, and stay. */
  isOperator?(email: string): boolean;
};

/** What can be revoked: one token or session, or what tokens say about acting for an organization or as a photographer. */
export const revokedSubjects = {
  token: (tokenId: string) => `token ${tokenId}`,
  organization: (orgId: string) => `organization ${orgId}`,
  organizer: (orgId: string, userId: string) => `organizer ${orgId} ${userId}`,
  photographer: (photographerId: string) => `photographer ${photographerId}`,
};

/** Longer tokens are not given out, so that what is revoked can be forgotten some day. */
export const LONGEST_TOKEN_DAYS = 365;

export function createAccessTokens(secret: Uint8Array, settings: TokenSettings): AccessTokens {
  const { now, revokedBefore, isOperator = () => true } = settings;
  const key = Buffer.from(hkdfSync("sha256", secret, "", "snaprace access tokens", 32));
  const sign = createSigner({ key, algorithm: "HS256", iss: ISSUER, noTimestamp: true });
  const signatureOf = createKeyedHash(key);

  return {
    issue: (holder, lifetimeMs, saidAt = now()) => sign(claimsOf(holder, saidAt, now() + lifetimeMs)),
    verify: (token) => {
      const claims = readClaims(signatureOf, token);
      if (claims.exp * 1000 <= now()) throw refused("token.expired", "The token has expired. Get a new one.");
      // Whenever it was made: a token's or a session's id is never given out again.
      if (revokedBefore(revokedSubjects.token(claims.jti)) > 0) {
        throw refused("token.revoked", "The token was revoked. Get a new one.");
      }
      return actorOf(claims, (subject) => claims.ims > revokedBefore(subject), isOperator);
    },
  };
}

function claimsOf(holder: TokenHolder, saidAt: number, expiresAt: number) {
  const { organizations, photographers } = holder;
  return {
    jti: holder.tokenId,
    sub: holder.userId,
    ...(holder.email !== undefined && { eml: holder.email }),
    ...(holder.operator && { opr: true }),
    ...(holder.session && { ses: true }),
    ...(organizations.length > 0 && { org: organizations }),
    ...(photographers.length > 0 && { pho: photographers }),
    // In milliseconds, so that a token made right after a revocation is not taken for one made before it.
    ims: saidAt,
    exp: Math.ceil(expiresAt / 1000),
  };
}

/** All our tokens begin with it: what says another algorithm is not ours. */
const HEADER = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url")}.`;

/** By hand, since there is one algorithm and one key: a library's general case takes three times as long. */
function readClaims(signatureOf: KeyedHash, token: string): Claims {
  const signatureAt = token.lastIndexOf(".") + 1;
  const signed = token.slice(0, signatureAt - 1);
  const signature = signatureOf(signed);
  if (!token.startsWith(HEADER) || !isSame(signature, token.slice(signatureAt))) {
    throw refused("token.invalid", "The token is not one this installation gave out. Get a new one.");
  }
  const parsed = Claims.safeParse(jsonOf(signed.slice(HEADER.length)));
  if (!parsed.success) throw refused("token.invalid", "The token is not one this version understands. Get a new one.");
  return parsed.data;
}

function isSame(right: string, given: string): boolean {
  return given.length === right.length && timingSafeEqual(Buffer.from(right, "latin1"), Buffer.from(given, "latin1"));
}

function jsonOf(base64: string): unknown {
  try {
    return JSON.parse(Buffer.from(base64, "base64url").toString());
  } catch {
    return undefined;
  }
}

function actorOf(claims: Claims, holds: (subject: string) => boolean, isOperator: (email: string) => boolean): Actor {
  const { organization, organizer, photographer } = revokedSubjects;
  return {
    userId: claims.sub,
    ...(claims.eml !== undefined && { email: claims.eml }),
    operator: (claims.opr ?? false) && (claims.eml === undefined || isOperator(claims.eml)),
    organizations: (claims.org ?? []).filter((id) => holds(organization(id)) && holds(organizer(id, claims.sub))),
    photographers: (claims.pho ?? []).filter((id) => holds(photographer(id))),
    session: claims.ses ?? false,
    tokenId: claims.jti,
    expiresAt: claims.exp * 1000,
  };
}

const refused = (code: string, message: string) => new Problem("unauthenticated", code, message);
