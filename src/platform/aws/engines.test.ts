/** The set of AWS engines as a whole: each thing once, and ready only when all that was opened is there. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { localSettings } from "../contracts/doubles/aws-subject.ts";
import { awsError, type Call } from "../contracts/doubles/scripted-aws.ts";
import { onScriptedAws } from "../contracts/doubles/scripted-engines.ts";
import { refusedWith } from "../contracts/refused.ts";
import type { Engines } from "../ports.ts";
import { openAwsEngines } from "./engines.ts";

const SETTINGS = { visibilityMs: 30_000, maxReceives: 3 };
const WORKFLOW = { name: "w", asl: {}, tasks: {} };

function openOneOfEach(engines: Engines): void {
  engines.table("t");
  engines.queue("q", SETTINGS);
  engines.blobs("b");
  engines.workflow(WORKFLOW);
}

const fine = ({ action, input }: Call) => {
  if (action === "GetQueueUrl") return { json: { QueueUrl: `http://sqs/0/${input.QueueName}` } };
  return action === "" ? { text: "" } : { json: {} };
};

test("a thing opened twice by its name is the same thing", () => {
  const engines = openAwsEngines(localSettings({}));
  assert.equal(engines.table("a"), engines.table("a"));
  assert.notEqual(engines.table("a"), engines.table("b"));
  assert.equal(engines.queue("a", SETTINGS), engines.queue("a", SETTINGS));
  assert.equal(engines.blobs("a"), engines.blobs("a"));
  assert.equal(engines.workflow(WORKFLOW), engines.workflow(WORKFLOW));
});

test("readiness asks for all that was opened, and for nothing else", async () => {
  await onScriptedAws(fine, async ({ engines, calls }) => {
    await engines.checkReady();
    assert.equal(calls.length, 0);
    openOneOfEach(engines);
    await engines.checkReady();
    const asked = calls.map(({ action, input, url }) => `${action} ${input.TableName ?? input.QueueName ?? url}`);
    assert.deepEqual(asked.sort(), [
      " /b/",
      "DescribeStateMachine /",
      "DescribeTable t",
      "GetQueueUrl q",
      "GetQueueUrl q-dlq",
    ]);
  });
});

test("readiness names what is not there", async () => {
  const missing = [
    ["DescribeTable", "table.unknown", awsError("ResourceNotFoundException")],
    ["GetQueueUrl", "queue.unknown", awsError("QueueDoesNotExist")],
    ["DescribeStateMachine", "workflow.unknown", awsError("StateMachineDoesNotExist")],
    ["", "blob.unknown-bucket", { status: 404, text: "" }],
  ] as const;
  for (const [action, code, answer] of missing) {
    await onScriptedAws(
      (call) => (call.action === action ? answer : fine(call)),
      async ({ engines }) => {
        openOneOfEach(engines);
        await refusedWith(code, engines.checkReady());
      },
    );
  }
});

test("readiness tells when nobody answers", async () => {
  const engines = openAwsEngines({ ...localSettings({ dynamodb: "http://127.0.0.1:9" }), maxAttempts: 1 });
  engines.table("t");
  await refusedWith("table.busy", engines.checkReady());
  await engines.close();
});

test("a workflow can't be opened without knowing where state machines are", async () => {
  const engines = openAwsEngines({ region: "us-east-1" });
  await refusedWith("workflow.no-arn", (async () => engines.workflow(WORKFLOW))());
});
