/** DynamoDB's expressions, made from conditions, updates and queries as data. */

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { marshall, type marshallOptions } from "@aws-sdk/util-dynamodb";
import type { Condition, Query, Update, Value } from "../ports.ts";

// A number is a double on both ends; DynamoDB's 38 digits hold every double.
export const MARSHALLING = { allowImpreciseNumbers: true } satisfies marshallOptions;

/** Names and values are always placeholders, because any word may be reserved and any value hostile. */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values = new Map<string, AttributeValue>();

  name(attribute: string): string {
    const known = this.#names.get(attribute);
    if (known) return known;
    const placeholder = `#n${this.#names.size}`;
    this.#names.set(attribute, placeholder);
    return placeholder;
  }

  value(value: Value): string {
    const placeholder = `:v${this.#values.size}`;
    const { value: marshalled } = marshall({ value }, MARSHALLING);
    this.#values.set(placeholder, marshalled as AttributeValue);
    return placeholder;
  }

  /** DynamoDB refuses empty maps, so that each is there only when it has something. */
  fields() {
    const names = [...this.#names].map(([attribute, placeholder]) => [placeholder, attribute] as const);
    return {
      ...(names.length > 0 && { ExpressionAttributeNames: Object.fromEntries(names) }),
      ...(this.#values.size > 0 && { ExpressionAttributeValues: Object.fromEntries(this.#values) }),
    };
  }
}

export function conditionExpression(condition: Condition, placeholders: Placeholders): string {
  switch (condition.op) {
    case "exists":
      return `attribute_exists(${placeholders.name(condition.attribute)})`;
    case "absent":
      return `attribute_not_exists(${placeholders.name(condition.attribute)})`;
    case "all":
    case "any":
      return joined(condition, placeholders);
    default:
      return `${placeholders.name(condition.attribute)} ${condition.op} ${placeholders.value(condition.value)}`;
  }
}

function joined({ op, of }: { op: "all" | "any"; of: Condition[] }, placeholders: Placeholders): string {
  const word = op === "all" ? "AND" : "OR";
  // Parentheses around parentheses are an error to DynamoDB.
  if (of.length === 1) return conditionExpression(of[0] as Condition, placeholders);
  if (of.length > 1) return `(${of.map((inner) => conditionExpression(inner, placeholders)).join(` ${word} `)})`;
  // There are no literals: all of nothing is true, any of nothing is false.
  const pk = placeholders.name("PK");
  const opposite = op === "all" ? "OR" : "AND";
  return `(attribute_exists(${pk}) ${opposite} attribute_not_exists(${pk}))`;
}

export function updateExpression({ set, add, remove }: Update, placeholders: Placeholders): string {
  const assignments = Object.entries(set ?? {}).map(
    ([name, value]) => `${placeholders.name(name)} = ${placeholders.value(value)}`,
  );
  const additions = Object.entries(add ?? {}).map(
    ([name, amount]) => `${placeholders.name(name)} ${placeholders.value(amount)}`,
  );
  const removals = (remove ?? []).map((name) => placeholders.name(name));
  const clauses = [
    ["SET", assignments],
    ["ADD", additions],
    ["REMOVE", removals],
  ] as const;
  const used = clauses.filter(([, parts]) => parts.length > 0);
  return used.map(([word, parts]) => `${word} ${parts.join(", ")}`).join(" ");
}

/** Nothing when no sort key can be within the bounds, which DynamoDB would call an error. */
export function keyConditionExpression(
  { partition, sort = {} }: Pick<Query, "partition" | "sort">,
  keys: { pk: string; sk: string },
  placeholders: Placeholders,
): string | undefined {
  const within = `${placeholders.name(keys.pk)} = ${placeholders.value(partition)}`;
  const sk = () => placeholders.name(keys.sk);
  if ("beginsWith" in sort) {
    // Every sort key begins with nothing, but DynamoDB takes no empty prefix; likewise no empty bound below.
    return sort.beginsWith === ""
      ? within
      : `${within} AND begins_with(${sk()}, ${placeholders.value(sort.beginsWith)})`;
  }
  const { from = "", to } = sort;
  if (to === undefined) return from === "" ? within : `${within} AND ${sk()} >= ${placeholders.value(from)}`;
  if (to === "" || Buffer.compare(Buffer.from(from), Buffer.from(to)) > 0) return undefined;
  if (from === "") return `${within} AND ${sk()} <= ${placeholders.value(to)}`;
  return `${within} AND ${sk()} BETWEEN ${placeholders.value(from)} AND ${placeholders.value(to)}`;
}
