/** What every engine of the workflow port does: the suite is the port's definition. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Execution, HistoryEvent, Value, Workflow } from "../ports.ts";
import { refusedWith } from "./refused.ts";
import type { Subject } from "./subject.ts";
import { ASL, Scene } from "./workflow-scene.ts";

const TIMEOUT_MS = 10_000;

export function testWorkflow(name: string, open: () => Promise<Subject>): void {
  describe(`workflow: ${name}`, () => {
    let subject: Subject;
    before(async () => {
      subject = await open();
    });
    after(() => subject.close());
    const fresh = async () => {
      const scene = new Scene();
      return { scene, workflow: await subject.workflow({ name: "suite", asl: ASL, tasks: scene.tasks }) };
    };
    describe("running", () => testRunning(fresh));
    describe("failing and running again", () => testFailing(fresh));
    describe("names", () => testNames(fresh));
  });
}

type Fresh = () => Promise<{ scene: Scene; workflow: Workflow }>;

function testRunning(fresh: Fresh): void {
  test("an execution runs its states and ends with their output", async () => {
    const { workflow } = await fresh();
    const earliest = Date.now() - 1000;
    await workflow.start("one", { id: "p-1" });
    const { startedAt, stoppedAt, ...rest } = await ended(workflow, "one");
    const stored = {
      id: "p-1",
      prepared: { width: 10 },
      analysis: { read: { words: ["101"] }, count: { faces: 2 } },
    };
    assert.deepEqual(rest, { name: "one", status: "SUCCEEDED", input: { id: "p-1" }, output: { stored } });
    assert.ok(startedAt >= earliest && stoppedAt !== undefined && stoppedAt >= startedAt, `${startedAt} ${stoppedAt}`);
  });

  test("while it runs it says so, without an end", async (t) => {
    const { scene, workflow } = await fresh();
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.gate = promise;
    t.after(() => resolve());
    await workflow.start("one", {});
    const { startedAt: _, ...running } = (await workflow.status("one")) ?? assert.fail();
    resolve();
    assert.deepEqual(running, { name: "one", status: "RUNNING", input: {} });
    assert.equal((await ended(workflow, "one")).status, "SUCCEEDED");
  });

  test("a name is one execution however often it is started, even at once, afterwards or with another input", async () => {
    const { scene, workflow } = await fresh();
    await Promise.all([1, 2, 3].map(() => workflow.start("one", { n: 1 })));
    await workflow.start("one", { n: 2 });
    await ended(workflow, "one");
    await workflow.start("one", { n: 3 });
    await delay(50);
    assert.deepEqual((await workflow.status("one"))?.input, { n: 1 });
    assert.deepEqual(scene.runs, { Prepare: 1, Read: 1, Count: 1, Store: 1 });
  });

  test("a retry is tried again and a caught error takes its way out", async () => {
    const { scene, workflow } = await fresh();
    scene.failing = { Prepare: named("Flaky"), Read: named("NoText") };
    await workflow.start("one", {});
    await until(() => scene.runs.Prepare === 1);
    delete scene.failing.Prepare;
    const { status, output } = await ended(workflow, "one");
    assert.equal(status, "SUCCEEDED");
    const { stored } = output as { stored: { analysis: Value } };
    assert.deepEqual(stored.analysis, { read: { words: [] }, count: { faces: 2 } });
    assert.deepEqual(scene.runs, { Prepare: 2, Read: 1, Count: 1, Store: 1 });
    assert.ok(enteredIn(await workflow.history("one")).includes("ReadFallback"));
  });

  test("the history tells which states were entered and left, in order", async () => {
    const { workflow } = await fresh();
    await workflow.start("one", {});
    await ended(workflow, "one");
    const history = await workflow.history("one");
    const topLevel = history.filter(({ state }) => state === undefined || Object.hasOwn(ASL.States, state));
    assert.deepEqual(
      topLevel.map(({ type, state }) => (state === undefined ? type : `${type} ${state}`)),
      [
        "ExecutionStarted",
        "StateEntered Prepare",
        "StateExited Prepare",
        "StateEntered Analyze",
        "StateExited Analyze",
        "StateEntered Decide",
        "StateExited Decide",
        "StateEntered Store",
        "StateExited Store",
        "ExecutionSucceeded",
      ],
    );
    assert.deepEqual(new Set(enteredIn(history)), new Set(["Prepare", "Analyze", "Read", "Count", "Decide", "Store"]));
    const times = topLevel.map(({ at }) => at);
    assert.deepEqual(
      times,
      times.toSorted((a, b) => a - b),
    );
    assert.ok(Math.abs(Date.now() - (times[0] ?? 0)) < TIMEOUT_MS, "times are epoch milliseconds");
  });
}

function testFailing(fresh: Fresh): void {
  test("an error that nothing catches fails the execution with its name and message", async () => {
    const { scene, workflow } = await fresh();
    scene.failing = { Store: named("StoreDown", "no room") };
    await workflow.start("one", {});
    const { status, error, cause = "", output, stoppedAt } = await ended(workflow, "one");
    assert.deepEqual({ status, error, output }, { status: "FAILED", error: "StoreDown", output: undefined });
    assert.match(cause, /no room/);
    assert.ok(stoppedAt !== undefined);
    const last = (await workflow.history("one")).at(-1);
    assert.deepEqual([last?.type, last?.error], ["ExecutionFailed", "StoreDown"]);
    assert.match(last?.cause ?? "", /no room/);
  });

  test("retries come to an end", async () => {
    const { scene, workflow } = await fresh();
    scene.failing = { Prepare: named("Flaky") };
    await workflow.start("one", {});
    assert.equal((await ended(workflow, "one")).error, "Flaky");
    assert.equal(scene.runs.Prepare, 3);
  });

  test("a Fail state fails the execution in its own words", async () => {
    const { scene, workflow } = await fresh();
    scene.faces = 101;
    await workflow.start("one", {});
    const { status, error, cause } = await ended(workflow, "one");
    const expected = { status: "FAILED", error: "TooManyFaces", cause: "more faces than anyone can tell apart" };
    assert.deepEqual({ status, error, cause }, expected);
  });

  test("run again, it goes on from the state that failed", async () => {
    const { scene, workflow } = await fresh();
    scene.failing = { Store: named("StoreDown") };
    await workflow.start("one", { id: "p-1" });
    await ended(workflow, "one");
    scene.failing = {};
    await workflow.rerun("one");
    const { status, error, output } = await ended(workflow, "one");
    assert.deepEqual({ status, error }, { status: "SUCCEEDED", error: undefined });
    assert.equal((output as { stored: { id: string } }).stored.id, "p-1");
    assert.deepEqual(scene.runs, { Prepare: 1, Read: 1, Count: 1, Store: 2 });
    const types = (await workflow.history("one")).map(({ type }) => type).filter((type) => /^Execution/.test(type));
    assert.deepEqual(types, ["ExecutionStarted", "ExecutionFailed", "ExecutionRedriven", "ExecutionSucceeded"]);
  });

  test("run again while the cause remains, it fails again and can be run again", async () => {
    const { scene, workflow } = await fresh();
    scene.failing = { Store: named("StoreDown") };
    await workflow.start("one", {});
    for (const runs of [1, 2, 3]) {
      assert.equal((await ended(workflow, "one")).status, "FAILED");
      assert.equal(scene.runs.Store, runs);
      if (runs === 3) scene.failing = {};
      await workflow.rerun("one");
    }
    assert.equal((await ended(workflow, "one")).status, "SUCCEEDED");
  });

  test("a branch that fails takes its Parallel with it, and is run again", async () => {
    const { scene, workflow } = await fresh();
    scene.failing = { Count: named("CountDown") };
    await workflow.start("one", {});
    assert.equal((await ended(workflow, "one")).error, "CountDown");
    scene.failing = {};
    await workflow.rerun("one");
    assert.equal((await ended(workflow, "one")).status, "SUCCEEDED");
    assert.deepEqual([scene.runs.Prepare, scene.runs.Count, scene.runs.Store], [1, 2, 1]);
  });

  test("the failed ones are listed, in pages, and leave the list when they succeed", async () => {
    const { scene, workflow } = await fresh();
    await workflow.start("fine", {});
    await ended(workflow, "fine");
    scene.failing = { Store: named("StoreDown") };
    const names = ["f1", "f2", "f3", "f4", "f5"];
    for (const name of names) await workflow.start(name, {});
    for (const name of names) await ended(workflow, name);
    assert.deepEqual((await allFailed(workflow, 2)).sort(), names);
    const { items } = await workflow.listFailed({ limit: 10 });
    assert.ok(items.every(({ status, startedAt, stoppedAt = 0 }) => status === "FAILED" && stoppedAt >= startedAt));
    scene.failing = {};
    await workflow.rerun("f3");
    await ended(workflow, "f3");
    assert.deepEqual((await allFailed(workflow, 100)).sort(), ["f1", "f2", "f4", "f5"]);
  });

  test("what has not failed is not run again", async (t) => {
    const { scene, workflow } = await fresh();
    const { promise, resolve } = Promise.withResolvers<void>();
    scene.gate = promise;
    t.after(() => resolve());
    await workflow.start("one", {});
    await refusedWith("workflow.not-failed", workflow.rerun("one"));
    resolve();
    await ended(workflow, "one");
    await refusedWith("workflow.not-failed", workflow.rerun("one"));
    assert.equal(scene.runs.Store, 1);
  });

  test("a cursor that no list gave out is refused", async () => {
    const { workflow } = await fresh();
    for (const cursor of ["x", Buffer.from('{"other":"a"}').toString("base64url")]) {
      await refusedWith("cursor.invalid", workflow.listFailed({ limit: 1, cursor }));
    }
  });
}

function testNames(fresh: Fresh): void {
  for (const name of ["", "a b", "a:b", "a/b", "é", "x".repeat(81)]) {
    test(`the name ${JSON.stringify(name.slice(0, 10))} is refused`, async () => {
      const { scene, workflow } = await fresh();
      await refusedWith("workflow.bad-name", workflow.start(name, {}));
      assert.deepEqual(scene.runs, {});
    });
  }

  test("an input that is too large is refused", async () => {
    const { workflow } = await fresh();
    const tooLarge = { text: "x".repeat(256 * 1024) };
    await refusedWith("workflow.input-too-large", workflow.start("one", tooLarge));
    assert.equal(await workflow.status("one"), undefined);
  });

  test("an unknown execution has no status, and neither a history nor a second run", async () => {
    const { workflow } = await fresh();
    const missing = "workflow.unknown-execution";
    assert.equal(await workflow.status("nobody"), undefined);
    await refusedWith(missing, workflow.history("nobody"));
    await refusedWith(missing, workflow.rerun("nobody"));
  });

  test("workflows know nothing of each other's executions", async () => {
    const { workflow } = await fresh();
    const other = await fresh();
    await workflow.start("one", {});
    assert.equal(await other.workflow.status("one"), undefined);
    await ended(workflow, "one");
  });
}

function named(name: string, message = name): Error {
  return Object.assign(new Error(message), { name });
}

function enteredIn(history: HistoryEvent[]): (string | undefined)[] {
  return history.filter(({ type }) => type === "StateEntered").map(({ state }) => state);
}

async function allFailed(workflow: Workflow, limit: number): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await workflow.listFailed({ limit, ...(cursor !== undefined && { cursor }) });
    assert.ok(page.items.length <= limit);
    names.push(...page.items.map(({ name }) => name));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return names;
}

async function ended(workflow: Workflow, name: string): Promise<Execution> {
  let execution: Execution | undefined;
  await until(async () => {
    execution = await workflow.status(name);
    return execution !== undefined && execution.status !== "RUNNING";
  });
  return execution as Execution;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) assert.fail(`it did not happen within ${TIMEOUT_MS} ms`);
    await delay(10);
  }
}
