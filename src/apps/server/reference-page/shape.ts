/** A JSON Schema made plain: references followed, parts merged, null set aside; so that words, fields and examples need no schema. */

export type Schema = {
  $ref?: string;
  allOf?: unknown[];
  anyOf?: unknown[];
  oneOf?: unknown[];
  type?: string | string[];
  title?: string;
  description?: string;
  deprecated?: boolean;
  properties?: Record<string, unknown>;
  required?: string[];
  additionalProperties?: unknown;
  items?: unknown;
  prefixItems?: unknown[];
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  example?: unknown;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minProperties?: number;
  maxProperties?: number;
};

export type Shape = {
  /** The name it has among the document's components. */
  name: string | undefined;
  /** Its own keywords, after merging. */
  schema: Schema;
  /** Several, if `allOf` asks for several. */
  patterns: string[];
  types: string[];
  isNullable: boolean;
  fields: Field[];
  /** What fields of any other name hold; false if there may be none. */
  otherFields: Shape | boolean;
  items: Shape | undefined;
  firstItems: Shape[];
  /** Two or more, of which a value has one. */
  variants: Shape[];
  /** It is inside itself, so that only its name is told. */
  isRepeat: boolean;
};

export type Field = { name: string; isRequired: boolean; shape: Shape };

/** Gives what a `$ref` points to; undefined if nothing is there. */
export type Resolve = (pointer: string) => unknown;

type Merged = { schema: Schema; patterns: string[]; name: string | undefined; opened: string[]; isRepeat: boolean };

export function readShape(given: unknown, resolve: Resolve, above: string[] = []): Shape {
  const { schema, patterns, name, opened, isRepeat } = mergeParts(given, resolve, above);
  const inside = [...above, ...opened];
  const read = (part: unknown) => readShape(part, resolve, inside);
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(read);
  const variants = choices.filter((choice) => !isNull(choice));
  const isNullable = variants.length < choices.length || choices.some((choice) => choice.isNullable);
  const [only] = variants;
  if (only && variants.length === 1) return { ...only, ...onlyVariant(only, schema, name, isNullable) };
  const types = typesOf(schema);
  return {
    name,
    schema,
    patterns,
    types: types.filter((type) => type !== "null" || types.length === 1),
    isNullable: isNullable || (types.length > 1 && types.includes("null")),
    fields: Object.entries(schema.properties ?? {}).map(([field, value]) => ({
      name: field,
      isRequired: schema.required?.includes(field) ?? false,
      shape: read(value),
    })),
    otherFields: readOtherFields(schema.additionalProperties, read),
    items: schema.items === undefined || schema.items === false ? undefined : read(schema.items),
    firstItems: (schema.prefixItems ?? []).map(read),
    variants,
    isRepeat,
  };
}

/** "This or null" is this, with what was said about the choice as a whole. */
function onlyVariant(
  only: Shape,
  { anyOf: _, oneOf: __, ...said }: Schema,
  name: string | undefined,
  nullable: boolean,
) {
  return { name: only.name ?? name, schema: { ...only.schema, ...said }, isNullable: nullable || only.isNullable };
}

function mergeParts(given: unknown, resolve: Resolve, above: string[]): Merged {
  const { $ref, allOf = [], ...own } = asSchema(given);
  const start: Merged = { schema: {}, patterns: [], name: undefined, opened: [], isRepeat: false };
  const parts = allOf.map((part) => mergeParts(part, resolve, above));
  if ($ref !== undefined) parts.unshift(follow($ref, resolve, above));
  const patterns = own.pattern === undefined ? [] : [own.pattern];
  return [...parts, { ...start, schema: own, patterns }].reduce(merge, start);
}

function follow($ref: string, resolve: Resolve, above: string[]): Merged {
  const name = $ref.split("/").at(-1);
  if (above.includes($ref)) {
    return { schema: {}, patterns: [], name, opened: [], isRepeat: true };
  }
  const target = mergeParts(resolve($ref), resolve, [...above, $ref]);
  return { ...target, name, opened: [$ref, ...target.opened] };
}

function merge(a: Merged, b: Merged): Merged {
  const schema = { ...a.schema, ...b.schema };
  if (a.schema.properties && b.schema.properties) {
    schema.properties = { ...a.schema.properties, ...b.schema.properties };
  }
  if (a.schema.required && b.schema.required) schema.required = [...a.schema.required, ...b.schema.required];
  return {
    schema,
    patterns: [...a.patterns, ...b.patterns],
    // What is added to a component makes it another thing.
    name: a.schema.properties && b.schema.properties ? undefined : (a.name ?? b.name),
    opened: [...a.opened, ...b.opened],
    isRepeat: a.isRepeat || b.isRepeat,
  };
}

/** JSON Schema allows `true` and `false` for "anything" and "nothing". */
function asSchema(given: unknown): Schema {
  return typeof given === "object" && given !== null ? given : {};
}

function typesOf(schema: Schema): string[] {
  if (schema.type !== undefined) return [schema.type].flat();
  const values = "const" in schema ? [schema.const] : (schema.enum ?? []);
  if (values.length > 0) return [...new Set(values.map(typeOfValue))];
  if (schema.properties) return ["object"];
  return schema.items || schema.prefixItems ? ["array"] : [];
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

function isNull(shape: Shape): boolean {
  return shape.types.length === 1 && shape.types[0] === "null";
}

function readOtherFields(given: unknown, read: (part: unknown) => Shape): Shape | boolean {
  if (given === undefined || typeof given === "boolean") return given ?? true;
  return read(given);
}
