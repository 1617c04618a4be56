/** What conditions and updates mean for an item, as DynamoDB means it. */

import type { Condition, Item, Update, Value } from "../ports.ts";
import { Problem } from "../problem.ts";

export function holds(condition: Condition, item: Item | undefined): boolean {
  switch (condition.op) {
    case "all":
      return condition.of.every((inner) => holds(inner, item));
    case "any":
      return condition.of.some((inner) => holds(inner, item));
    case "exists":
      return item?.[condition.attribute] !== undefined;
    case "absent":
      return item?.[condition.attribute] === undefined;
    case "=":
      return equal(item?.[condition.attribute], condition.value);
    case "<>":
      // True also when the attribute is not there at all.
      return !equal(item?.[condition.attribute], condition.value);
    default:
      return ordered(condition.op, item?.[condition.attribute], condition.value);
  }
}

export function updated(before: Item | undefined, { update, set = {}, add = {}, remove = [] }: Update): Item {
  const item: Item = { ...(before ?? { PK: update.PK, SK: update.SK }), ...set };
  for (const [name, amount] of Object.entries(add)) {
    const current = before?.[name] === undefined ? 0 : before[name];
    if (typeof current !== "number") {
      throw new Problem(
        "invalid",
        "table.bad-update",
        `Attribute ${name} is no number, so nothing can be added to it.`,
      );
    }
    item[name] = current + amount;
  }
  for (const name of remove) delete item[name];
  return item;
}

/** Values of different types are in no order: every comparison of them is false. */
function ordered(op: "<" | "<=" | ">" | ">=", left: Value | undefined, right: string | number): boolean {
  if (typeof left !== typeof right) return false;
  const order =
    typeof right === "number"
      ? (left as number) - right
      : Buffer.compare(Buffer.from(left as string), Buffer.from(right));
  if (op === "<") return order < 0;
  if (op === "<=") return order <= 0;
  return op === ">" ? order > 0 : order >= 0;
}

function equal(left: Value | undefined, right: Value): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return false;
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((value, index) => equal(value, right[index] as Value));
  }
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && equal(left[name], right[name] as Value));
}
