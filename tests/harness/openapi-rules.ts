/** What makes an OpenAPI 3.1 document sound, as functions: each says, in a sentence, what is wrong with it. */

// biome-ignore lint/suspicious/noExplicitAny: the document is what is being checked, so that nothing is known of it.
type Node = any;
type Operation = { name: string; path: string; method: string; operation: Node };

const METHODS = ["get", "post", "put", "patch", "delete", "head", "options", "trace"];
const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

export function checkOpenApi(document: Node): string[] {
  const operations = operationsOf(document);
  return [
    ...checkHead(document),
    ...checkReferences(document),
    ...checkPaths(document),
    ...operations.flatMap((each) => [
      ...checkOperation(each),
      ...checkParameters(each),
      ...checkSecurity(each, document),
    ]),
    ...twice(operations.map(({ operation }) => operation.operationId)).map((id) => `${id} is the id of two operations`),
    ...schemasOf(document).flatMap(checkSchema),
  ];
}

export function operationsOf(document: Node): Operation[] {
  return Object.entries<Node>(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation: item[method],
    })),
  );
}

function checkHead({ openapi, info, paths, servers = [] }: Node): string[] {
  const complaints: string[] = [];
  if (!/^3\.1\.\d+$/.test(openapi)) complaints.push(`openapi is ${openapi}, not 3.1`);
  if (!info?.title || !info?.version) complaints.push("info needs a title and a version");
  if (!paths || Object.keys(paths).length === 0) complaints.push("there are no paths");
  for (const { url } of servers) if (!URL.canParse(url)) complaints.push(`${url} is no server's URL`);
  return complaints;
}

function checkReferences(document: Node): string[] {
  const broken: string[] = [];
  walk(document, (node, at) => {
    if (typeof node.$ref === "string" && resolve(document, node.$ref) === undefined) {
      broken.push(`${at} refers to ${node.$ref}, which is not there`);
    }
  });
  return broken;
}

function resolve(document: Node, reference: string): Node {
  if (!reference.startsWith("#/")) return undefined;
  const steps = reference.slice(2).split("/");
  return steps.reduce((node, step) => node?.[step.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}

function checkPaths({ paths = {} }: Node): string[] {
  const names = Object.keys(paths);
  const shapes = names.map((path) => path.replaceAll(/\{[^}]*\}/g, "{}"));
  return [
    ...names.filter((path) => !/^(\/([\w.-]|\{\w+\})+)+$/.test(path)).map((path) => `${path} is no path`),
    ...twice(shapes).map((shape) => `${shape} is there twice, with other names`),
  ];
}

function checkOperation({ name, method, operation }: Operation): string[] {
  const complaints: string[] = [];
  if (!operation.operationId) complaints.push("has no operationId");
  if (!operation.summary) complaints.push("has no summary");
  if (!(operation.tags?.length > 0)) complaints.push("has no tag");
  if (typeof operation["x-access"] !== "string" || !operation["x-access"]) complaints.push("says not who may call it");
  for (const problem of operation["x-problems"] ?? []) {
    const isWhole = problem.status >= 400 && /^[\w-]+(\.[\w-]+)+$/.test(problem.code) && problem.when;
    if (!isWhole) complaints.push(`has a problem that says not enough: ${JSON.stringify(problem)}`);
  }
  if (operation.requestBody && (method === "get" || method === "delete")) complaints.push("has a body");
  for (const [type, media] of Object.entries<Node>(operation.requestBody?.content ?? {})) {
    if (!media.schema) complaints.push(`takes ${type} without a schema`);
  }
  return [...complaints, ...checkAnswers(operation.responses ?? {})].map((complaint) => `${name} ${complaint}`);
}

function checkAnswers(responses: Node): string[] {
  const complaints: string[] = [];
  const statuses = Object.keys(responses);
  if (!statuses.some((status) => /^[23]\d\d$/.test(status))) complaints.push("never succeeds");
  if (!responses.default?.content?.["application/problem+json"]) complaints.push("says not how it fails");
  for (const status of statuses) {
    if (!/^([1-5]\d\d|default)$/.test(status)) complaints.push(`answers ${status}, which is no status`);
    if (!responses[status].description) complaints.push(`says not what ${status} means`);
    if (status === "204" && responses[status].content) complaints.push("has content in a 204");
    for (const [type, media] of Object.entries<Node>(responses[status].content ?? {})) {
      if (!media.schema) complaints.push(`answers ${type} without a schema`);
    }
  }
  return complaints;
}

function checkParameters({ name, path, operation }: Operation): string[] {
  const parameters: Node[] = operation.parameters ?? [];
  const declared = parameters.filter((parameter) => parameter.in === "path").map((parameter) => parameter.name);
  const wanted = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  return [
    ...wanted.filter((each) => !declared.includes(each)).map((each) => `does not declare {${each}}`),
    ...declared.filter((each) => !wanted.includes(each)).map((each) => `declares {${each}}, which its path lacks`),
    ...parameters.filter(({ in: where, required }) => where === "path" && !required).map((p) => `needs {${p.name}}`),
    ...parameters.filter(({ schema }) => !schema).map((p) => `has ${p.name} without a schema`),
    ...twice(parameters.map((p) => `${p.in} ${p.name}`)).map((each) => `declares ${each} twice`),
  ].map((complaint) => `${name} ${complaint}`);
}

function checkSecurity({ name, operation }: Operation, document: Node): string[] {
  const known = Object.keys(document.components?.securitySchemes ?? {});
  const used = (operation.security ?? []).flatMap((each: object) => Object.keys(each));
  return used.filter((each: string) => !known.includes(each)).map((each: string) => `${name} wants ${each}, unknown`);
}

/** Every `schema` of a parameter, body or answer, and those with names. */
function schemasOf(document: Node): { at: string; schema: Node }[] {
  const found = Object.entries(document.components?.schemas ?? {}).map(([at, schema]) => ({ at, schema }));
  walk(document, (node, at) => {
    if (node.schema && typeof node.schema === "object") found.push({ at, schema: node.schema });
  });
  return found;
}

function checkSchema({ at, schema }: { at: string; schema: Node }): string[] {
  const complaints: string[] = [];
  for (const type of [schema.type ?? []].flat()) if (!TYPES.has(type)) complaints.push(`has the type ${type}`);
  if ("nullable" in schema) complaints.push("is nullable in the way of OpenAPI 3.0");
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(schema.properties ?? {}, name)) complaints.push(`requires ${name}, which it does not describe`);
  }
  const inner = [
    ...Object.entries(schema.properties ?? {}),
    ...["anyOf", "oneOf", "allOf"].flatMap((key) => Object.entries(schema[key] ?? [])),
    ...(schema.items ? [["items", schema.items]] : []),
  ] as [string, Node][];
  return [
    ...complaints.map((complaint) => `${at} ${complaint}`),
    ...inner.flatMap(([name, each]) => checkSchema({ at: `${at}.${name}`, schema: each })),
  ];
}

function walk(node: Node, visit: (node: Node, at: string) => void, at = "#"): void {
  if (typeof node !== "object" || node === null) return;
  visit(node, at);
  for (const [name, value] of Object.entries(node)) walk(value, visit, `${at}/${name}`);
}

const twice = (all: string[]) => [...new Set(all.filter((each, index) => all.indexOf(each) !== index))];
