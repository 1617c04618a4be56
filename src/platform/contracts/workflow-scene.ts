/** A workflow with tasks that do as a test says, for the workflow suite. */

import type { Tasks, Value } from "../ports.ts";

/** One of each kind of state, in the manner of the photo workflow. */
export const ASL = {
  StartAt: "Prepare",
  States: {
    Prepare: {
      Type: "Task",
      Resource: lambda("Prepare"),
      Retry: [{ ErrorEquals: ["Flaky"], IntervalSeconds: 1, MaxAttempts: 2, BackoffRate: 1 }],
      ResultPath: "$.prepared",
      Next: "Analyze",
    },
    Analyze: {
      Type: "Parallel",
      Branches: [
        {
          StartAt: "Read",
          States: {
            Read: {
              Type: "Task",
              Resource: lambda("Read"),
              Catch: [{ ErrorEquals: ["States.TaskFailed"], Next: "ReadFallback" }],
              End: true,
            },
            ReadFallback: { Type: "Pass", Result: { words: [] }, End: true },
          },
        },
        { StartAt: "Count", States: { Count: { Type: "Task", Resource: lambda("Count"), End: true } } },
      ],
      ResultSelector: { "read.$": "$[0]", "count.$": "$[1]" },
      ResultPath: "$.analysis",
      Next: "Decide",
    },
    Decide: {
      Type: "Choice",
      Choices: [{ Variable: "$.analysis.count.faces", NumericGreaterThan: 100, Next: "TooMany" }],
      Default: "Store",
    },
    TooMany: { Type: "Fail", Error: "TooManyFaces", Cause: "more faces than anyone can tell apart" },
    Store: { Type: "Task", Resource: lambda("Store"), End: true },
  },
};

/** What the tasks do, and how often each did it. */
export class Scene {
  readonly runs: { [state: string]: number } = {};
  failing: { [state: string]: Error } = {};
  /** Holds Store back until it is resolved. */
  gate: Promise<void> = Promise.resolve();
  faces = 2;

  readonly tasks: Tasks = {
    Prepare: this.#task("Prepare", async () => ({ width: 10 })),
    Read: this.#task("Read", async () => ({ words: ["101"] })),
    Count: this.#task("Count", async () => ({ faces: this.faces })),
    Store: this.#task("Store", async (input) => {
      await this.gate;
      return { stored: input };
    }),
  };

  #task(state: string, work: (input: Value) => Promise<Value>): (input: Value) => Promise<Value> {
    return async (input) => {
      this.runs[state] = (this.runs[state] ?? 0) + 1;
      const error = this.failing[state];
      if (error) throw error;
      return work(input);
    };
  }
}

function lambda(name: string): string {
  return `arn:aws:lambda:us-east-1:000000000000:function:${name}`;
}
