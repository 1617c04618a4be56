/** An OpenAPI 3.1 document read into what the page shows: operations by tag, with their fields made plain. */

import { STATUS_CODES } from "node:http";
import {
  type Document,
  type GivenBody,
  type GivenHeader,
  type GivenOperation,
  type GivenParameter,
  type GivenResponse,
  type GivenValue,
  METHODS,
  type PathItem,
  type ProblemCode,
  type Reference,
} from "./openapi.ts";
import { type Field, type Resolve, readShape, type Shape } from "./shape.ts";

export type Api = {
  title: string;
  version: string;
  description: string | undefined;
  origin: string;
  /** What the document says about bearer tokens, as where to get one. */
  aboutTokens: string | undefined;
  groups: Group[];
  /** The form of the first problem an operation answers with; the page tells it once. */
  problem: Shape | undefined;
};

export type Group = { id: string; name: string; description: string | undefined; operations: Operation[] };

export type Operation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string | undefined;
  isDeprecated: boolean;
  access: string | undefined;
  needsToken: boolean;
  parameters: Parameter[];
  body: Body | undefined;
  answers: Answer[];
};

export type Parameter = Field & { place: string; description: string | undefined; isDeprecated: boolean };
export type Body = { isRequired: boolean; description: string | undefined; media: Media[] };
export type Media = { type: string; shape: Shape; example: unknown };
export type Answer = {
  status: string;
  description: string;
  headers: Field[];
  media: Media[];
  problems: ProblemCode[];
};

type Reader = { resolve: Resolve; security: object[]; pathBefore: string; newAnchor: (wish: string) => string };

/** Where the program serves unless told otherwise; for a document that names no server. */
const DEFAULT_ORIGIN = "http://127.0.0.1:8080";
const PAGE_ANCHORS = ["main", "contents", "calling", "paging", "errors"];

export function readApi(given: object): Api {
  const document: Document = given;
  const server = new URL(document.servers?.[0]?.url ?? "", DEFAULT_ORIGIN);
  const reader: Reader = {
    resolve: resolverOf(document),
    security: document.security ?? [],
    pathBefore: server.pathname.replace(/\/$/, ""),
    newAnchor: anchorMaker(),
  };
  const groups = readGroups(reader, document);
  const media = groups.flatMap(({ operations }) =>
    operations.flatMap(({ answers }) => answers.flatMap((a) => a.media)),
  );
  return {
    title: document.info?.title ?? "API",
    version: document.info?.version ?? "",
    description: document.info?.description,
    origin: server.origin,
    aboutTokens: readAboutTokens(reader, document),
    groups,
    problem: media.find(isProblem)?.shape,
  };
}

export function isProblem(media: Media): boolean {
  return media.type === "application/problem+json";
}

function readAboutTokens(reader: Reader, { components }: Document): string | undefined {
  const schemes = Object.values(components?.securitySchemes ?? {}).map((scheme) => dereference(reader, scheme));
  return schemes.find(({ type, scheme }) => type === "http" && scheme === "bearer")?.description;
}

/** In the order of the document's tags; then those that only operations name. */
function readGroups(reader: Reader, { paths = {}, tags = [] }: Document): Group[] {
  const found = Object.entries(paths).flatMap(([path, item]) => readPath(reader, path, item));
  const descriptions = new Map(tags.map((tag) => [tag.name, tag.description]));
  const names = new Set([...descriptions.keys(), ...found.map(({ tag }) => tag)]);
  const groups = [...names].map((name) => ({
    id: reader.newAnchor(`tag-${name}`),
    name,
    description: descriptions.get(name),
    operations: found.filter(({ tag }) => tag === name).map(({ operation }) => operation),
  }));
  return groups.filter(({ operations }) => operations.length > 0);
}

function readPath(reader: Reader, path: string, item: PathItem): { tag: string; operation: Operation }[] {
  return METHODS.flatMap((method) => {
    const given = item[method];
    if (!given) return [];
    const parameters = [...(item.parameters ?? []), ...(given.parameters ?? [])];
    const operation = readOperation(reader, { path, method }, { ...given, parameters });
    return [{ tag: given.tags?.[0] ?? "Other", operation }];
  });
}

