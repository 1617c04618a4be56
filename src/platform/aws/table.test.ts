/** The table port on DynamoDB, and what the engine makes of answers that only a busy DynamoDB gives. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { ConditionFailed } from "../condition-failed.ts";
import { exists } from "../conditions.ts";
import { openAwsSubject } from "../contracts/doubles/aws-subject.ts";
import { dynoxideMissing } from "../contracts/doubles/dynoxide.ts";
import { type Answer, awsError, type Call } from "../contracts/doubles/scripted-aws.ts";
import { NOW, onScriptedAws } from "../contracts/doubles/scripted-engines.ts";
import { refusedWith } from "../contracts/refused.ts";
import { testTable } from "../contracts/table.contract.ts";
import type { Key, Table } from "../ports.ts";

const missing = dynoxideMissing();
if (missing) test("the table contract on DynamoDB", { skip: missing });
else testTable("aws", openAwsSubject);

const keyed = (n: number): Key => ({ PK: "p", SK: `s${n}` });
const marshalled = ({ PK, SK }: Key) => ({ PK: { S: PK }, SK: { S: SK } });
const put = { put: { PK: "p", SK: "s" } };

function scripted(
  answer: (call: Call, number: number) => Answer,
  work: (table: Table, calls: Call[], sleeps: number[]) => Promise<unknown>,
): Promise<void> {
  const settings = { maxAttempts: 2 };
  return onScriptedAws(answer, ({ engines, calls, sleeps }) => work(engines.table("T"), calls, sleeps), settings);
}

describe("reading from DynamoDB", () => {
  test("reads are consistent, but for an index, which can't be", async () => {
    await scripted(
      () => ({ json: {} }),
      async (table, calls) => {
        await table.get(keyed(1));
        await table.query({ partition: "p", limit: 5 });
        await table.query({ index: "GSI1", partition: "p", limit: 5 });
        assert.deepEqual(
          calls.map(({ input }) => [input.ConsistentRead, input.IndexName, input.Limit]),
          [
            [true, undefined, undefined],
            [true, undefined, 5],
            [undefined, "GSI1", 5],
          ],
        );
      },
    );
  });

  test("a batch is split at 100 keys, each asked for once, and what is left over is asked for again", async () => {
    let isFirst = true;
    const answer = ({ input }: Call): Answer => {
      const { Keys } = (input.RequestItems as { T: { Keys: ReturnType<typeof marshalled>[] } }).T;
      const unprocessed = isFirst ? Keys.slice(-30) : [];
      isFirst = false;
      const found = Keys.filter((key) => !unprocessed.includes(key)).reverse();
      return {
        json: { Responses: { T: found }, UnprocessedKeys: unprocessed.length ? { T: { Keys: unprocessed } } : {} },
      };
    };
    await scripted(answer, async (table, calls, sleeps) => {
      const keys = Array.from({ length: 250 }, (_, n) => keyed(n));
      assert.deepEqual(await table.batchGet([...keys, keyed(7)]), [...keys, keyed(7)]);
      const sizes = calls.map(({ input }) => (input.RequestItems as { T: { Keys: unknown[] } }).T.Keys.length);
      assert.deepEqual(
        sizes.sort((a, b) => a - b),
        [30, 50, 100, 100],
      );
      assert.equal(sleeps.length, 1);
    });
  });

  test("keys that are never answered end in a refusal, not in holes", async () => {
    const answer = ({ input }: Call): Answer => ({
      json: { Responses: {}, UnprocessedKeys: input.RequestItems as object },
    });
    await scripted(answer, async (table, calls) => {
      await refusedWith("table.busy", table.batchGet([keyed(1)]));
      assert.equal(calls.length, 10);
    });
  });

  test("a page is filled past expired items, and its cursor is the last item given", async () => {
    const ttl = (seconds: number) => ({ ttl: { N: String(seconds) } });
    const expired = ttl(NOW / 1000);
    const alive = ttl(NOW / 1000 + 1);
    const pages = [
      { Items: [1, 2].map((n) => ({ ...marshalled(keyed(n)), ...expired })), LastEvaluatedKey: marshalled(keyed(2)) },
      { Items: [3, 4, 5].map((n) => ({ ...marshalled(keyed(n)), ...alive })), LastEvaluatedKey: marshalled(keyed(5)) },
      { Items: [] },
    ];
    await scripted(
      (_, number) => ({ json: pages[number - 1] ?? {} }),
      async (table, calls) => {
        const { items, cursor = "" } = await table.query({ partition: "p", limit: 2 });
        assert.deepEqual(
          items.map(({ SK }) => SK),
          ["s3", "s4"],
        );
        await table.query({ partition: "p", limit: 2, cursor });
        const limits = calls.map(({ input }) => input.Limit);
        assert.deepEqual(limits, [2, 100, 2], "after a page of expired items, more are looked at in one go");
        assert.deepEqual(
          calls.map(({ input }) => input.ExclusiveStartKey),
          [undefined, marshalled(keyed(2)), marshalled(keyed(4))],
        );
      },
    );
  });
});

describe("writing to DynamoDB", () => {
  test("one action goes alone, a check or several as a transaction", async () => {
    await scripted(
      () => ({ json: {} }),
      async (table, calls) => {
        await table.write([put]);
        await table.write([{ update: keyed(1), set: { a: 1 } }]);
        await table.write([{ delete: keyed(1) }]);
        await table.write([{ check: keyed(1), if: exists("PK") }]);
        await table.write([put, { delete: keyed(1) }]);
        const actions = ["PutItem", "UpdateItem", "DeleteItem", "TransactWriteItems", "TransactWriteItems"];
        assert.deepEqual(
          calls.map(({ action }) => action),
          actions,
        );
      },
    );
  });

  test("a failed condition is told with the item, expired or not", async () => {
    const Item = { ...marshalled(keyed(1)), n: { N: "7" }, ttl: { N: "1" } };
    const cancelled = awsError("TransactionCanceledException", {
      CancellationReasons: [
        { Code: "None" },
        { Code: "ConditionalCheckFailed", Item },
        { Code: "ConditionalCheckFailed" },
      ],
    });
    const item = { ...keyed(1), n: 7, ttl: 1 };
    await scripted(
      ({ action }) => (action === "PutItem" ? awsError("ConditionalCheckFailedException", { Item }) : cancelled),
      async (table, calls) => {
        const failuresOf = (work: Promise<unknown>) =>
          work.then(
            () => assert.fail("not refused"),
            (error) => (error instanceof ConditionFailed ? error.failures : assert.fail(String(error))),
          );
        assert.deepEqual(await failuresOf(table.write([{ ...put, if: exists("PK") }])), [{ action: 0, item }]);
        const check = (n: number) => ({ check: keyed(n), if: exists("PK") });
        assert.deepEqual(await failuresOf(table.write([put, check(1), check(2)])), [
          { action: 1, item },
          { action: 2 },
        ]);
        assert.equal(calls[0]?.input.ReturnValuesOnConditionCheckFailure, "ALL_OLD");
        assert.equal(calls.length, 2, "and is not tried again");
      },
    );
  });

  test("writes that ran into each other are tried again, as transactions of their own", async () => {
    const conflict = awsError("TransactionCanceledException", {
      CancellationReasons: [{ Code: "TransactionConflict" }, { Code: "None" }, { Code: "ThrottlingError" }],
    });
    const answers = [conflict, conflict, { json: {} }, awsError("TransactionConflictException"), { json: {} }];
    await scripted(
      (_, number) => answers[number - 1] ?? { json: {} },
      async (table, calls, sleeps) => {
        await table.write([put, { delete: keyed(1) }, { delete: keyed(2) }]);
        await table.write([put]);
        assert.equal(calls.length, 5);
        assert.equal(new Set(calls.slice(0, 3).map(({ input }) => input.ClientRequestToken)).size, 3);
        assert.ok(sleeps.length === 3 && sleeps.every((ms) => ms >= 0 && ms <= 50), `${sleeps}`);
      },
    );
  });

  test("a table that stays in conflict is busy in the end", async () => {
    await scripted(
      () => awsError("TransactionCanceledException", { CancellationReasons: [{ Code: "TransactionConflict" }] }),
      async (table, calls, sleeps) => {
        await refusedWith("table.busy", table.write([put, { delete: keyed(1) }]));
        assert.equal(calls.length, 10);
        assert.ok(sleeps.every((ms) => ms <= 1000));
      },
    );
  });

  test("the SDK's own retry of a transaction counts once", async () => {
    await scripted(
      (_, number) => (number === 1 ? awsError("InternalServerError", {}, 500) : { json: {} }),
      async (table, calls) => {
        await table.write([put, { delete: keyed(1) }]);
        const [first, second] = calls.map(({ input }) => input.ClientRequestToken);
        assert.ok(first && first === second);
      },
    );
  });

  test("throttling is waited out, and told when it does not end", async () => {
    await scripted(
      (_, number) => (number < 2 ? awsError("ThrottlingException") : { json: {} }),
      async (table) => table.write([put]),
    );
    await scripted(
      () => awsError("ProvisionedThroughputExceededException"),
      async (table, calls) => {
        await refusedWith("table.busy", table.write([put]));
        assert.equal(calls.length, 2);
      },
    );
  });

  test("refusals are told in the port's words, alone and within a transaction", async () => {
    const sentences = [
      ["table.item-too-large", "Item size to update has exceeded the maximum allowed size"],
      ["table.bad-update", "An operand in the update expression has an incorrect data type"],
    ] as const;
    for (const [code, sentence] of sentences) {
      const reasons = { CancellationReasons: [{ Code: "None" }, { Code: "ValidationError", Message: sentence }] };
      await scripted(
        ({ action }) =>
          action === "UpdateItem"
            ? awsError("ValidationException", { message: sentence })
            : awsError("TransactionCanceledException", reasons),
        async (table) => {
          const update = { update: keyed(1), add: { n: 1 } };
          await refusedWith(code, table.update(update));
          await refusedWith(code, table.write([put, update]));
        },
      );
    }
  });

  test("a table that is not there is a mistake of whoever deployed", async () => {
    await scripted(
      () => awsError("ResourceNotFoundException"),
      async (table) => {
        await refusedWith("table.unknown", table.get(keyed(1)));
      },
    );
  });
});
