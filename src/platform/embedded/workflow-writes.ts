/** What the writer does for workflows: the journal from which an execution goes on after a crash. */

import type { DatabaseSync } from "node:sqlite";
import type { ExecutionFailed } from "../execution-failed.ts";
import type { HistoryEvent } from "../ports.ts";
import type { Send } from "./queue-writes.ts";

type Id = { workflow: string; name: string };

/** An execution taken up by this process: where it goes on, and what the tasks inside that state already gave. */
export type Claim = {
  name: string;
  state: string;
  stateInput: string;
  requestId: string | null;
  results: { [task: string]: string };
};

export type Ending = {
  status: "SUCCEEDED" | "FAILED";
  at: number;
  output: string | null;
  error: string | null;
  cause: string | null;
};

export function workflowWrites(db: DatabaseSync, send: Send) {
  const about = db.prepare("SELECT request_id AS requestId, input FROM executions WHERE workflow = ? AND name = ?");
  const insert = db.prepare(
    `INSERT OR IGNORE INTO executions (workflow, name, status, started_at, request_id, state, due_at, input, state_input)
     VALUES (?, ?, 'RUNNING', ?, ?, ?, ?, ?, ?)`,
  );
  const addEvent = db.prepare(
    `INSERT INTO execution_events SELECT ?1, ?2, coalesce(max(number), 0) + 1, ?3, ?4, ?5, ?6, ?7
     FROM execution_events WHERE workflow = ?1 AND name = ?2`,
  );
  const due = db.prepare(
    `SELECT name, state, state_input AS stateInput, request_id AS requestId FROM executions
     WHERE workflow = ? AND status = 'RUNNING' AND claimed = 0 AND due_at <= ? ORDER BY due_at LIMIT ?`,
  );
  const nextDue = db.prepare(
    "SELECT min(due_at) AS at FROM executions WHERE workflow = ? AND status = 'RUNNING' AND claimed = 0",
  );
  const claim = db.prepare("UPDATE executions SET claimed = 1 WHERE workflow = ? AND name = ?");
  const results = db.prepare("SELECT task, output FROM task_results WHERE workflow = ? AND name = ?");
  const addResult = db.prepare("INSERT OR REPLACE INTO task_results VALUES (?, ?, ?, ?)");
  const dropResults = db.prepare("DELETE FROM task_results WHERE workflow = ? AND name = ?");
  const enter = db.prepare(
    `UPDATE executions SET state = ?, state_input = ?, due_at = ?, claimed = ?, crashes = 0
     WHERE workflow = ? AND name = ?`,
  );
  const end = db.prepare(
    `UPDATE executions SET status = ?, stopped_at = ?, output = ?, error = ?, cause = ?, claimed = 0
     WHERE workflow = ? AND name = ?`,
  );
  const release = db.prepare(
    "UPDATE executions SET claimed = 0 WHERE workflow = ? AND name = ? AND status = 'RUNNING'",
  );
  const revive = db.prepare(
    `UPDATE executions SET status = 'RUNNING', stopped_at = NULL, error = NULL, cause = NULL, due_at = ?, crashes = 0
     WHERE workflow = ? AND name = ? AND status = 'FAILED'`,
  );
  const recover = db.prepare(
    `UPDATE executions SET claimed = 0, crashes = crashes + 1
     WHERE workflow = ? AND status = 'RUNNING' AND claimed = 1 RETURNING name, state, crashes`,
  );

  function record({ workflow, name }: Id, { at, type, state = null, error = null, cause = null }: EventRow): void {
    addEvent.run(workflow, name, at, type, state, error, cause);
  }

  /** Whoever wants to know that it failed gets the message with the ending itself. */
  function endExecution(ask: Id & { ending: Ending; events: HistoryEvent[]; notify: string | null }): void {
    const { status, at, output, error, cause } = ask.ending;
    end.run(status, at, output, error, cause, ask.workflow, ask.name);
    for (const event of ask.events) record(ask, event);
    if (status === "SUCCEEDED") dropResults.run(ask.workflow, ask.name);
    if (status === "SUCCEEDED" || ask.notify === null) return;
    const { requestId, input } = about.get(ask.workflow, ask.name) as { requestId: string | null; input: string };
    const message = executionFailed(ask.name, { at, error, cause, input });
    send({ queue: ask.notify, bodies: [JSON.stringify(message)], at, requestId });
  }

  return {
    startExecution(ask: Id & { at: number; requestId: string | null; state: string; input: string }): void {
      const { workflow, name, at, requestId, state, input } = ask;
      if (insert.run(workflow, name, at, requestId, state, at, input, input).changes === 0) return;
      record(ask, { at, type: "ExecutionStarted" });
      record(ask, { at, type: "StateEntered", state });
    },

    /** Answers those whose time has come, and when the next one's will. */
    claimExecutions(ask: { workflow: string; now: number; limit: number }) {
      const claims = due.all(ask.workflow, ask.now, ask.limit) as Omit<Claim, "results">[];
      for (const { name } of claims) claim.run(ask.workflow, name);
      const { at: nextAt } = nextDue.get(ask.workflow) as { at: number | null };
      const withResults = claims.map((found): Claim => {
        const rows = results.all(ask.workflow, found.name) as { task: string; output: string }[];
        return { ...found, results: Object.fromEntries(rows.map(({ task, output }) => [task, output])) };
      });
      return { claims: withResults, nextAt };
    },

    /** A state is left and the next one entered in one write; a parked execution is free to be claimed when due. */
    enterState(
      ask: Id & { state: string; input: string; dueAt: number; parked: boolean; events: HistoryEvent[] },
    ): void {
      enter.run(ask.state, ask.input, ask.dueAt, ask.parked ? 0 : 1, ask.workflow, ask.name);
      dropResults.run(ask.workflow, ask.name);
      for (const event of ask.events) record(ask, event);
    },

    recordEvents(ask: Id & { events: HistoryEvent[] }): void {
      for (const event of ask.events) record(ask, event);
    },

    recordResult(ask: Id & { task: string; output: string }): void {
      addResult.run(ask.workflow, ask.name, ask.task, ask.output);
    },

    endExecution,

    releaseExecution({ workflow, name }: Id): void {
      release.run(workflow, name);
    },

    /** Answers false when there is no failed execution of that name. */
    rerunExecution({ workflow, name, at, state }: Id & { at: number; state: string }): boolean {
      if (revive.run(at, workflow, name).changes === 0) return false;
      record({ workflow, name }, { at, type: "ExecutionRedriven" });
      record({ workflow, name }, { at, type: "StateEntered", state });
      return true;
    },

    /** What was claimed when the last process died is free again, unless its state has now killed it too often. */
    recoverExecutions(ask: {
      workflow: string;
      at: number;
      maxCrashes: number;
      notify: string | null;
    }): { name: string; state: string }[] {
      const found = recover.all(ask.workflow) as { name: string; state: string; crashes: number }[];
      for (const { name, state, crashes } of found) {
        if (crashes <= ask.maxCrashes) continue;
        const error = "Workflow.Crashed";
        const cause = `The process ended ${crashes} times while the execution was in state ${state}.`;
        const ending: Ending = { status: "FAILED", at: ask.at, output: null, error, cause };
        const events = [{ at: ask.at, type: "ExecutionFailed", error, cause }];
        endExecution({ workflow: ask.workflow, name, ending, events, notify: ask.notify });
      }
      return found.map(({ name, state }) => ({ name, state }));
    },
  };
}

function executionFailed(
  name: string,
  { at, ...what }: Pick<Ending, "at" | "error" | "cause"> & { input: string },
): ExecutionFailed {
  return {
    source: "aws.states",
    "detail-type": "Step Functions Execution Status Change",
    time: new Date(at).toISOString(),
    detail: { name, status: "FAILED", ...what },
  };
}

type EventRow = Omit<HistoryEvent, "state" | "error" | "cause"> & {
  state?: string | null;
  error?: string | null;
  cause?: string | null;
};
