/** Workflows on this machine keep the contract, go on after a restart, and refuse what their interpreter would ignore. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { refusedWith } from "../contracts/refused.ts";
import { testWorkflow } from "../contracts/workflow.contract.ts";
import type { Tasks, Value, Workflow } from "../ports.ts";
import { currentRequestId, newRequestId, withRequestId } from "../request-context.ts";
import { type EmbeddedEngines, openEmbeddedEngines } from "./engines.ts";
import { Store } from "./store.ts";
import { openEmbeddedSubject } from "./subject.ts";

testWorkflow("embedded", openEmbeddedSubject);

const Resource = "arn:aws:lambda:us-east-1:000000000000:function:task";
const task = (rest: { [field: string]: Value }) => ({ Type: "Task", Resource, ...rest });
const one = (rest: { [field: string]: Value } = {}) => ({
  StartAt: "One",
  States: { One: task({ End: true, ...rest }) },
});

type Open = (workflowConcurrency?: number) => Promise<EmbeddedEngines>;

/** Opens engines in a folder of its own, as often as the test likes, and leaves nothing of it behind. */
async function inFolder(work: (open: Open, dataFolder: string) => Promise<void>): Promise<void> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  const opened: EmbeddedEngines[] = [];
  const open: Open = async (workflowConcurrency = 4) => {
    const settings = { dataFolder, publicUrl: "http://127.0.0.1", workflowConcurrency, closeGraceMs: 100 };
    const engines = await openEmbeddedEngines(settings);
    opened.push(engines);
    return engines;
  };
  try {
    await work(open, dataFolder);
  } finally {
    for (const engines of opened) await engines.close();
    await rm(dataFolder, { recursive: true });
  }
}

async function ended(workflow: Workflow, name: string) {
  for (;;) {
    const execution = await workflow.status(name);
    if (execution?.status !== "RUNNING") return execution;
    await delay(5);
  }
}

