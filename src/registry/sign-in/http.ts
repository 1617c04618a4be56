/** The routes of signing in: codes, the session, who am I, tokens for scripts. */

import { z } from "zod";
import { LONGEST_TOKEN_DAYS } from "../../platform/access-tokens.ts";
import type { Actor } from "../../platform/actor.ts";
import { endAccessCookie } from "../../platform/http/caller.ts";
import { PageQuery, pageOf } from "../../platform/http/paging.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { UserId } from "../../platform/ids.ts";
import { Email, line } from "../settings.ts";
import {
  closeSession,
  listScriptTokens,
  makeScriptToken,
  openSession,
  requestCode,
  revokeScriptToken,
  type SignIn,
} from "./sign-in.ts";

const tag = "Signing in";

const Me = z
  .object({
    userId: UserId,
    email: z.string().optional(),
    operator: z.boolean(),
    organizations: z.array(z.string()).meta({ description: "The organizations you are an organizer of." }),
    photographers: z.array(z.string()).meta({ description: "The photographers you are." }),
  })
  .meta({ id: "Me" });

const ScriptToken = z
  .object({ tokenId: z.string(), name: z.string(), createdAt: z.string(), expiresAt: z.string() })
  .meta({ id: "ScriptToken" });

const tooManyAttempts = {
  status: 429,
  code: "sign-in.too-many-attempts",
  when: "Too many codes or tries in a quarter of an hour.",
};

export function signInRoutes(signIn: SignIn): Route[] {
  return [...sessionRoutes(signIn), ...tokenRoutes(signIn)];
}

function sessionRoutes(signIn: SignIn): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/auth/codes",
        access: "anyone",
        tag,
        summary: "Ask for a sign-in code by e-mail",
        description: "The answer is the same whether or not the address is known. A new code makes older ones void.",
        body: z.strictObject({ email: Email }),
        answers: { 202: { description: "A code is on its way." } },
        problems: [tooManyAttempts],
      },
      async ({ body, address }) => {
        await requestCode(signIn, body, address());
        return { status: 202 };
      },
    ),
    route(
      {
        method: "post",
        path: "/auth/sessions",
        access: "anyone",
        tag,
        summary: "Sign in with a code",
        description: "Sets the cookies of a session. Scripts make themselves a token with it (`POST /me/tokens`).",
        body: z.strictObject({
          email: Email,
          code: z
            .string()
            .trim()
            .regex(/^\d{6}$/, "The code has six digits.")
            .meta({ example: "123456" }),
        }),
        answers: { 204: { description: "Signed in." } },
        problems: [
          { status: 401, code: "sign-in.wrong-code", when: "The code is wrong, used, or too old." },
          tooManyAttempts,
        ],
      },
      async ({ body, request, address }) => {
        const cookies = await openSession(signIn, body, { headers: request.headers(), address: address() });
        // An access cookie of somebody who was signed in here before must not outlive this.
        return { headers: { "set-cookie": [...cookies, endAccessCookie] } };
      },
    ),
    route(
      {
        method: "delete",
        path: "/auth/sessions/current",
        access: "signedIn",
        tag,
        summary: "Sign out",
        answers: { 204: { description: "Signed out; the session is void everywhere." } },
        problems: [{ status: 409, code: "sign-in.no-session", when: "Called with a script's token." }],
      },
      async ({ actor, request }) => {
        const cookies = await closeSession(signIn, actor, request.headers());
        return { headers: { "set-cookie": [...cookies, endAccessCookie] } };
      },
    ),
    route(
      {
        method: "get",
        path: "/auth/sessions/current",
        access: "anyone",
        tag,
        summary: "Who is signed in here, if anybody",
        description: "For pages, which also show themselves to nobody in particular. `GET /me` refuses those.",
        answers: { 200: { description: "You, or null.", schema: z.object({ me: Me.nullable() }) } },
      },
      ({ actor }) => ({ body: { me: actor ? showMe(actor) : null } }),
    ),
    route(
      {
        method: "get",
        path: "/me",
        access: "signedIn",
        tag,
        summary: "Who am I, and what may I act for",
        answers: { 200: { description: "You.", schema: Me } },
      },
      ({ actor }) => ({ body: showMe(actor) }),
    ),
  ];
}

function showMe({ userId, email, operator, organizations, photographers }: Actor): z.infer<typeof Me> {
  return { userId, ...(email !== undefined && { email }), operator, organizations, photographers };
}

function tokenRoutes(signIn: SignIn): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/me/tokens",
        access: "signedIn",
        tag,
        summary: "List my tokens for scripts",
        query: PageQuery,
        answers: { 200: { description: "A page, newest first.", schema: pageOf(ScriptToken) } },
      },
      async ({ actor, query }) => ({ body: await listScriptTokens(signIn, actor, query) }),
    ),
    route(
      {
        method: "post",
        path: "/me/tokens",
        access: "signedIn",
        tag,
        summary: "Make a token for scripts",
        description:
          "It may do what you may do now; organizations you join later need a new one. It is shown only once.",
        body: z.strictObject({
          name: line(100).meta({ example: "results upload" }),
          days: z.int().min(1).max(LONGEST_TOKEN_DAYS).default(90),
        }),
        answers: { 201: { description: "The token.", schema: ScriptToken.extend({ token: z.string() }) } },
        problems: [
          { status: 401, code: "sign-in.session-ended", when: "You signed out meanwhile." },
          { status: 403, code: "token.needs-session", when: "Called with a token instead of a session." },
          { status: 409, code: "token.too-many", when: "You have 50 already." },
        ],
      },
      async ({ actor, body }) => ({ status: 201, body: await makeScriptToken(signIn, actor, body) }),
    ),
    route(
      {
        method: "delete",
        path: "/me/tokens/{tokenId}",
        access: "signedIn",
        tag,
        summary: "Revoke a token",
        params: z.object({ tokenId: z.string().regex(/^t_[0-9a-f]{24}$/, "This is no token's id.") }),
        answers: { 204: { description: "The token is void; other servers hear of it within 10 s." } },
        problems: [{ status: 404, code: "token.not-found", when: "You have no such token." }],
      },
      async ({ actor, params }) => {
        await revokeScriptToken(signIn, actor, params.tokenId);
        return {};
      },
    ),
  ];
}
