/** Starts the generator, waits for its answers and reads them. */

import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { type FromGenerator, type LoadPlan, type LoadResult, type ToGenerator, userOf } from "./load-plan.ts";

const GENERATOR = fileURLToPath(new URL("./generator.ts", import.meta.url));

/** What one click got. Times are epoch milliseconds. */
export type Answer = {
  userId: string;
  dueAt: number;
  /** 0 when none came. */
  answeredAt: number;
  /** From when it was due, also when it was sent late. */
  latencyMs: number;
  status: number;
  retries: number;
  requestId?: string;
  ticket?: number | null;
  queuedAt?: number | null;
  isDuplicate: boolean;
};

export type Load = {
  startedAt: number;
  /** When the last answer came. */
  endedAt: number;
  answers: Answer[];
  lateMs: Float64Array;
  triedAgain: { [status: number]: number };
  generatorCpuMs: number;
};

/** `onStart` hears when the first click is due. */
export async function runLoad(plan: LoadPlan, onStart: () => void = () => {}): Promise<Load> {
  const child = fork(GENERATOR, { serialization: "advanced", stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  try {
    const tell = (message: ToGenerator) => child.send(message);
    tell({ type: "plan", plan });
    await hear(child, "ready");
    tell({ type: "go" });
    onStart();
    const { result } = await hear(child, "done");
    return readResult(plan, result);
  } finally {
    process.off("exit", kill);
    kill();
  }
}

async function hear<Type extends FromGenerator["type"]>(
  child: ReturnType<typeof fork>,
  type: Type,
): Promise<Extract<FromGenerator, { type: Type }>> {
  const ended = new AbortController();
  const gone = once(child, "exit", { signal: ended.signal }).then(([code, signal]) => {
    throw new Error(`The generator ended with ${signal ?? code}.`);
  });
  try {
    const [message] = await Promise.race([once(child, "message", { signal: ended.signal }), gone]);
    if (message.type !== type) throw new Error(`The generator said ${message.type} instead of ${type}.`);
    return message;
  } finally {
    gone.catch(() => {});
    ended.abort();
  }
}

function readResult(plan: LoadPlan, result: LoadResult): Load {
  const { startedAt } = result;
  const answers = Array.from(result.persons, (person, click): Answer => {
    const dueMs = result.dueMs[click] as number;
    const answeredMs = result.answeredMs[click] as number;
    const status = result.statuses[click] as number;
    return {
      userId: userOf(plan.userPrefix, person),
      dueAt: startedAt + dueMs,
      answeredAt: answeredMs && startedAt + answeredMs,
      latencyMs: answeredMs - dueMs,
      status,
      retries: result.retries[click] as number,
      ...readBody(status, result.bodies[click] ?? ""),
    };
  });
  const endedAt = startedAt + result.answeredMs.reduce((a, b) => Math.max(a, b), 0);
  return {
    startedAt,
    endedAt,
    answers,
    lateMs: result.lateMs,
    triedAgain: result.triedAgain,
    generatorCpuMs: result.cpuMs,
  };
}

function readBody(status: number, text: string): Pick<Answer, "requestId" | "ticket" | "queuedAt" | "isDuplicate"> {
  if (status !== 202) return { isDuplicate: false };
  const { requestId, ticket, queuedAt, duplicate } = JSON.parse(text);
  return { requestId, ticket, queuedAt, isDuplicate: duplicate === true };
}
