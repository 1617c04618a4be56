/** One execution in memory, run by aws-local-stepfunctions and told in Step Functions' words. */

import { ExecutionTimeoutError, StateMachine } from "aws-local-stepfunctions";
import type { Value, WorkflowDefinition } from "../../ports.ts";
import { SfnError } from "./sfn-requests.ts";

type Definition = ConstructorParameters<typeof StateMachine>[0];
type Run = ReturnType<StateMachine["run"]>;
type Event = Run["eventLogs"] extends AsyncGenerator<infer Logged> ? Logged : never;
type Arns = { executionArn: string; stateMachineArn: string; name: string };
type SfnEvent = { timestamp: number; type: string; id: number; previousEventId: number; [details: string]: unknown };

const valid = new WeakSet<object>();

/** Throws what is wrong with the states language, which takes a while to find out. */
export function checkDefinition({ asl }: WorkflowDefinition): void {
  if (valid.has(asl)) return;
  new StateMachine(asl as unknown as Definition);
  valid.add(asl);
}

export class SfnExecution {
  readonly input: string;
  readonly startDate = nowSeconds();
  readonly events: SfnEvent[] = [];
  readonly #definition: WorkflowDefinition;
  readonly #arns: Arns;
  #status = "RUNNING";
  #redriveCount = 0;
  #stopDate: number | undefined;
  #end: { output?: string; error?: string; cause?: string } = {};
  /** The top-level state entered last, which is the one that failed when the execution did. */
  #at: { state: string; input: Value };
  #abort: () => void = () => {};

  constructor(definition: WorkflowDefinition, arns: Arns, input: string) {
    this.#definition = definition;
    this.#arns = arns;
    this.input = input;
    this.#at = { state: String(definition.asl.StartAt), input: JSON.parse(input) };
    this.#log("ExecutionStarted", { executionStartedEventDetails: { input } });
    void this.#run();
  }

  get isRunning(): boolean {
    return this.#status === "RUNNING";
  }

  outline() {
    const stop = this.#stopDate === undefined ? {} : { stopDate: this.#stopDate };
    return {
      ...this.#arns,
      status: this.#status,
      startDate: this.startDate,
      ...stop,
      redriveCount: this.#redriveCount,
    };
  }

  describe(): object {
    return { ...this.outline(), input: this.input, ...this.#end };
  }

  redrive(): object {
    if (!["FAILED", "TIMED_OUT", "ABORTED"].includes(this.#status)) {
      throw new SfnError("ExecutionNotRedrivable", `Execution is ${this.#status} and cannot be redriven`);
    }
    this.#redriveCount += 1;
    this.#status = "RUNNING";
    this.#stopDate = undefined;
    this.#end = {};
    this.#log("ExecutionRedriven", { executionRedrivenEventDetails: { redriveCount: this.#redriveCount } });
    void this.#run();
    return { redriveDate: nowSeconds() };
  }

  abort(): void {
    this.#abort();
  }

  async #run(): Promise<void> {
    const { state, input } = this.#at;
    const asl = { ...this.#definition.asl, StartAt: state } as unknown as Definition;
    // Begun in its middle a machine has states that are never reached, which is not valid.
    const machine = new StateMachine(asl, { validationOptions: { noValidate: true } });
    const run = machine.run(input, {
      overrides: { taskResourceLocalHandlers: this.#definition.tasks as never },
      context: { Execution: { Id: this.#arns.executionArn, Name: this.#arns.name } },
    });
    this.#abort = run.abort;
    const [outcome] = await Promise.allSettled([run.result, this.#follow(run.eventLogs)]);
    this.#stopDate = nowSeconds();
    if (outcome.status === "fulfilled") this.#succeed(JSON.stringify(outcome.value));
    else this.#fail(outcome.reason);
  }

  #succeed(output: string): void {
    this.#end = { output };
    this.#status = "SUCCEEDED";
    this.#log("ExecutionSucceeded", { executionSucceededEventDetails: { output } });
  }

  #fail(reason: unknown): void {
    if (reason instanceof ExecutionTimeoutError) {
      this.#status = "TIMED_OUT";
      this.#end = { error: "States.Timeout" };
      this.#log("ExecutionTimedOut", { executionTimedOutEventDetails: this.#end });
      return;
    }
    const { name, message } =
      (reason as Error).cause instanceof Error ? (reason as { cause: Error }).cause : (reason as Error);
    this.#status = "FAILED";
    this.#end = { error: name, cause: message };
    this.#log("ExecutionFailed", { executionFailedEventDetails: this.#end });
  }

  async #follow(events: AsyncIterable<Event>): Promise<void> {
    for await (const event of events) this.#tell(event);
  }

  #tell(event: Event): void {
    if (event.type === "StateEntered") {
      const { name, type, input } = event.state;
      if (Object.hasOwn(this.#definition.asl.States as object, name)) this.#at = { state: name, input: input as Value };
      this.#log(`${type}StateEntered`, { stateEnteredEventDetails: { name, input: JSON.stringify(input) } });
      if (type === "Task") this.#log("LambdaFunctionScheduled", {});
    }
    if (event.type === "StateExited") {
      const { name, type, output } = event.state;
      this.#log(`${type}StateExited`, { stateExitedEventDetails: { name, output: JSON.stringify(output) } });
    }
    if (event.type === "StateFailed" && event.state.type === "Task") {
      const details = { error: event.Error, cause: String(event.Cause) };
      this.#log("LambdaFunctionFailed", { lambdaFunctionFailedEventDetails: details });
    }
  }

  #log(type: string, details: { [field: string]: unknown }): void {
    const id = this.events.length + 1;
    this.events.push({ timestamp: nowSeconds(), type, id, previousEventId: id - 1, ...details });
  }
}

function nowSeconds(): number {
  return Date.now() / 1000;
}
