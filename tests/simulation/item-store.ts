/** A table's items in memory, with the port's exact semantics and indexes that may lag behind. */

import { ConditionFailed, type FailedCondition } from "../../src/platform/condition-failed.ts";
import { decodeCursor, encodeCursor } from "../../src/platform/cursor.ts";
import { holds, updated } from "../../src/platform/embedded/item-logic.ts";
import { checkItemSize } from "../../src/platform/items.ts";
import type { Action, Index, Item, Key, Page, Query, Value } from "../../src/platform/ports.ts";

export type Change = { before: Item | undefined; after: Item | undefined };

type IndexWrite = { atMs: number; key: string; item: Item | undefined };

export class ItemStore {
  /** By partition, then by sort key. Stored items are never changed, only replaced. */
  readonly partitions = new Map<string, Map<string, Item>>();
  /** Told after every write that changed something. */
  onChanges: (changes: Change[]) => void = () => {};
  /** What an index knows, and what has not reached it yet. */
  readonly #indexed = new Map<string, Item>();
  readonly #underWay: IndexWrite[] = [];
  readonly #lagMs: () => number;
  readonly #lagsUntil = new Map<string, number>();

  constructor(lagMs: () => number = () => 0) {
    this.#lagMs = lagMs;
  }

  peek({ PK, SK }: Key): Item | undefined {
    return this.partitions.get(PK)?.get(SK);
  }

  get(key: Key, nowMs: number): Item | undefined {
    const item = this.peek(key);
    return item && isAlive(item, nowMs) ? cloned(item) : undefined;
  }

  /** All or nothing: every new item is made, and so can be refused, before the first is stored. */
  write(actions: Action[], nowMs: number): void {
    const befores = actions.map((action) => this.peek(keyOf(action)));
    const failures = actions.flatMap((action, index): FailedCondition[] => {
      const before = befores[index];
      if (!action.if || holds(action.if, before)) return [];
      return [before ? { action: index, item: cloned(before) } : { action: index }];
    });
    if (failures.length > 0) throw new ConditionFailed(failures);
    const changes: Change[] = [];
    for (const [index, action] of actions.entries()) {
      if (!("check" in action)) changes.push({ before: befores[index], after: afterOf(action, befores[index]) });
    }
    for (const change of changes) this.#store(change, nowMs);
    this.onChanges(changes);
  }

  query(query: Query, nowMs: number, clientNowMs: number): Page<Item> {
    const names = query.index
      ? ([`${query.index}PK`, `${query.index}SK`, "PK", "SK"] as const)
      : (["PK", "SK"] as const);
    const [partitionName, sortName] = names;
    const after = query.cursor && decodeCursor(query.cursor, names, { [partitionName]: query.partition });
    const sign = query.order === "descending" ? -1 : 1;
    const order = (one: Item, other: Item) => {
      for (const name of names) {
        const difference = compareKeys(one[name] as string, other[name] as string);
        if (difference !== 0) return difference * sign;
      }
      return 0;
    };
    const found = this.#candidates(query, nowMs)
      .filter((item) => isWithin(query.sort, item[sortName] as string) && isAlive(item, clientNowMs))
      .filter((item) => !after || order(item, after as unknown as Item) > 0)
      .sort(order);
    const items = found.slice(0, query.limit).map(cloned);
    const last = items.at(-1);
    // As DynamoDB, which learns only on the next page that this one was the last.
    if (!last || items.length < query.limit) return { items };
    return { items, cursor: encodeCursor(Object.fromEntries(names.map((name) => [name, last[name] as string]))) };
  }

  #candidates({ index, partition }: Query, nowMs: number): Item[] {
    if (!index) return [...(this.partitions.get(partition)?.values() ?? [])];
    this.#catchUp(nowMs);
    return [...this.#indexed.values()].filter((item) => item[`${index}PK`] === partition && isIn(index, item));
  }

  #store({ before, after }: Change, nowMs: number): void {
    const { PK, SK } = (after ?? before ?? { PK: "", SK: "" }) as Key;
    const partition = this.partitions.get(PK) ?? new Map<string, Item>();
    this.partitions.set(PK, partition);
    if (after) partition.set(SK, after);
    else partition.delete(SK);
    if (!isIndexed(before) && !isIndexed(after)) return;
    const key = JSON.stringify([PK, SK]);
    const atMs = Math.max(nowMs + this.#lagMs(), this.#lagsUntil.get(key) ?? 0);
    this.#lagsUntil.set(key, atMs);
    this.#underWay.push({ atMs, key, item: isIndexed(after) ? after : undefined });
  }

  #catchUp(nowMs: number): void {
    for (const write of this.#underWay.filter(({ atMs }) => atMs <= nowMs)) {
      if (write.item) this.#indexed.set(write.key, write.item);
      else this.#indexed.delete(write.key);
    }
    const late = this.#underWay.filter(({ atMs }) => atMs > nowMs);
    this.#underWay.splice(0, this.#underWay.length, ...late);
  }
}

function afterOf(action: Exclude<Action, { check: Key }>, before: Item | undefined): Item | undefined {
  if ("delete" in action) return undefined;
  if ("put" in action) return action.put;
  const item = updated(before, action);
  checkItemSize(item);
  return item;
}

function keyOf(action: Action): Key {
  if ("put" in action) return action.put;
  if ("update" in action) return action.update;
  return "delete" in action ? action.delete : action.check;
}

function isIn(index: Index, item: Item): boolean {
  return typeof item[`${index}PK`] === "string" && typeof item[`${index}SK`] === "string";
}

function isIndexed(item: Item | undefined): boolean {
  return item !== undefined && (isIn("GSI1", item) || isIn("GSI2", item));
}

function isAlive({ ttl }: Item, nowMs: number): boolean {
  return typeof ttl !== "number" || ttl * 1000 > nowMs;
}

function isWithin(sort: Query["sort"], key: string): boolean {
  if (!sort) return true;
  if ("beginsWith" in sort) return key.startsWith(sort.beginsWith);
  const { from = key, to = key } = sort;
  return compareKeys(from, key) <= 0 && compareKeys(key, to) <= 0;
}

/** In the order of UTF-8 bytes, where what UTF-16 writes as a pair of surrogates comes after all else. */
function compareKeys(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let at = 0; at < length; at++) {
    const difference = rank(one.charCodeAt(at)) - rank(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

/** What went into a table and what comes out of it are never the same object. */
export function cloned<T extends Value | Action>(value: T): T {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((inner) => cloned(inner)) as T;
  const from = value as { [name: string]: Value };
  const copy: { [name: string]: Value } = {};
  for (const name in from) copy[name] = cloned(from[name] as Value);
  return copy as T;
}
