/** A route of the API as data: what it takes, what it answers, who may call it, and the function that does it. */

import type { z } from "zod";
import type { Actor } from "../actor.ts";
import type { Access } from "./access.ts";
import type { HeaderFields, Incoming } from "./exchange.ts";

export type Method = "get" | "post" | "put" | "patch" | "delete";

/**
 * A body that is not JSON: it arrives as bytes, read by the handler as they come. With `formField` it may also be the
 * file of that field in a form.
 */
export type RawBody = { contentType: string; description: string; maxBytes: number; formField?: string };

export type AnswerShape = { description: string; schema?: z.ZodType; contentType?: string };

export type RouteShape<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, A extends Access> = {
  method: Method;
  /** Below /api, with `{name}` for parameters. */
  path: string;
  access: A;
  tag: string;
  summary: string;
  description?: string;
  params?: P;
  query?: Q;
  body?: B;
  rawBody?: RawBody;
  answers: { [status: number]: AnswerShape };
  /** What can be wrong beside what every route has: bad input, no access, too many requests. */
  problems?: { status: number; code: string; when: string }[];
};

export type Call<P, Q, B, A extends Access> = {
  params: P;
  query: Q;
  body: B;
  actor: A extends "anyone" ? Actor | undefined : Actor;
  request: Incoming;
  /** The client's address as far as it is known. */
  address(): string;
};

/** `body` is told as JSON, a `stream` as it comes. */
export type Answer = {
  status?: number;
  headers?: HeaderFields;
  body?: unknown;
  stream?: ReadableStream<Uint8Array>;
};

export type Route = RouteShape<z.ZodObject, z.ZodObject, z.ZodType, Access> & {
  handle(call: Call<unknown, unknown, unknown, Access>): Promise<Answer> | Answer;
};

/** Where the route is, as routers write it. */
export function pathPattern({ path }: Pick<Route, "path">): string {
  return `/api${path.replaceAll(/\{(\w+)\}/g, ":$1")}`;
}

/** Where a path fits two routes it is for the one that names it, in whatever order they were written and whoever looks. */
export function namedFirst(routes: Route[]): Route[] {
  const rank = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, "\uffff");
  return routes.toSorted((one, other) => (rank(one) < rank(other) ? -1 : Number(rank(one) > rank(other))));
}

type Empty = z.ZodObject<Record<never, never>>;

export function route<
  A extends Access,
  P extends z.ZodObject = Empty,
  Q extends z.ZodObject = Empty,
  B extends z.ZodType = z.ZodUndefined,
>(
  shape: RouteShape<P, Q, B, A>,
  handle: (call: Call<z.output<P>, z.output<Q>, z.output<B>, A>) => Promise<Answer> | Answer,
): Route {
  return { ...shape, handle: handle as Route["handle"] };
}
