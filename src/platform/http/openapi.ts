/** The OpenAPI document, made from the same routes and schemas that answer. */

import { z } from "zod";
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from "zod-openapi";
import { accessSentence } from "./access.ts";
import type { Route } from "./route.ts";

const ProblemDocument = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: "Dotted, stable: for programs.", example: "event.not-found" }),
    detail: z.string().meta({ description: "A sentence for people that says what to do." }),
    requestId: z.string(),
    errors: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .meta({ description: "For bad input: what is wrong, field by field." }),
  })
  .meta({ id: "Problem", description: "What went wrong (RFC 9457)." });

export type ApiDocument = ReturnType<typeof createDocument>;

export function apiDocument(routes: Route[], about: { version: string; publicUrl: string }): ApiDocument {
  const paths: ZodOpenApiObject["paths"] = {};
  for (const route of routes) {
    paths[`/api${route.path}`] = { ...paths[`/api${route.path}`], [route.method]: operation(route) };
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "SnapRace",
      version: about.version,
      description: "Fair entry, photos and the registry of a race. Lists are paged by cursor; errors are problem+json.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: about.publicUrl }],
    security: [],
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", bearerFormat: "JWT", description: "For scripts: `snaprace token`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "snaprace_access",
          description: "For pages: set by signing in.",
        },
      },
    },
    paths,
  });
}

function operation(route: Route): ZodOpenApiOperationObject {
  return {
    operationId: operationId(route),
    tags: [route.tag],
    summary: route.summary,
    ...(route.description && { description: route.description }),
    ...(route.access !== "anyone" && { security: [{ token: [] }, { session: [] }] }),
    requestParams: { ...(route.params && { path: route.params }), ...(route.query && { query: route.query }) },
    ...(requestBody(route) && { requestBody: requestBody(route) }),
    responses: responses(route),
    "x-access": accessSentence(route.access),
    "x-problems": route.problems ?? [],
  } as ZodOpenApiOperationObject;
}

/** `GET /admin/events/{eventId}/runners` is `getAdminEventsEventIdRunners`. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter(Boolean);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function requestBody(route: Route) {
  if (route.body) return { required: true, content: { "application/json": { schema: route.body } } };
  if (!route.rawBody) return undefined;
  const { contentType, description, formField } = route.rawBody;
  const schema = z.string().meta({ format: "binary" });
  const form = formField === undefined ? {} : { "multipart/form-data": { schema: z.object({ [formField]: schema }) } };
  return { required: true, description, content: { ...form, [contentType]: { schema } } };
}

function responses(route: Route): ZodOpenApiOperationObject["responses"] {
  const answers = Object.entries(route.answers).map(([status, { description, schema, contentType }]) => {
    const type = contentType ?? "application/json";
    const content = schema || contentType ? { content: { [type]: { schema: schema ?? z.string() } } } : {};
    return [status, { description, ...content }];
  });
  const problem = {
    description: "What is wrong, as a problem.",
    content: { "application/problem+json": { schema: ProblemDocument } },
  };
  return { ...Object.fromEntries(answers), default: problem };
}
