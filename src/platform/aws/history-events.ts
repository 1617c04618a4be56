/** Step Functions' history in the words both engines use. */

import type { HistoryEvent as SfnEvent } from "@aws-sdk/client-sfn";
import type { HistoryEvent } from "../ports.ts";

const EXECUTION_EVENTS = new Set([
  "ExecutionStarted",
  "ExecutionSucceeded",
  "ExecutionFailed",
  "ExecutionTimedOut",
  "ExecutionAborted",
  "ExecutionRedriven",
]);

/** Nothing for what only Step Functions speaks of, such as a task being scheduled. */
export function historyEvent(event: SfnEvent): HistoryEvent | undefined {
  const { type = "" } = event;
  const at = event.timestamp?.getTime() ?? 0;
  if (EXECUTION_EVENTS.has(type)) return { at, type, ...failureOf(event) };
  // Each kind of state has its own words: TaskStateEntered, ChoiceStateEntered and so on.
  const [, word] = /State(Entered|Exited)$/.exec(type) ?? [];
  if (word === undefined) return undefined;
  const { name } = (word === "Entered" ? event.stateEnteredEventDetails : event.stateExitedEventDetails) ?? {};
  return { at, type: `State${word}`, ...(name !== undefined && { state: name }) };
}

function failureOf(event: SfnEvent): { error?: string; cause?: string } {
  const { error, cause } =
    event.executionFailedEventDetails ??
    event.executionTimedOutEventDetails ??
    event.executionAbortedEventDetails ??
    {};
  return { ...(error !== undefined && { error }), ...(cause !== undefined && { cause }) };
}
