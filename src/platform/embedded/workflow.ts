/** Workflows in this process: every state entered is on disk first, and a restart goes on from there. */

import { decodeCursor, encodeCursor } from "../cursor.ts";
import { checkExecution } from "../execution-names.ts";
import type { Clock, Execution, HistoryEvent, Page, Value, Workflow, WorkflowDefinition } from "../ports.ts";
import { Problem } from "../problem.ts";
import { currentRequestId, withRequestId } from "../request-context.ts";
import type { Store } from "./store.ts";
import { loadInterpreter, type Step, WorkflowStates } from "./workflow-states.ts";
import type { Claim, Ending } from "./workflow-writes.ts";

/** A state that takes the process down with it is given up after this many tries. */
const MAX_CRASHES = 3;
const MAX_IDLE_MS = 60_000;
const GIVE_BACK_AFTER_MS = 1_000;

type ExecutionRow = Omit<Execution, "input" | "output"> & { input: string; output: string | null };

export class JournalledWorkflow implements Workflow {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #name: string;
  readonly #states: WorkflowStates;
  readonly #concurrency: number;
  readonly #notify: string | null;
  readonly #onError: (error: unknown) => void;
  readonly #running = new Map<string, Promise<void>>();
  readonly #recovered: Promise<void>;
  #timer: NodeJS.Timeout | undefined;
  #claiming = false;
  #claimAgain = false;
  #closed = false;
  #isPrepared = false;
  #held: boolean;