function readOperation(reader: Reader, at: { path: string; method: string }, given: GivenOperation): Operation {
  const method = at.method.toUpperCase();
  const path = reader.pathBefore + at.path;
  return {
    id: reader.newAnchor(given.operationId ?? `${at.method} ${at.path}`),
    method,
    path,
    summary: given.summary ?? `${method} ${path}`,
    description: given.description,
    isDeprecated: given.deprecated === true,
    access: given["x-access"],
    needsToken: needsToken(given.security ?? reader.security),
    parameters: readParameters(reader, given.parameters ?? []),
    body: given.requestBody && readBody(reader, dereference<GivenBody>(reader, given.requestBody)),
    answers: readAnswers(reader, given),
  };
}

/** An empty requirement among the others means that it works without a token, too. */
function needsToken(security: object[]): boolean {
  return security.length > 0 && security.every((requirement) => Object.keys(requirement).length > 0);
}

function readParameters(reader: Reader, given: (GivenParameter | Reference)[]): Parameter[] {
  const all = given.map((each) => dereference<GivenParameter>(reader, each));
  // An operation's parameter replaces its path's parameter of the same name and place.
  const unique = new Map(all.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
  return [...unique.values()].map((parameter) => {
    const shape = readShape(parameter.schema, reader.resolve);
    // The example beside a schema is a better one than any inside it.
    const example = statedExample(reader, parameter) ?? shape.schema.example;
    return {
      name: parameter.name,
      place: parameter.in,
      isRequired: parameter.required === true,
      isDeprecated: parameter.deprecated === true || shape.schema.deprecated === true,
      description: parameter.description ?? shape.schema.description,
      shape: { ...shape, schema: { ...shape.schema, example } },
    };
  });
}

function statedExample(reader: Reader, { example, examples = {} }: GivenValue): unknown {
  if (example !== undefined) return example;
  const [first] = Object.values(examples);
  return first && dereference<{ value?: unknown }>(reader, first).value;
}

function readBody(reader: Reader, { required, description, content }: GivenBody): Body {
  return { isRequired: required === true, description, media: readMedia(reader, content) };
}

function readMedia(reader: Reader, content: Record<string, GivenValue> = {}): Media[] {
  return Object.entries(content).map(([type, value]) => ({
    type,
    shape: readShape(value.schema, reader.resolve),
    example: statedExample(reader, value),
  }));
}

/** A status is told once, whether the document lists it as an answer, with its problems, or both. */
function readAnswers(reader: Reader, { responses = {}, "x-problems": problems = [] }: GivenOperation): Answer[] {
  const statuses = new Set([...Object.keys(responses), ...problems.map(({ status }) => String(status))]);
  return [...statuses].sort().map((status) => {
    const response = dereference<GivenResponse>(reader, responses[status] ?? {});
    return {
      status,
      description: response.description || (STATUS_CODES[status] ?? ""),
      headers: Object.entries(response.headers ?? {}).map(([name, header]) => readHeader(reader, name, header)),
      media: readMedia(reader, response.content),
      problems: problems.filter((problem) => String(problem.status) === status),
    };
  });
}

function readHeader(reader: Reader, name: string, given: GivenHeader | Reference): Field {
  const header = dereference<GivenHeader>(reader, given);
  const shape = readShape(header.schema, reader.resolve);
  const described = header.description === undefined ? {} : { description: header.description };
  return { name, isRequired: header.required === true, shape: { ...shape, schema: { ...shape.schema, ...described } } };
}

function dereference<T extends object>(reader: Reader, given: T | Reference): T {
  return "$ref" in given ? ((reader.resolve(given.$ref) ?? {}) as T) : given;
}

function resolverOf(document: object): Resolve {
  return (pointer) => {
    const steps = pointer.replace(/^#\/?/, "").split("/");
    const names = steps.map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
    return names.reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], document);
  };
}

/** Gives each wish an anchor of its own; those of the page itself are taken. */
function anchorMaker(): (wish: string) => string {
  const taken = new Set(PAGE_ANCHORS);
  return (wish) => {
    const stem = wish.replace(/[^\w.-]+/g, "-").replace(/^-+|-+$/g, "") || "operation";
    let anchor = stem;
    for (let number = 2; taken.has(anchor); number++) anchor = `${stem}-${number}`;
    taken.add(anchor);
    return anchor;
  };
}