describe("workflow: embedded only", () => {
  it("runs no more at once than allowed, and all in the end", async () => {
    await inFolder(async (open) => {
      const engines = await open(3);
      let running = 0;
      let most = 0;
      const One = async (input: Value) => {
        running += 1;
        most = Math.max(most, running);
        await delay(3);
        running -= 1;
        return input;
      };
      const workflow = engines.workflow({ name: "bounded", asl: one(), tasks: { One } });
      const names = Array.from({ length: 40 }, (_, n) => `e${n}`);
      await Promise.all(names.map((name) => workflow.start(name, {})));
      for (const name of names) assert.equal((await ended(workflow, name))?.status, "SUCCEEDED");
      assert.equal(most, 3);
    });
  });

  it("goes on after a restart from the state it was in, without repeating the branch that was done", async () => {
    const branch = (name: string) => ({ StartAt: name, States: { [name]: task({ TimeoutSeconds: 2, End: true }) } });
    const Both = { Type: "Parallel", Branches: [branch("Quick"), branch("Slow")], End: true };
    const asl = { StartAt: "First", States: { First: task({ Next: "Both" }), Both } };
    await inFolder(async (open) => {
      const runs: string[] = [];
      const tasks = (slow: () => Promise<Value>): Tasks => ({
        First: async () => runs.push("First") && { from: "First" },
        Quick: async () => runs.push("Quick") && "quick",
        Slow: async () => runs.push("Slow") && slow(),
      });
      const first = await open();
      const { promise: reached, resolve } = Promise.withResolvers<void>();
      const stuck = () => {
        setTimeout(resolve, 50);
        return new Promise<Value>(() => {});
      };
      await first.workflow({ name: "photo", asl, tasks: tasks(stuck) }).start("p1", {});
      await reached;
      await first.close();
      const second = await open();
      const workflow = second.workflow({ name: "photo", asl, tasks: tasks(async () => "slow") });
      assert.deepEqual((await ended(workflow, "p1"))?.output, ["quick", "slow"]);
      assert.deepEqual(runs, ["First", "Quick", "Slow", "Slow"]);
    });
  });

  it("gives up an execution whose state takes the process down again and again", async () => {
    await inFolder(async (open, dataFolder) => {
      for (let crash = 0; crash < 4; crash += 1) {
        // Opening the store alone and leaving the claim behind is what a kill in the middle looks like afterwards.
        const store = await Store.open(dataFolder);
        const id = { workflow: "photo", name: "p1" };
        await store.write("startExecution", { ...id, at: 1, requestId: null, state: "One", input: "{}" });
        await store.write("claimExecutions", { workflow: "photo", now: Date.now(), limit: 1 });
        await store.close();
        const engines = await open(crash < 3 ? 0 : 4);
        const workflow = engines.workflow({ name: "photo", asl: one(), tasks: { One: async () => "fine" } });
        // Time to go wrong in: it must not be given up yet.
        if (crash < 3) await delay(20);
        const { status, error } = (await (crash < 3 ? workflow.status("p1") : ended(workflow, "p1"))) ?? {};
        assert.deepEqual([status, error], crash < 3 ? ["RUNNING", undefined] : ["FAILED", "Workflow.Crashed"]);
        if (crash === 3) {
          await workflow.rerun("p1");
          assert.equal((await ended(workflow, "p1"))?.status, "SUCCEEDED");
        }
        await engines.close();
      }
    });
  });

  it("parks a waiting execution, so that it takes no place", async () => {
    await inFolder(async (open) => {
      const engines = await open(1);
      const States = { Wait: { Type: "Wait", SecondsPath: "$.seconds", Next: "One" }, One: task({ End: true }) };
      const order: Value[] = [];
      const One = async (input: Value) => order.push((input as { seconds: number }).seconds) && input;
      const workflow = engines.workflow({ name: "waits", asl: { StartAt: "Wait", States }, tasks: { One } });
      await workflow.start("long", { seconds: 1 });
      await workflow.start("short", { seconds: 0 });
      await ended(workflow, "short");
      await ended(workflow, "long");
      assert.deepEqual(order, [0, 1]);
    });
  });

  it("runs tasks under the request id of the start", async () => {
    await inFolder(async (open) => {
      const engines = await open();
      const One = async () => currentRequestId() ?? "none";
      const workflow = engines.workflow({ name: "traced", asl: one(), tasks: { One } });
      const requestId = newRequestId();
      await withRequestId(requestId, () => workflow.start("e", {}));
      assert.equal((await ended(workflow, "e"))?.output, requestId);
    });
  });

  it("repeats the work and not the verdict when a Fail state was reached", async () => {
    await inFolder(async (open) => {
      const engines = await open();
      const Catch = [{ ErrorEquals: ["States.ALL"], Next: "Sorry" }];
      const States = { One: task({ Catch, End: true }), Sorry: { Type: "Fail", Error: "Sorry", Cause: "no luck" } };
      let broken = true;
      const One = async () => {
        if (broken) throw new Error("broken");
        return "mended";
      };
      const workflow = engines.workflow({ name: "verdict", asl: { StartAt: "One", States }, tasks: { One } });
      await workflow.start("e", {});
      assert.equal((await ended(workflow, "e"))?.error, "Sorry");
      broken = false;
      await workflow.rerun("e");
      assert.equal((await ended(workflow, "e"))?.output, "mended");
    });
  });

  it("refuses definitions that its interpreter would misread, and tasks without a state", async () => {
    const One = async () => null;
    const bad: [string, { [field: string]: Value }, Tasks][] = [
      ["JSONata", { QueryLanguage: "JSONata", ...one() }, { One }],
      ["Assign", one({ Assign: { x: 1 } }), { One }],
      ["the execution's input", one({ Parameters: { "x.$": "$$.Execution.Input" } }), { One }],
      ["a time-out of the whole", { ...one(), TimeoutSeconds: 5 }, { One }],
      ["no such state", { StartAt: "Two", States: one().States }, { One }],
      ["no state to go on with", one({ Next: "Two" }), { One }],
      ["no state to fall back to", one({ Catch: [{ ErrorEquals: ["States.ALL"], Next: "Two" }] }), { One }],
      ["a state without a function", one(), {}],
      ["a function without a state", one(), { One, Two: One }],
    ];
    await inFolder(async (open) => {
      const engines = await open();
      for (const [label, asl, tasks] of bad) {
        const opening = async () => engines.workflow({ name: `bad ${label}`, asl, tasks });
        await refusedWith("workflow.bad-definition", opening(), label);
      }
    });
  });
});
