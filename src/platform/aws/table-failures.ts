/** What DynamoDB's refusals mean in the words of the table port. */

import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { unmarshall } from "@aws-sdk/util-dynamodb";
import { ConditionFailed, type FailedCondition } from "../condition-failed.ts";
import { invalidCursor } from "../cursor.ts";
import type { Item } from "../ports.ts";
import { Problem } from "../problem.ts";
import { isNamed, isPassingCode, orUnavailable } from "./failures.ts";

/** Another write was on the same item. The SDK gives up on these at once. */
export function isConflict(error: unknown): boolean {
  if (isNamed(error, "TransactionConflictException")) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = codesOf(error).filter((code) => code !== "None");
  return codes.length > 0 && codes.every(isPassingCode);
}

export function tableFailure(error: unknown, table: string): unknown {
  if (error instanceof ConditionalCheckFailedException) return new ConditionFailed([failedCondition(0, error.Item)]);
  if (error instanceof TransactionCanceledException) return cancellation(error, table);
  if (isNamed(error, "TransactionConflictException")) return busy(table, error);
  if (isNamed(error, "ResourceNotFoundException")) {
    return new Problem("misconfigured", "table.unknown", `There is no table ${table}. Deploy it or correct its name.`, {
      cause: error,
    });
  }
  if (isNamed(error, "ValidationException")) return refusal(error.message, error) ?? error;
  return orUnavailable(error, "table.busy", `Table ${table}`);
}

export function itemOf(attributes: Record<string, AttributeValue>): Item {
  return unmarshall(attributes, { wrapNumbers: Number }) as Item;
}

export function busy(table: string, cause?: unknown): Problem {
  const message = `Table ${table} has too much to do. Try again in a moment.`;
  return new Problem("unavailable", "table.busy", message, { cause });
}

function cancellation(error: TransactionCanceledException, table: string): unknown {
  const reasons = error.CancellationReasons ?? [];
  const failures = reasons.flatMap(({ Code, Item }, action) =>
    Code === "ConditionalCheckFailed" ? [failedCondition(action, Item)] : [],
  );
  if (failures.length > 0) return new ConditionFailed(failures);
  const invalid = reasons.find(({ Code }) => Code === "ValidationError");
  if (invalid) return refusal(invalid.Message ?? "", error) ?? error;
  return isConflict(error) ? busy(table, error) : error;
}

function codesOf(error: TransactionCanceledException): string[] {
  return (error.CancellationReasons ?? []).map(({ Code }) => Code ?? "None");
}

function failedCondition(action: number, item: Record<string, AttributeValue> | undefined): FailedCondition {
  return item === undefined ? { action } : { action, item: itemOf(item) };
}

/** DynamoDB tells these apart only by its sentences. */
function refusal(sentence: string, cause: unknown): Problem | undefined {
  if (/item size.*exceeded/i.test(sentence)) {
    return new Problem("too-large", "table.item-too-large", "The item would be larger than 400 KiB.", { cause });
  }
  if (/incorrect data type|operand type/i.test(sentence)) {
    const message = "A number can only be added to a number or to an attribute that is not there.";
    return new Problem("invalid", "table.bad-update", message, { cause });
  }
  if (/starting key|ExclusiveStartKey/i.test(sentence)) return invalidCursor();
  return undefined;
}
