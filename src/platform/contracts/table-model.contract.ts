/** Drives a table with random operations beside a plain model of what DynamoDB would do, and compares every answer. */

import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { ConditionFailed } from "../condition-failed.ts";
import type { Action, Condition, Item, Key, Query, Table, Update } from "../ports.ts";
import { Problem } from "../problem.ts";

const RUNS = 40;
const STEPS = 30;

type Step = { write: Action[] } | { update: Update } | { query: Query } | { get: Key };
/** What a step leads to, in words that compare: the answer, or which conditions failed, or the refusal's code. */
type Answer = { items: (Item | undefined)[] } | { failures: unknown } | { refused: string };

export function testTableModel(open: () => Promise<Table>): void {
  it("answers as the model does, operation by operation", async () => {
    const table = await open();
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 5, maxLength: STEPS }), async (steps) => {
        run += 1;
        // Each run has partitions of its own, so that one table serves them all.
        const mine = JSON.parse(JSON.stringify(steps).replaceAll("@", `${run}.`)) as Step[];
        const model = new Model();
        for (const step of mine)
          assert.deepEqual(await perform(table, step), model.perform(step), JSON.stringify(step));
      }),
      { numRuns: RUNS, seed: 20_261_115 },
    );
  });
}

const partition = fc.constantFrom("@p", "@q");
const sort = fc.constantFrom("a", "ab", "b", "b\u{1f45f}", "b\uffee", "c");
const key: fc.Arbitrary<Key> = fc.record({ PK: partition, SK: sort });
const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom("", "x", "y", true, null),
  fc.constantFrom<[Item[string]][]>([["x"]], [[]]),
  fc.constant({ in: { side: 1 } }),
);
const attribute = fc.constantFrom("s", "t", "u");
const attributes = fc.dictionary(attribute, value, { maxKeys: 3 });
const indexKeys = fc.oneof(
  fc.constant({}),
  fc.record({ GSI1PK: partition, GSI1SK: sort }),
  fc.record({ GSI1PK: partition }),
);
const condition: fc.Arbitrary<Condition> = fc.letrec<{ tree: Condition; leaf: Condition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 2 },
    tie("leaf"),
    fc.record({ op: fc.constantFrom("all", "any"), of: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }) }),
  ) as fc.Arbitrary<Condition>,
  leaf: fc.oneof(
    fc.record({ op: fc.constantFrom("exists", "absent"), attribute: fc.constantFrom("PK", "s", "t") }),
    fc.record({ op: fc.constantFrom("=", "<>"), attribute, value }),
    fc.record({
      op: fc.constantFrom("<", "<=", ">", ">="),
      attribute,
      value: fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom("", "x", "y")),
    }),
  ) as fc.Arbitrary<Condition>,
})).tree;
const maybeIf = fc.oneof(
  fc.constant({}),
  condition.map((found) => ({ if: found })),
);
const update: fc.Arbitrary<Update> = fc
  .tuple(
    key,
    attributes,
    fc.dictionary(attribute, fc.integer({ min: -2, max: 2 }), { maxKeys: 2 }),
    fc.uniqueArray(attribute),
    maybeIf,
  )
  .map(([update, drawn, add, remove, when]) => {
    // One that only removes is left out: whether it creates the item is not promised.
    const set = Object.keys(drawn).length + Object.keys(add).length > 0 ? drawn : { s: "x" };
    const added = Object.fromEntries(Object.entries(add).filter(([name]) => !(name in set)));
    return { update, set, add: added, remove: remove.filter((name) => !(name in set) && !(name in added)), ...when };
  });
const action: fc.Arbitrary<Action> = fc.oneof(
  fc
    .tuple(key, attributes, indexKeys, maybeIf)
    .map(([at, rest, index, when]) => ({ put: { ...at, ...rest, ...index }, ...when })),
  update,
  fc.tuple(key, maybeIf).map(([at, when]) => ({ delete: at, ...when })),
  fc.tuple(key, condition).map(([at, when]) => ({ check: at, if: when })),
);
const query: fc.Arbitrary<Query> = fc
  .tuple(
    partition,
    fc.constantFrom(undefined, "GSI1"),
    fc.oneof(
      fc.constant(undefined),
      fc.record({ beginsWith: fc.constantFrom("b", "a", "zz") }),
      fc.record({ from: sort, to: sort }),
      fc.record({ from: sort }),
      fc.record({ to: sort }),
    ),
    fc.constantFrom("ascending", "descending"),
  )
  .map(([at, index, bounds, order]) => ({
    partition: at,
    ...(index ? { index: "GSI1" as const } : {}),
    ...(bounds ? { sort: bounds } : {}),
    order: order as "ascending" | "descending",
    limit: 50,
  }));
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.array(action, { minLength: 1, maxLength: 4 }).map((write) => ({ write })) },
  { weight: 2, arbitrary: update.map((one) => ({ update: one })) },
  { weight: 2, arbitrary: query.map((one) => ({ query: one })) },
  { weight: 1, arbitrary: key.map((one) => ({ get: one })) },
);

