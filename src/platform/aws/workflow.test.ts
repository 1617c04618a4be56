/** The workflow port on Step Functions, and what the engine makes of answers the double does not give. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { localSettings, openAwsSubject } from "../contracts/doubles/aws-subject.ts";
import { type Answer, awsError, type Call } from "../contracts/doubles/scripted-aws.ts";
import { onScriptedAws } from "../contracts/doubles/scripted-engines.ts";
import { MACHINE_ARN_PREFIX, startStepFunctions } from "../contracts/doubles/step-functions.ts";
import { refusedWith } from "../contracts/refused.ts";
import { testWorkflow } from "../contracts/workflow.contract.ts";
import type { Workflow } from "../ports.ts";
import { withRequestId } from "../request-context.ts";
import { openAwsEngines } from "./engines.ts";

testWorkflow("aws", openAwsSubject);

const PASS = { name: "w", asl: { StartAt: "Done", States: { Done: { Type: "Pass", End: true } } }, tasks: {} };
const EXECUTION_ARN = `${MACHINE_ARN_PREFIX.replace("stateMachine", "execution")}w:one`;

function scripted(
  answer: (call: Call, number: number) => Answer,
  work: (workflow: Workflow, calls: Call[]) => Promise<unknown>,
): Promise<void> {
  return onScriptedAws(answer, ({ engines, calls }) => work(engines.workflow(PASS), calls), { maxAttempts: 1 });
}

describe("asking Step Functions", () => {
  test("a start carries the request id as its trace, where it is one", async (t) => {
    const double = await startStepFunctions();
    t.after(() => double.stop());
    double.createStateMachine(PASS);
    const engines = openAwsEngines(localSettings({ states: double.endpoint }));
    t.after(() => engines.close());
    const workflow = engines.workflow(PASS);
    await withRequestId("0123456789abcdef0123456789abcdef", () => workflow.start("one", {}));
    await withRequestId("not an id", () => workflow.start("two", {}));
    await workflow.start("three", {});
    assert.deepEqual(double.traceHeaders, ["Root=1-01234567-89abcdef0123456789abcdef", undefined, undefined]);
  });

  test("the history is read to its end, without what only Step Functions speaks of", async () => {
    const entered = (type: string, name: string) => ({
      type,
      timestamp: 1.5,
      id: 1,
      stateEnteredEventDetails: { name },
    });
    const pages = [
      { events: [{ type: "ExecutionStarted", timestamp: 1, id: 1 }, entered("TaskStateEntered", "A")], nextToken: "t" },
      {
        events: [
          { type: "LambdaFunctionScheduled", timestamp: 1.6, id: 3 },
          { type: "ParallelStateStarted", timestamp: 1.7, id: 4 },
          { type: "TaskStateExited", timestamp: 1.8, id: 5, stateExitedEventDetails: { name: "A" } },
          { type: "ExecutionTimedOut", timestamp: 2, id: 6, executionTimedOutEventDetails: { error: "E", cause: "c" } },
          { type: "ExecutionRedriven", timestamp: 3, id: 7, executionRedrivenEventDetails: { redriveCount: 1 } },
          { type: "ExecutionAborted", timestamp: 4, id: 8, executionAbortedEventDetails: { cause: "stopped" } },
        ],
      },
    ];
    await scripted(
      (_, number) => ({ json: pages[number - 1] ?? {} }),
      async (workflow, calls) => {
        assert.deepEqual(await workflow.history("one"), [
          { at: 1000, type: "ExecutionStarted" },
          { at: 1500, type: "StateEntered", state: "A" },
          { at: 1800, type: "StateExited", state: "A" },
          { at: 2000, type: "ExecutionTimedOut", error: "E", cause: "c" },
          { at: 3000, type: "ExecutionRedriven" },
          { at: 4000, type: "ExecutionAborted", cause: "stopped" },
        ]);
        assert.deepEqual(
          calls.map(({ input }) => [input.executionArn, input.nextToken]),
          [
            [EXECUTION_ARN, undefined],
            [EXECUTION_ARN, "t"],
          ],
        );
      },
    );
  });

  test("those that ran out of time are among the failed, after the others", async () => {
    const stopped = { startDate: 1, stopDate: 2, executionArn: EXECUTION_ARN, stateMachineArn: "m" };
    const lists: { [status: string]: string[] } = { FAILED: ["f1", "f2"], TIMED_OUT: ["t1"] };
    const answer = ({ input }: Call): Answer => {
      const { statusFilter, maxResults, nextToken } = input as {
        statusFilter: string;
        maxResults: number;
        nextToken?: string;
      };
      const start = Number(nextToken ?? 0);
      const names = lists[statusFilter] ?? [];
      const executions = names
        .slice(start, start + maxResults)
        .map((name) => ({ ...stopped, name, status: statusFilter }));
      const end = start + executions.length;
      return { json: { executions, ...(end < names.length && { nextToken: String(end) }) } };
    };
    await scripted(answer, async (workflow) => {
      const namesBy = async (limit: number) => {
        const pages: string[][] = [];
        let cursor: string | undefined;
        do {
          const page = await workflow.listFailed({ limit, ...(cursor !== undefined && { cursor }) });
          pages.push(page.items.map(({ name, status }) => `${name} ${status}`));
          cursor = page.cursor;
        } while (cursor !== undefined);
        return pages;
      };
      assert.deepEqual(await namesBy(3), [["f1 FAILED", "f2 FAILED", "t1 TIMED_OUT"]]);
      assert.deepEqual(await namesBy(2), [["f1 FAILED", "f2 FAILED"], ["t1 TIMED_OUT"]]);
      assert.deepEqual(await namesBy(1), [["f1 FAILED"], ["f2 FAILED"], ["t1 TIMED_OUT"]]);
    });
  });

  test("a token that Step Functions no longer knows is a cursor that is no good", async () => {
    const cursor = Buffer.from(JSON.stringify({ status: "FAILED", token: "old" })).toString("base64url");
    await scripted(
      () => awsError("InvalidToken"),
      (workflow) => refusedWith("cursor.invalid", workflow.listFailed({ limit: 1, cursor })),
    );
  });

  test("waiting for its rerun, an execution is under way", async () => {
    await scripted(
      () => ({ json: { executionArn: EXECUTION_ARN, status: "PENDING_REDRIVE", startDate: 1, input: "[1]" } }),
      async (workflow) => {
        const expected = { name: "one", status: "RUNNING", startedAt: 1000, input: [1] };
        assert.deepEqual(await workflow.status("one"), expected);
      },
    );
  });

  test("a machine that is not there and a service that is busy are told apart", async () => {
    await scripted(
      () => awsError("StateMachineDoesNotExist"),
      (workflow) => refusedWith("workflow.unknown", workflow.start("one", {})),
    );
    await scripted(
      () => awsError("ThrottlingException"),
      (workflow) => refusedWith("workflow.busy", workflow.start("one", {})),
    );
  });
});
