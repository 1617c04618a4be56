/** What DynamoDB is asked for a query, and where a page ends. */

import { marshall } from "@aws-sdk/util-dynamodb";
import { decodeCursor } from "../cursor.ts";
import type { Item, Query } from "../ports.ts";
import { keyConditionExpression, Placeholders } from "./expressions.ts";

/** The keys of the last item read: of the table, and of the index when one is asked. */
export type Position = { [name: string]: string };

export type QueryPlan = {
  /** Nothing when no item can be within the bounds. */
  request?: ReturnType<typeof queryRequest>;
  names: string[];
  start?: Position;
};

export function planQuery(table: string, query: Query): QueryPlan {
  const keys = { pk: `${query.index ?? ""}PK`, sk: `${query.index ?? ""}SK` };
  const names = [...new Set(["PK", "SK", keys.pk, keys.sk])];
  const placeholders = new Placeholders();
  const condition = keyConditionExpression(query, keys, placeholders);
  return {
    names,
    ...(query.cursor !== undefined && { start: decodeCursor(query.cursor, names, { [keys.pk]: query.partition }) }),
    ...(condition !== undefined && { request: queryRequest(table, query, condition, placeholders) }),
  };
}

export function positionOf(item: Item, names: string[]): Position {
  return Object.fromEntries(names.map((name) => [name, String(item[name])]));
}

export function startingAt(position: Position | undefined) {
  return position && { ExclusiveStartKey: marshall(position) };
}

function queryRequest(table: string, { index, order }: Query, condition: string, placeholders: Placeholders) {
  return {
    TableName: table,
    // An index can't be read consistently.
    ...(index ? { IndexName: index } : { ConsistentRead: true }),
    KeyConditionExpression: condition,
    ...placeholders.fields(),
    ScanIndexForward: order !== "descending",
  };
}
