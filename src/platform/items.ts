/** DynamoDB's limits on items and transactions, checked in front of both engines so that both refuse alike. */

import type { Action, Item, Key, Query, Update, Value } from "./ports.ts";
import { Problem } from "./problem.ts";

export const MAX_ITEM_BYTES = 400 * 1024;
const MAX_ACTIONS = 100;
const MAX_PAGE = 1000;
const MAX_PARTITION_KEY_BYTES = 2048;
const MAX_SORT_KEY_BYTES = 1024;
const MAX_NESTING = 32;
const KEY_ATTRIBUTES: [name: string, maxBytes: number][] = [
  ["PK", MAX_PARTITION_KEY_BYTES],
  ["SK", MAX_SORT_KEY_BYTES],
  ["GSI1PK", MAX_PARTITION_KEY_BYTES],
  ["GSI1SK", MAX_SORT_KEY_BYTES],
  ["GSI2PK", MAX_PARTITION_KEY_BYTES],
  ["GSI2SK", MAX_SORT_KEY_BYTES],
];

const invalid = (code: string, message: string) => new Problem("invalid", code, message);

export function checkActions(actions: Action[]): void {
  if (actions.length === 0) throw invalid("table.no-actions", "A write needs at least one action.");
  if (actions.length > MAX_ACTIONS) {
    throw invalid(
      "table.too-many-actions",
      `A write takes at most ${MAX_ACTIONS} actions; this has ${actions.length}.`,
    );
  }
  for (const action of actions) checkAction(action);
  if (actions.length > 1) checkDistinct(actions);
}

function keyOf(action: Action): Key {
  if ("put" in action) return action.put;
  if ("update" in action) return action.update;
  return "delete" in action ? action.delete : action.check;
}

export function checkKey(key: Key): void {
  checkKeyAttribute("PK", key.PK, MAX_PARTITION_KEY_BYTES);
  checkKeyAttribute("SK", key.SK, MAX_SORT_KEY_BYTES);
}

export function checkQuery({ partition, limit }: Query): void {
  checkKeyAttribute("partition", partition, MAX_PARTITION_KEY_BYTES);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_PAGE) {
    throw invalid("table.bad-limit", `A page has 1 to ${MAX_PAGE} items, not ${limit}.`);
  }
}

export function checkItemSize(item: Item): void {
  const sizeBytes = itemSizeBytes(item);
  if (sizeBytes <= MAX_ITEM_BYTES) return;
  throw new Problem(
    "too-large",
    "table.item-too-large",
    `Item ${item.PK} / ${item.SK} would have ${sizeBytes} bytes; the limit is ${MAX_ITEM_BYTES}.`,
  );
}

function checkAction(action: Action): void {
  if ("put" in action) {
    checkAttributes(action.put);
    checkKey(action.put);
    return;
  }
  checkKey(keyOf(action));
  if ("update" in action) checkUpdate(action);
}

function checkUpdate({ set = {}, add = {}, remove = [] }: Update): void {
  checkAttributes(set);
  checkAttributes(add);
  const names = [...Object.keys(set), ...Object.keys(add), ...remove];
  if (names.length === 0) throw invalid("table.empty-update", "An update must set, add or remove something.");
  if (new Set(names).size < names.length) {
    throw invalid("table.attribute-twice", `An update names an attribute twice: ${names.join(", ")}.`);
  }
  if (names.includes("PK") || names.includes("SK")) {
    throw invalid("table.key-change", "An update can't change an item's PK or SK.");
  }
}

function checkDistinct(actions: Action[]): void {
  const seen = new Set<string>();
  for (const action of actions) {
    const { PK, SK } = keyOf(action);
    const id = `${PK.length} ${PK} ${SK}`;
    if (seen.has(id)) throw invalid("table.item-twice", `A write has two actions on the item ${PK} / ${SK}.`);
    seen.add(id);
  }
}

function checkAttributes(attributes: { [name: string]: Value }): void {
  for (const name in attributes) checkValue(name, attributes[name], 1);
  for (const [name, maxBytes] of KEY_ATTRIBUTES) {
    if (attributes[name] !== undefined) checkKeyAttribute(name, attributes[name], maxBytes);
  }
}

function checkKeyAttribute(name: string, value: unknown, maxBytes: number): void {
  if (typeof value !== "string" || value === "") {
    throw invalid("table.bad-key", `${name} must be a string that is not empty.`);
  }
  // A string has at most three UTF-8 bytes per UTF-16 unit, so that most keys need no counting.
  if (value.length * 3 > maxBytes && Buffer.byteLength(value) > maxBytes) {
    throw invalid("table.bad-key", `${name} is longer than ${maxBytes} bytes.`);
  }
  if (!value.isWellFormed()) throw invalid("table.bad-key", `${name} is not well-formed Unicode.`);
}

function checkValue(name: string, value: Value | undefined, depth: number): void {
  if (typeof value === "string") {
    if (value.isWellFormed()) return;
    throw invalid("table.bad-value", `Attribute ${name} is not well-formed Unicode.`);
  }
  if (typeof value === "number") {
    const size = Math.abs(value);
    if (size === 0 || (size >= 1e-130 && size < 1e126)) return;
    throw invalid("table.bad-value", `Attribute ${name} is a number that can't be stored: ${value}.`);
  }
  if (value === null || typeof value === "boolean") return;
  if (typeof value !== "object") {
    throw invalid("table.bad-value", `Attribute ${name} has a value of type ${typeof value}, which can't be stored.`);
  }
  if (depth > MAX_NESTING) throw invalid("table.bad-value", `Attribute ${name} is nested deeper than ${MAX_NESTING}.`);
  for (const inner of Object.values(value)) checkValue(name, inner, depth + 1);
}

/** The size as DynamoDB counts it. */
function itemSizeBytes(item: Item): number {
  let sizeBytes = 0;
  for (const [name, value] of Object.entries(item)) sizeBytes += Buffer.byteLength(name) + valueSizeBytes(value);
  return sizeBytes;
}

function valueSizeBytes(value: Value): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value === "number") return Math.ceil(String(Math.abs(value)).replace(/[.e+-]/g, "").length / 2) + 2;
  if (value === null || typeof value === "boolean") return 1;
  if (Array.isArray(value)) return value.reduce<number>((sum, inner) => sum + 1 + valueSizeBytes(inner), 3);
  return Object.entries(value).reduce(
    (sum, [name, inner]) => sum + 1 + Buffer.byteLength(name) + valueSizeBytes(inner),
    3,
  );
}
