/** A small Step Functions on this machine: AWS's requests, answers and errors, with executions in memory. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { WorkflowDefinition } from "../../ports.ts";
import { serveOnLoopback } from "./loopback.ts";
import { checkDefinition, SfnExecution } from "./sfn-execution.ts";
import { type Input, parseInput, parseName, requireArn, requireText, SfnError } from "./sfn-requests.ts";

const ACCOUNT = "arn:aws:states:us-east-1:000000000000";
export const MACHINE_ARN_PREFIX = `${ACCOUNT}:stateMachine:`;
const EXECUTION_ARN_PREFIX = `${ACCOUNT}:execution:`;
const STATUSES = ["RUNNING", "SUCCEEDED", "FAILED", "TIMED_OUT", "ABORTED", "PENDING_REDRIVE"];

export type StepFunctions = {
  endpoint: string;
  createStateMachine(definition: WorkflowDefinition): void;
  /** Of every start that was accepted, the trace header it came with. */
  traceHeaders: (string | undefined)[];
  stop(): Promise<void>;
};

export async function startStepFunctions(): Promise<StepFunctions> {
  const service = new Service();
  const server = await serveOnLoopback((request, response) => void answer(service, request, response));
  return {
    endpoint: server.endpoint,
    createStateMachine: (definition) => service.createStateMachine(definition),
    traceHeaders: service.traceHeaders,
    stop: async () => {
      service.abortAll();
      await server.stop();
    },
  };
}

async function answer(service: Service, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [status, body] = await outcome(service, request);
  response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
  response.end(JSON.stringify(body));
}

async function outcome(service: Service, request: IncomingMessage): Promise<[status: number, body: object]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const action = String(request.headers["x-amz-target"]).replace(/^AWSStepFunctions\./, "");
  try {
    if (!request.headers.authorization) throw new SfnError("MissingAuthenticationTokenException", "not signed");
    return [200, service.act(action, JSON.parse(Buffer.concat(chunks).toString()))];
  } catch (error) {
    if (error instanceof SfnError) return [400, { __type: error.name, message: error.message }];
    return [500, { __type: "InternalFailure", message: String(error) }];
  }
}

class Service {
  readonly traceHeaders: (string | undefined)[] = [];
  readonly #machines = new Map<string, WorkflowDefinition>();
  /** In the order they were started. */
  readonly #executions = new Map<string, SfnExecution>();

  createStateMachine(definition: WorkflowDefinition): void {
    checkDefinition(definition);
    this.#machines.set(`${MACHINE_ARN_PREFIX}${definition.name}`, definition);
  }

  abortAll(): void {
    for (const execution of this.#executions.values()) execution.abort();
  }

  act(action: string, input: Input): object {
    switch (action) {
      case "DescribeStateMachine":
        return this.#describeMachine(requireArn(input, "stateMachineArn", "stateMachine"));
      case "StartExecution":
        return this.#start(input);
      case "DescribeExecution":
        return this.#executionOf(input).describe();
      case "GetExecutionHistory":
        return page(this.#executionOf(input).events, "events", input);
      case "ListExecutions":
        return this.#list(input);
      case "RedriveExecution":
        return this.#executionOf(input).redrive();
      default:
        throw new SfnError("UnknownOperationException", action);
    }
  }

  #describeMachine(stateMachineArn: string): object {
    const { name, asl } = this.#machineAt(stateMachineArn);
    return { stateMachineArn, name, status: "ACTIVE", type: "STANDARD", definition: JSON.stringify(asl) };
  }

  #start(input: Input): object {
    const stateMachineArn = requireArn(input, "stateMachineArn", "stateMachine");
    const definition = this.#machineAt(stateMachineArn);
    const name = parseName(input);
    const executionInput = parseInput(input);
    const traceHeader = input.traceHeader === undefined ? undefined : requireText(input, "traceHeader", 256);
    const executionArn = `${EXECUTION_ARN_PREFIX}${definition.name}:${name}`;
    const earlier = this.#executions.get(executionArn);
    if (earlier && !(earlier.isRunning && earlier.input === executionInput)) {
      throw new SfnError("ExecutionAlreadyExists", `Execution Already Exists: '${executionArn}'`);
    }
    const execution = earlier ?? new SfnExecution(definition, { executionArn, stateMachineArn, name }, executionInput);
    this.#executions.set(executionArn, execution);
    this.traceHeaders.push(traceHeader);
    return { executionArn, startDate: execution.startDate };
  }

  #list(input: Input): object {
    const stateMachineArn = requireArn(input, "stateMachineArn", "stateMachine");
    this.#machineAt(stateMachineArn);
    const { statusFilter } = input;
    if (statusFilter !== undefined && !STATUSES.includes(String(statusFilter))) {
      throw new SfnError("ValidationException", `Value at 'statusFilter' must be one of ${STATUSES.join(", ")}`);
    }
    const executions = [...this.#executions.values()]
      .map((execution) => execution.outline())
      .filter((outline) => outline.stateMachineArn === stateMachineArn)
      .filter((outline) => statusFilter === undefined || outline.status === statusFilter)
      .reverse();
    return page(executions, "executions", input);
  }

  #machineAt(arn: string): WorkflowDefinition {
    const definition = this.#machines.get(arn);
    if (!definition) throw new SfnError("StateMachineDoesNotExist", `State Machine Does Not Exist: '${arn}'`);
    return definition;
  }

  #executionOf(input: Input): SfnExecution {
    const arn = requireArn(input, "executionArn", "execution");
    const execution = this.#executions.get(arn);
    if (!execution) throw new SfnError("ExecutionDoesNotExist", `Execution Does Not Exist: '${arn}'`);
    return execution;
  }
}

/** The token is just the place in the list, in AWS's manner of being opaque. */
function page(all: object[], field: string, { maxResults = 100, nextToken }: Input): object {
  if (typeof maxResults !== "number" || maxResults < 0 || maxResults > 1000) {
    throw new SfnError("ValidationException", "maxResults must be from 0 to 1000");
  }
  const start = nextToken === undefined ? 0 : Number(Buffer.from(String(nextToken), "base64").toString());
  if (!Number.isSafeInteger(start)) throw new SfnError("InvalidToken", `Invalid Token: '${nextToken}'`);
  const end = start + (maxResults || 100);
  const token = end < all.length ? { nextToken: Buffer.from(String(end)).toString("base64") } : {};
  return { [field]: all.slice(start, end), ...token };
}
