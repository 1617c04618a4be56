/** Items to test tables with, and ways to read and fail that the table suites share. */

import assert from "node:assert/strict";
import { ConditionFailed } from "../condition-failed.ts";
import type { Item, Page, Query, Table } from "../ports.ts";

export const numbered = (partition: string, count: number): Item[] =>
  Array.from({ length: count }, (_, n) => ({ PK: partition, SK: `N#${String(n).padStart(4, "0")}`, n }));

export async function putAll(table: Table, items: Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += 100) {
    await table.write(items.slice(start, start + 100).map((put) => ({ put })));
  }
}

export async function readAll(
  table: Table,
  query: Query,
  between?: (page: Page<Item>) => Promise<void>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page: Page<Item> = await table.query(cursor ? { ...query, cursor } : query);
    assert.ok(page.items.length <= query.limit);
    items.push(...page.items);
    cursor = page.cursor;
    await between?.(page);
  }
  return items;
}

export async function conditionFailure(work: Promise<unknown>): Promise<ConditionFailed> {
  const error = await work.then(
    () => assert.fail("the write went through"),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ConditionFailed, String(error));
  return error;
}
