/** Turns the API's OpenAPI document into TypeScript types, so that pages can't ask for what is not there. */

type Schema = {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: { [name: string]: Schema };
  required?: string[];
  additionalProperties?: boolean | Schema;
};
type Content = { [type: string]: { schema?: Schema } };
type Operation = {
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: Content };
  responses: { [status: string]: { content?: Content } };
};
export type ApiDocument = {
  paths: { [path: string]: { [method: string]: Operation } };
  components: { schemas: { [name: string]: Schema } };
};

const HEAD = "/** The API's types, written by `npm run api-types` from its OpenAPI document: do not edit. */\n";

export function apiTypes(document: ApiDocument): string {
  const named = Object.entries(document.components.schemas).map(
    ([name, schema]) => `export type ${name} = ${typeOf(schema)};`,
  );
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => `  "${method.toUpperCase()} ${path.replace(/^\/api/, "")}": ${callOf(operation)};`,
    ),
  );
  return `${HEAD}\n${named.join("\n\n")}\n\nexport type Calls = {\n${operations.join("\n")}\n};\n`;
}

function callOf(operation: Operation): string {
  const inPlace = (place: string) => (operation.parameters ?? []).filter((each) => each.in === place);
  const fields = (place: string) =>
    inPlace(place).map(({ name, required, schema }) => `${name}${required ? "" : "?"}: ${typeOf(schema)}`);
  const body = jsonOf(operation.requestBody?.content);
  const parts = [
    ...(inPlace("path").length > 0 ? [`path: { ${fields("path").join("; ")} }`] : []),
    ...(inPlace("query").length > 0 ? [`query?: { ${fields("query").join("; ")} }`] : []),
    ...(body ? [`body: ${typeOf(body)}`] : []),
    `answer: ${answerOf(operation)}`,
  ];
  return `{ ${parts.join("; ")} }`;
}

function answerOf(operation: Operation): string {
  const answers = Object.entries(operation.responses).filter(([status]) => /^2/.test(status));
  const schemas = answers.map(([, answer]) => jsonOf(answer.content));
  const types = schemas.map((schema) => (schema ? typeOf(schema) : "undefined"));
  return [...new Set(types)].join(" | ") || "undefined";
}

function jsonOf(content: Content | undefined): Schema | undefined {
  return content?.["application/json"]?.schema;
}

function typeOf(schema: Schema | undefined): string {
  if (!schema) return "unknown";
  if (schema.$ref) return schema.$ref.split("/").at(-1) ?? "unknown";
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map(typeOf).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(" | ");
  if (schema.type === "array") return `(${typeOf(schema.items)})[]`;
  if (schema.type === "object") return objectOf(schema);
  return PLAIN_TYPES[schema.type ?? ""] ?? "unknown";
}

const PLAIN_TYPES: { [type: string]: string } = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

function objectOf({ properties = {}, required = [], additionalProperties }: Schema): string {
  const fields = Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema)}`,
  );
  if (typeof additionalProperties === "object") fields.push(`[name: string]: ${typeOf(additionalProperties)}`);
  return fields.length > 0 ? `{ ${fields.join("; ")} }` : "Record<string, never>";
}
