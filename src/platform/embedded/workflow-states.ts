/** Runs one top-level state at a time with aws-local-stepfunctions, so that the journal can stand between them. */

import { createHash } from "node:crypto";
import type { StateMachine, StateMachineDefinition } from "aws-local-stepfunctions";
import type { HistoryEvent, Tasks, Value, WorkflowDefinition } from "../ports.ts";
import { Problem } from "../problem.ts";

type Asl = { StartAt: string; States: { [name: string]: State } };
type State = { [field: string]: Value } & { Type: string };
type Scope = { StartAt?: string; States?: { [name: string]: State } };

/** Where a state led: on with an input, or to an end. A Wait also says how long. */
export type Step =
  | { next: string; input: Value; waitMs: number }
  | { output: Value }
  | { error: string; cause: string };

/** Results of tasks inside a Parallel or Map state, kept so that a second run of that state does not repeat them. */
export type ResultKeeper = { known: { [task: string]: string }; keep(task: string, output: string): Promise<void> };

const END = "snaprace:end";

/** Not at the start: it brings 8 MB of other packages, which a server that only takes entries never needs. */
export const loadInterpreter = () => import("aws-local-stepfunctions");

async function newMachine(asl: object, options?: ConstructorParameters<typeof StateMachine>[1]): Promise<StateMachine> {
  const interpreter = await loadInterpreter();
  return new interpreter.StateMachine(asl as StateMachineDefinition, options);
}

export class WorkflowStates {
  readonly startAt: string;
  readonly #states: { [name: string]: State };
  readonly #tasks: Tasks;
  readonly #machines = new Map<string, StateMachine>();

  constructor(definition: WorkflowDefinition) {
    checkDefinition(definition);
    const { StartAt, States } = definition.asl as Asl;
    this.startAt = StartAt;
    this.#states = States;
    this.#tasks = definition.tasks;
  }

  has(state: string): boolean {
    return Object.hasOwn(this.#states, state);
  }

  isFail(state: string): boolean {
    return this.#states[state]?.Type === "Fail";
  }

  async run(
    name: string,
    state: string,
    input: Value,
    results: ResultKeeper,
    onEvent: (event: HistoryEvent) => void,
  ): Promise<Step> {
    const definition = this.#states[state];
    if (!definition) return { error: "Workflow.UnknownState", cause: `The workflow has no state ${state} any more.` };
    if (definition.Type === "Fail") return runFail(definition, input);
    const machine = await this.#machineOf(state);
    const run = machine.run(input as never, {
      context: { Execution: { Id: name, Name: name } },
      overrides: {
        taskResourceLocalHandlers: this.#handlers(state, results) as never,
        waitTimeOverrides: { [state]: 0 },
      },
    });
    const watched = this.#watch(run.eventLogs, state, onEvent);
    try {
      const result = (await run.result) as Value;
      await watched;
      if (definition.Type === "Succeed") return { output: result };
      const { next, input: onward } = result as { next: string; input: Value };
      if (next === END) return { output: onward };
      return { next, input: onward, waitMs: definition.Type === "Wait" ? await waitMs(definition, input) : 0 };
    } catch (error) {
      await watched;
      return failureOf(error);
    }
  }

  /** The state itself, with every other one replaced by an end that says which it was and with what input. */
  async #machineOf(state: string): Promise<StateMachine> {
    const known = this.#machines.get(state);
    if (known) return known;
    const { End, ...definition } = this.#states[state] as State;
    const ends = [...Object.keys(this.#states), END].map((name) => [
      name,
      { Type: "Pass", Parameters: { next: name, "input.$": "$" }, End: true },
    ]);
    const self = End ? { ...definition, Next: END } : definition;
    const States = { ...Object.fromEntries(ends), [state]: self };
    const machine = await newMachine({ StartAt: state, States }, { validationOptions: { noValidate: true } });
    this.#machines.set(state, machine);
    return machine;
  }

  #handlers(state: string, { known, keep }: ResultKeeper): Tasks {
    const handlers: Tasks = {};
    for (const [name, task] of Object.entries(this.#tasks)) {
      if (name === state) {
        handlers[name] = task;
        continue;
      }
      handlers[name] = async (input) => {
        const id = `${name} ${createHash("sha256").update(JSON.stringify(input)).digest("base64url")}`;
        const kept = known[id];
        if (kept !== undefined) return JSON.parse(kept) as Value;
        const output = await task(input);
        await keep(id, JSON.stringify(output));
        return output;
      };
    }
    return handlers;
  }

