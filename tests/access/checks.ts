/** Tries a route as a caller and says, in a sentence, what is not as it should be. */

import { isDeepStrictEqual } from "node:util";
import type { Hono } from "hono";
import { z } from "zod";
import type { Route } from "../../src/platform/http/route.ts";
import { exampleRequest, nameOf } from "./examples.ts";
import { expectedFor, RULES } from "./rules.ts";
import type { AccessCaller, Things, World } from "./world.ts";

export type Answer = { status: number; type: string; text: string };

/** What must be refused is tried on A itself, and so is reading; what changes something on copies of it. */
export async function checkCall(app: Hono, world: World, route: Route, caller: AccessCaller): Promise<string[]> {
  const name = nameOf(route);
  const rule = RULES[name];
  if (!rule) return [`${name} has no rule`];
  const expected = expectedFor(rule, caller.name);
  const send = (things: Things) => sendExample(app, world, route, caller, things);
  const isOnCopy = expected === "may" && route.method !== "get";
  const answer = isOnCopy ? await world.withCopyOfA(send) : await send(world.a);
  const complaints = expected === "may" ? checkSuccess(route, answer) : checkRefusal(expected, answer, world.a);
  return complaints.map((complaint) => `${name} by ${caller.name}: ${complaint}`);
}

async function sendExample(app: Hono, world: World, route: Route, caller: AccessCaller, things: Things) {
  return sendRequest(app, await exampleRequest(route, { program: world.program, things, caller }));
}

export async function sendRequest(app: Hono, request: Request): Promise<Answer> {
  const answer = await app.request(request);
  return { status: answer.status, type: answer.headers.get("content-type") ?? "", text: await answer.text() };
}

/** An answer has the form that its route declares, and no field more. */
function checkSuccess(route: Route, { status, type, text }: Answer): string[] {
  const declared = route.answers[status];
  if (status >= 400 || !declared) return [`they may, but the answer was ${status} ${text}`];
  if (declared.contentType) return type.startsWith(declared.contentType) ? [] : [`it answered ${type}`];
  if (!declared.schema) return text === "" ? [] : [`it declares no answer and answered ${text}`];
  const body = JSON.parse(text);
  const parsed = declared.schema.safeParse(body);
  if (!parsed.success) return [`the answer is not as declared: ${z.prettifyError(parsed.error)}`];
  return isDeepStrictEqual(parsed.data, body) ? [] : [`the answer has more than is declared: ${text}`];
}

function checkRefusal(expected: number, { status, type, text }: Answer, a: Things): string[] {
  if (status !== expected) return [`${expected} was expected, and the answer was ${status} ${text}`];
  const leaked = a.secrets.filter((secret) => text.includes(secret));
  return [
    ...(type === "application/problem+json" ? [] : [`it was refused as ${type}`]),
    ...leaked.map((secret) => `the refusal tells ${secret}`),
  ];
}

/** The routes that Hono really has below /api, written as ours are, whatever put them there. */
export function routesBelowApi(app: Hono, except: string[]): string[] {
  const own = app.routes.filter(({ path }) => path.startsWith("/api") && !except.includes(path));
  return own.map(({ method, path }) => `${method} ${path.replace(/^\/api/, "").replaceAll(/:(\w+)/g, "{$1}")}`);
}