async function perform(table: Table, step: Step): Promise<Answer> {
  try {
    if ("write" in step) {
      await table.write(step.write);
      return { items: [] };
    }
    if ("update" in step) return { items: [await table.update(step.update)] };
    if ("get" in step) return { items: [await table.get(step.get)] };
    const { items } = await table.query(step.query);
    return { items: step.query.index ? withoutTieOrder(items) : items };
  } catch (error) {
    if (error instanceof ConditionFailed) return { failures: error.failures };
    if (error instanceof Problem) return { refused: error.code };
    throw error;
  }
}

/** Items with the same index key come in no promised order. */
function withoutTieOrder(items: Item[]): Item[] {
  const label = (item: Item) => `${item.PK} ${item.SK}`;
  return items
    .map((item, place) => ({ item, rank: items.findIndex(({ GSI1SK }) => GSI1SK === item.GSI1SK), place }))
    .sort((a, b) => a.rank - b.rank || label(a.item).localeCompare(label(b.item)))
    .map(({ item }) => item);
}

class Model {
  #items = new Map<string, Item>();

  perform(step: Step): Answer {
    if ("get" in step) return { items: [this.#at(step.get)] };
    if ("query" in step) return { items: this.#query(step.query) };
    const actions = "write" in step ? step.write : [step.update];
    const keys = actions.map(keyOf);
    if (new Set(keys.map(name)).size < keys.length) return { refused: "table.item-twice" };
    const failures = actions.flatMap((one, index) => this.#failure(one, index));
    if (failures.length > 0) return { failures };
    const next = new Map(this.#items);
    for (const [index, one] of actions.entries()) {
      const id = name(keys[index] as Key);
      if ("delete" in one) next.delete(id);
      if ("put" in one) next.set(id, one.put);
      if (!("update" in one)) continue;
      const item = applied(this.#items.get(id), one);
      if (!item) return { refused: "table.bad-update" };
      next.set(id, item);
    }
    this.#items = next;
    return { items: "update" in step ? [this.#at(step.update.update)] : [] };
  }

  #at(at: Key): Item | undefined {
    return this.#items.get(name(at));
  }

  #failure(one: Action, index: number): { action: number; item?: Item }[] {
    const item = this.#at(keyOf(one));
    if (!one.if || satisfied(one.if, item ?? {})) return [];
    return [item ? { action: index, item } : { action: index }];
  }

  #query({ partition: wanted, index, sort: bounds, order }: Query): Item[] {
    const [pk, sk] = index ? ["GSI1PK", "GSI1SK"] : ["PK", "SK"];
    const inBounds = (text: string) => {
      if (!bounds) return true;
      if ("beginsWith" in bounds) return text.startsWith(bounds.beginsWith);
      const { from = text, to = text } = bounds;
      return bytes(from, text) <= 0 && bytes(text, to) <= 0;
    };
    const items = [...this.#items.values()]
      .filter((item) => item[pk as string] === wanted && typeof item[sk as string] === "string")
      .filter((item) => inBounds(item[sk as string] as string))
      .sort((a, b) => bytes(a[sk as string] as string, b[sk as string] as string));
    if (order === "descending") items.reverse();
    return index ? withoutTieOrder(items) : items;
  }
}

const name = ({ PK, SK }: Key) => `${PK} / ${SK}`;
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

function keyOf(one: Action): Key {
  if ("put" in one) return one.put;
  return "update" in one ? one.update : "delete" in one ? one.delete : one.check;
}

function applied(before: Item | undefined, { update: at, set, add = {}, remove = [] }: Update): Item | undefined {
  const item: Item = { ...before, ...at, ...set };
  for (const [attr, amount] of Object.entries(add)) {
    if (before && attr in before && typeof before[attr] !== "number") return undefined;
    item[attr] = ((before?.[attr] as number | undefined) ?? 0) + amount;
  }
  for (const attr of remove) delete item[attr];
  return item;
}

function satisfied(wanted: Condition, item: { [name: string]: Item[string] }): boolean {
  if ("of" in wanted) {
    const count = wanted.of.filter((one) => satisfied(one, item)).length;
    return wanted.op === "all" ? count === wanted.of.length : count > 0;
  }
  const found = item[wanted.attribute];
  if (!("value" in wanted)) return (found !== undefined) === (wanted.op === "exists");
  const same = JSON.stringify(found) === JSON.stringify(wanted.value);
  if (wanted.op === "=") return same;
  if (wanted.op === "<>") return !same;
  let order = Number.NaN;
  if (typeof found === "number" && typeof wanted.value === "number") order = found - wanted.value;
  if (typeof found === "string" && typeof wanted.value === "string") order = bytes(found, wanted.value);
  if (wanted.op === "<") return order < 0;
  if (wanted.op === ">") return order > 0;
  return wanted.op === "<=" ? order <= 0 : order >= 0;
}