  constructor(
    { store, clock, onError }: { store: Store; clock: Clock; onError: (error: unknown) => void },
    definition: WorkflowDefinition,
    { concurrency, held }: { concurrency: number; held: boolean },
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#onError = onError;
    this.#name = definition.name;
    this.#states = new WorkflowStates(definition);
    this.#concurrency = concurrency;
    this.#held = held;
    this.#notify = definition.notify ?? null;
    const ask = { workflow: this.#name, at: clock.now(), maxCrashes: MAX_CRASHES, notify: this.#notify };
    this.#recovered = store.write("recoverExecutions", ask).then(() => this.#claim(), onError);
  }

  async start(name: string, input: Value): Promise<void> {
    checkExecution(name, input);
    const requestId = currentRequestId() ?? null;
    const at = this.#clock.now();
    const begin = { state: this.#states.startAt, input: JSON.stringify(input) };
    await this.#store.write("startExecution", { workflow: this.#name, name, at, requestId, ...begin });
    this.#claim();
  }

  async status(name: string): Promise<Execution | undefined> {
    const row = this.#store.read((reader) =>
      reader
        .prepare(`SELECT ${COLUMNS}, input, output FROM executions WHERE workflow = ? AND name = ?`)
        .get(this.#name, name),
    ) as ExecutionRow | undefined;
    if (!row) return undefined;
    const { input, output, ...rest } = row;
    const execution: Execution = { ...withoutNulls(rest), input: JSON.parse(input) };
    return output === null ? execution : { ...execution, output: JSON.parse(output) };
  }

  async history(name: string): Promise<HistoryEvent[]> {
    const rows = this.#store.read((reader) =>
      reader
        .prepare(
          "SELECT at, type, state, error, cause FROM execution_events WHERE workflow = ? AND name = ? ORDER BY number",
        )
        .all(this.#name, name),
    ) as HistoryEvent[];
    if (rows.length === 0) throw unknownExecution(name);
    return rows.map(withoutNulls);
  }

  async listFailed({
    limit,
    cursor,
  }: {
    limit: number;
    cursor?: string;
  }): Promise<Page<Omit<Execution, "input" | "output">>> {
    const after = cursor === undefined ? "" : decodeCursor(cursor, ["after"]).after;
    const rows = this.#store.read((reader) =>
      reader
        .prepare(
          `SELECT ${COLUMNS} FROM executions WHERE workflow = ? AND status = 'FAILED' AND name > ? ORDER BY name LIMIT ?`,
        )
        .all(this.#name, after, limit + 1),
    ) as Omit<Execution, "input" | "output">[];
    const items = rows.slice(0, limit).map(withoutNulls);
    const last = items.at(-1);
    return rows.length > limit && last ? { items, cursor: encodeCursor({ after: last.name }) } : { items };
  }

  async rerun(name: string): Promise<void> {
    const row = this.#store.read((reader) =>
      reader.prepare("SELECT state FROM executions WHERE workflow = ? AND name = ?").get(this.#name, name),
    ) as { state: string } | undefined;
    if (!row) throw unknownExecution(name);
    const ask = { workflow: this.#name, name, at: this.#clock.now(), state: row.state };
    if (!(await this.#store.write("rerunExecution", ask))) {
      throw new Problem(
        "conflict",
        "workflow.not-failed",
        `The execution ${name} has not failed, so it can't run again.`,
      );
    }
    this.#claim();
  }

  /** Takes up nothing more; what runs after the grace is left to the next start, from the state it is in. */
  async close(graceMs: number): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#recovered;
    const grace = new AbortController();
    const done = Promise.all(this.#running.values()).then(() => grace.abort());
    await Promise.race([done, this.#clock.sleep(graceMs, grace.signal)]);
    const left = [...this.#running.keys()];
    await Promise.all(left.map((name) => this.#store.write("releaseExecution", { workflow: this.#name, name })));
  }

  /** From now on executions run in this process. */
  release(): void {
    this.#held = false;
    this.#claim();
  }

  /** Takes up executions while there is room. Calls that come while it looks make it look once more. */
  #claim(): void {
    if (this.#closed || this.#held) return;
    if (this.#claiming) {
      this.#claimAgain = true;
      return;
    }
    const limit = this.#concurrency - this.#running.size;
    if (limit <= 0) return;
    this.#claiming = true;
    const take = () => this.#store.write("claimExecutions", { workflow: this.#name, now: this.#clock.now(), limit });
    const claimed = this.#isPrepared ? take() : this.#prepare().then(take);
    claimed.then(
      ({ claims, nextAt }) => {
        this.#claiming = false;
        for (const claim of claims) this.#take(claim);
        if (this.#claimAgain || claims.length === limit) this.#claim();
        else if (nextAt !== null) this.#claimIn(nextAt - this.#clock.now());
        this.#claimAgain = false;
      },
      (error: unknown) => {
        this.#claiming = false;
        this.#onError(error);
        this.#claimIn(MAX_IDLE_MS);
      },
    );
  }

  /** Before one is taken up: a process that ends while it still loads has not crashed in an execution. */
  async #prepare(): Promise<void> {
    const isWaiting = this.#store.read((reader) =>
      reader.prepare("SELECT 1 FROM executions WHERE workflow = ? AND status = 'RUNNING' LIMIT 1").get(this.#name),
    );
    if (!isWaiting) return;
    await loadInterpreter();
    this.#isPrepared = true;
  }

  #claimIn(ms: number): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#claim(), Math.max(1, Math.min(ms, MAX_IDLE_MS)));
    this.#timer.unref();
  }

  #take(claim: Claim): void {
    const work = withRequestId(claim.requestId ?? undefined, () => this.#execute(claim))
      .catch((error: unknown) => this.#giveBack(claim.name, error))
      .finally(() => {
        this.#running.delete(claim.name);
        this.#claim();
      });
    this.#running.set(claim.name, work);
  }

  /** The journal could not be written, on a full disk for one: the execution is free again as soon as it can be. */
  async #giveBack(name: string, error: unknown): Promise<void> {
    for (let trouble: unknown = error; trouble && !this.#closed; ) {
      this.#onError(trouble);
      await this.#clock.sleep(GIVE_BACK_AFTER_MS);
      trouble = await this.#store.write("releaseExecution", { workflow: this.#name, name }).then(
        () => undefined,
        (again: unknown) => again,
      );
    }
  }

  /** Goes from state to state until the execution ends, is parked by a Wait, or the process is to stop. */
  async #execute({ name, state: first, stateInput, results }: Claim): Promise<void> {
    let state = first;
    let input = JSON.parse(stateInput) as Value;
    let known = results;
    for (;;) {
      const step = await this.#runState(name, state, input, known);
      if (!("next" in step)) return this.#end(name, state, step);
      const failing = this.#states.isFail(step.next)
        ? await this.#runState(name, step.next, step.input, {})
        : undefined;
      if (failing && "error" in failing) return this.#endInFail(name, state, step.next, failing);
      const parked = step.waitMs > 0 || this.#closed;
      await this.#enter(name, state, step, parked);
      if (parked) return;
      ({ next: state, input } = step);
      known = {};
    }
  }

  async #runState(name: string, state: string, input: Value, known: Claim["results"]): Promise<Step> {
    const id = { workflow: this.#name, name };
    const recorded: Promise<void>[] = [];
    const keep = (task: string, output: string) => this.#store.write("recordResult", { ...id, task, output });
    const step = await this.#states.run(name, state, input, { known, keep }, (event) => {
      recorded.push(this.#store.write("recordEvents", { ...id, events: [event] }));
    });
    await Promise.all(recorded);
    return step;
  }

  async #enter(name: string, from: string, step: Extract<Step, { next: string }>, parked: boolean): Promise<void> {
    const at = this.#clock.now();
    const events = [
      { at, type: "StateExited", state: from },
      { at, type: "StateEntered", state: step.next },
    ];
    const where = { state: step.next, input: JSON.stringify(step.input), dueAt: at + step.waitMs };
    await this.#store.write("enterState", { workflow: this.#name, name, ...where, parked, events });
  }

  async #end(name: string, state: string, step: Exclude<Step, { next: string }>): Promise<void> {
    const at = this.#clock.now();
    if ("error" in step) return this.#fail(name, step, at, []);
    const ending: Ending = { status: "SUCCEEDED", at, output: JSON.stringify(step.output), error: null, cause: null };
    const events = [
      { at, type: "StateExited", state },
      { at, type: "ExecutionSucceeded" },
    ];
    await this.#store.write("endExecution", { workflow: this.#name, name, ending, events, notify: this.#notify });
  }

  /** The journal stays at the state that led to the Fail state, so that running again repeats the work and not the verdict. */
  #endInFail(name: string, state: string, fail: string, step: Extract<Step, { error: string }>): Promise<void> {
    const at = this.#clock.now();
    return this.#fail(name, step, at, [
      { at, type: "StateExited", state },
      { at, type: "StateEntered", state: fail },
    ]);
  }

  async #fail(name: string, { error, cause }: Extract<Step, { error: string }>, at: number, before: HistoryEvent[]) {
    const ending: Ending = { status: "FAILED", at, output: null, error, cause };
    const events = [...before, { at, type: "ExecutionFailed", error, cause }];
    await this.#store.write("endExecution", { workflow: this.#name, name, ending, events, notify: this.#notify });
  }
}

const COLUMNS = "name, status, started_at AS startedAt, stopped_at AS stoppedAt, error, cause";

function withoutNulls<T extends object>(row: T): T {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as T;
}

function unknownExecution(name: string): Problem {
  return new Problem("missing", "workflow.unknown-execution", `There is no execution named ${name}.`);
}