  /** Passes on what the journal's own entries do not say: states inside a state, and failures that were retried or caught. */
  async #watch(logs: AsyncGenerator<EventLog>, state: string, onEvent: (event: HistoryEvent) => void): Promise<void> {
    for await (const log of logs) {
      if (!log.state || log.state.name === END) continue;
      const isInner = log.state.name !== state && !this.has(log.state.name);
      const isTrouble = log.state.name === state && /Failed|Retried|Caught/.test(log.type);
      if (!isInner && !isTrouble) continue;
      const event: HistoryEvent = { at: log.timestamp, type: log.type, state: log.state.name };
      onEvent(log.Error === undefined ? event : { ...event, error: log.Error, cause: textOf(log.Cause) });
    }
  }
}

type EventLog = { type: string; timestamp: number; state?: { name: string }; Error?: string; Cause?: unknown };

/** The interpreter ignores these silently, or gives a single state's view of them: better to refuse at the start. */
function checkDefinition({ name, asl, tasks }: WorkflowDefinition): void {
  const problem = (message: string) => new Problem("misconfigured", "workflow.bad-definition", `${name}: ${message}`);
  const lost = unknownTargets(asl as Scope);
  if (lost.length > 0) throw problem(`there is no state ${lost.join(", ")} where one is named.`);
  const text = JSON.stringify(asl);
  for (const unsupported of [
    '"QueryLanguage":"JSONata"',
    '"Assign":',
    "$$.Execution.Input",
    "$$.Execution.StartTime",
  ]) {
    if (text.includes(unsupported)) throw problem(`${unsupported} is not supported by the embedded engine.`);
  }
  if ("TimeoutSeconds" in asl) throw problem("give the states time-outs instead of the whole workflow.");
  const wanted = new Set(taskStates(asl));
  for (const task of wanted) if (!tasks[task]) throw problem(`the Task state ${task} has no function.`);
  for (const task of Object.keys(tasks))
    if (!wanted.has(task)) throw problem(`the function ${task} has no Task state.`);
}

/** What `StartAt` or a `Next` names without its being there; the states inside a state have names of their own. */
function unknownTargets(scope: Scope): string[] {
  const { StartAt, States = {} } = scope;
  const states = Object.values(States);
  const named = [StartAt, ...states.flatMap(nextOf)].filter((target) => target !== undefined);
  const inner = states.flatMap(({ Branches = [], Iterator = [], ItemProcessor = [] }) =>
    [Branches, Iterator, ItemProcessor].flat(),
  );
  return [
    ...named.filter((target) => !Object.hasOwn(States, target)),
    ...(inner as Scope[]).flatMap((each) => unknownTargets(each)),
  ];
}

function nextOf({ Next, Default, Catch = [], Choices = [] }: State): (string | undefined)[] {
  const ways = [{ Next }, { Next: Default }, Catch, Choices].flat() as { Next?: string }[];
  return ways.map((way) => way.Next);
}

function taskStates(value: Value): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(taskStates);
  const states = Object.entries((value.States as { [name: string]: State } | undefined) ?? {});
  const own = states.filter(([, { Type }]) => Type === "Task").map(([task]) => task);
  return [...own, ...Object.values(value).flatMap(taskStates)];
}

async function waitMs(definition: State, input: Value): Promise<number> {
  const read = async (path: Value) => {
    const States = { Read: { Type: "Pass", Parameters: { "value.$": path }, End: true } };
    const machine = await newMachine({ StartAt: "Read", States });
    return ((await machine.run(input as never).result) as { value: Value }).value;
  };
  const { Seconds, SecondsPath, Timestamp, TimestampPath } = definition;
  if (Timestamp !== undefined) return Date.parse(String(Timestamp)) - Date.now();
  if (TimestampPath !== undefined) return Date.parse(String(await read(TimestampPath))) - Date.now();
  return Number(Seconds ?? (await read(SecondsPath as Value))) * 1000;
}

/** On its own: in a machine with the others its error would look like theirs. */
async function runFail(definition: State, input: Value): Promise<Step> {
  const States = { Fail: definition };
  const machine = await newMachine({ StartAt: "Fail", States });
  return machine
    .run(input as never)
    .result.then(() => ({ error: "States.Runtime", cause: "a Fail state did not fail" }), failureOf);
}

/** The interpreter wraps what a task threw; its name is the error's name in the language. */
function failureOf(error: unknown): { error: string; cause: string } {
  const thrown = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(thrown instanceof Error)) return { error: "Error", cause: textOf(thrown) };
  return { error: thrown.name, cause: thrown.message };
}

function textOf(cause: unknown): string {
  return typeof cause === "string" ? cause : (JSON.stringify(cause) ?? "");
}
