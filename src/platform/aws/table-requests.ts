/** What DynamoDB is asked to do for each kind of action. */

import type { TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { Action, Check, Condition, Delete, Key, Put, Update } from "../ports.ts";
import { conditionExpression, MARSHALLING, Placeholders, updateExpression } from "./expressions.ts";

const ANSWER_THE_ITEM = { ReturnValuesOnConditionCheckFailure: "ALL_OLD" } as const;

export function putRequest(table: string, { put, if: condition }: Put) {
  return { TableName: table, Item: marshall(put, MARSHALLING), ...conditionFields(condition, new Placeholders()) };
}

export function updateRequest(table: string, update: Update) {
  const placeholders = new Placeholders();
  const expression = updateExpression(update, placeholders);
  return {
    TableName: table,
    Key: marshalledKey(update.update),
    UpdateExpression: expression,
    ...conditionFields(update.if, placeholders),
  };
}

export function deleteRequest(table: string, { delete: key, if: condition }: Delete) {
  return { TableName: table, Key: marshalledKey(key), ...conditionFields(condition, new Placeholders()) };
}

export function transactItem(table: string, action: Action): TransactWriteItem {
  if ("put" in action) return { Put: putRequest(table, action) };
  if ("delete" in action) return { Delete: deleteRequest(table, action) };
  if ("check" in action) return { ConditionCheck: checkRequest(table, action) };
  return { Update: updateRequest(table, action) };
}

export function marshalledKey({ PK, SK }: Key) {
  return { PK: { S: PK }, SK: { S: SK } };
}

function checkRequest(table: string, { check, if: condition }: Check) {
  const placeholders = new Placeholders();
  const expression = conditionExpression(condition, placeholders);
  return {
    TableName: table,
    Key: marshalledKey(check),
    ConditionExpression: expression,
    ...placeholders.fields(),
    ...ANSWER_THE_ITEM,
  };
}

function conditionFields(condition: Condition | undefined, placeholders: Placeholders) {
  if (!condition) return placeholders.fields();
  const expression = conditionExpression(condition, placeholders);
  return { ConditionExpression: expression, ...placeholders.fields(), ...ANSWER_THE_ITEM };
}
