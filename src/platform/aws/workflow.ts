/** A workflow on Step Functions. Its tasks run as Lambda functions, deployed with the state machine. */

import {
  DescribeExecutionCommand,
  type DescribeExecutionCommandOutput,
  DescribeStateMachineCommand,
  GetExecutionHistoryCommand,
  ListExecutionsCommand,
  RedriveExecutionCommand,
  type SFNClient,
  StartExecutionCommand,
} from "@aws-sdk/client-sfn";
import { decodeCursor, encodeCursor, invalidCursor } from "../cursor.ts";
import { checkExecution } from "../execution-names.ts";
import type { Execution, ExecutionStatus, HistoryEvent, Page, Value, Workflow } from "../ports.ts";
import { Problem } from "../problem.ts";
import { currentRequestId, isRequestId } from "../request-context.ts";
import { isNamed, orUnavailable } from "./failures.ts";
import { historyEvent } from "./history-events.ts";

/** Step Functions lists one status at a time. */
const FAILED_STATUSES = ["FAILED", "TIMED_OUT"] as const;
const MAX_PER_CALL = 1000;

type FailedExecution = Omit<Execution, "input" | "output">;

export class StatesWorkflow implements Workflow {
  readonly #client: SFNClient;
  readonly #machineArn: string;

  constructor(client: SFNClient, machineArn: string) {
    this.#client = client;
    this.#machineArn = machineArn;
  }

  async start(name: string, input: Value): Promise<void> {
    checkExecution(name, input);
    const command = new StartExecutionCommand({
      stateMachineArn: this.#machineArn,
      name,
      input: JSON.stringify(input),
      ...traceHeader(),
    });
    try {
      await this.#asking(() => this.#client.send(command));
    } catch (error) {
      if (!isNamed(error, "ExecutionAlreadyExists")) throw error;
    }
  }

  async status(name: string): Promise<Execution | undefined> {
    const command = new DescribeExecutionCommand({ executionArn: this.#executionArn(name) });
    try {
      return executionOf(name, await this.#asking(() => this.#client.send(command)));
    } catch (error) {
      if (isNamed(error, "ExecutionDoesNotExist")) return undefined;
      throw error;
    }
  }

  async history(name: string): Promise<HistoryEvent[]> {
    const executionArn = this.#executionArn(name);
    const events: HistoryEvent[] = [];
    let nextToken: string | undefined;
    do {
      const command = new GetExecutionHistoryCommand({
        executionArn,
        maxResults: MAX_PER_CALL,
        includeExecutionData: false,
        ...(nextToken !== undefined && { nextToken }),
      });
      const answer = await this.#askingAbout(name, () => this.#client.send(command));
      for (const event of answer.events ?? []) {
        const told = historyEvent(event);
        if (told) events.push(told);
      }
      nextToken = answer.nextToken;
    } while (nextToken !== undefined);
    return events;
  }

  async listFailed({ limit, cursor }: { limit: number; cursor?: string }): Promise<Page<FailedExecution>> {
    let position = cursor === undefined ? { status: "FAILED", token: "" } : decodeCursor(cursor, ["status", "token"]);
    const items: FailedExecution[] = [];
    while (items.length < limit) {
      const { found, token } = await this.#listSome(position, Math.min(limit - items.length, MAX_PER_CALL));
      items.push(...found);
      const status = token === "" ? statusAfter(position.status) : position.status;
      if (status === undefined) return { items };
      position = { status, token };
    }
    return { items, cursor: encodeCursor(position) };
  }

  async rerun(name: string): Promise<void> {
    const command = new RedriveExecutionCommand({ executionArn: this.#executionArn(name) });
    try {
      await this.#askingAbout(name, () => this.#client.send(command));
    } catch (error) {
      if (!isNamed(error, "ExecutionNotRedrivable")) throw error;
      const message = `Execution ${name} can't be run again: it has not failed, or it failed too long ago.`;
      throw new Problem("conflict", "workflow.not-failed", message, { cause: error });
    }
  }

  /** @throws a Problem when the state machine is not there or can't be asked. */
  async checkReady(): Promise<void> {
    const command = new DescribeStateMachineCommand({ stateMachineArn: this.#machineArn });
    await this.#asking(() => this.#client.send(command));
  }

  async #listSome({ status, token }: { status: string; token: string }, maxResults: number) {
    const statusFilter = FAILED_STATUSES.find((known) => known === status);
    if (!statusFilter) throw invalidCursor();
    const command = new ListExecutionsCommand({
      stateMachineArn: this.#machineArn,
      statusFilter,
      maxResults,
      ...(token !== "" && { nextToken: token }),
    });
    try {
      const { executions = [], nextToken = "" } = await this.#asking(() => this.#client.send(command));
      return { found: executions.map((listed) => outlineOf(listed.name ?? "", listed)), token: nextToken };
    } catch (error) {
      throw isNamed(error, "InvalidToken") ? invalidCursor() : error;
    }
  }

  async #askingAbout<T>(name: string, ask: () => Promise<T>): Promise<T> {
    try {
      return await this.#asking(ask);
    } catch (error) {
      if (!isNamed(error, "ExecutionDoesNotExist")) throw error;
      const message = `There is no execution ${name}.`;
      throw new Problem("missing", "workflow.unknown-execution", message, { cause: error });
    }
  }

  async #asking<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isNamed(error, "StateMachineDoesNotExist", "InvalidArn")) {
        const message = `There is no state machine ${this.#machineArn}. Deploy it or correct its name.`;
        throw new Problem("misconfigured", "workflow.unknown", message, { cause: error });
      }
      throw orUnavailable(error, "workflow.busy", "The workflow service");
    }
  }

  #executionArn(name: string): string {
    // A name goes into an ARN, where a colon would make it another's.
    checkExecution(name, null);
    return `${this.#machineArn.replace(":stateMachine:", ":execution:")}:${name}`;
  }
}

type Described = Pick<DescribeExecutionCommandOutput, "status" | "startDate" | "stopDate">;

function outlineOf(name: string, { status, startDate, stopDate }: Described): FailedExecution {
  return {
    name,
    status: statusOf(status),
    startedAt: startDate?.getTime() ?? 0,
    ...(stopDate !== undefined && { stoppedAt: stopDate.getTime() }),
  };
}

function executionOf(name: string, described: DescribeExecutionCommandOutput): Execution {
  const { input, output, error, cause } = described;
  return {
    ...outlineOf(name, described),
    input: input === undefined ? null : JSON.parse(input),
    ...(output !== undefined && { output: JSON.parse(output) }),
    ...(error !== undefined && { error }),
    ...(cause !== undefined && { cause }),
  };
}

/** An execution that waits for its rerun to begin is under way for everyone but Step Functions. */
function statusOf(status: string | undefined): ExecutionStatus {
  return status === undefined || status === "PENDING_REDRIVE" ? "RUNNING" : (status as ExecutionStatus);
}

function statusAfter(status: string): string | undefined {
  return status === "FAILED" ? "TIMED_OUT" : undefined;
}

function traceHeader(): { traceHeader?: string } {
  const requestId = currentRequestId();
  if (requestId === undefined || !isRequestId(requestId)) return {};
  return { traceHeader: `Root=1-${requestId.slice(0, 8)}-${requestId.slice(8)}` };
}
