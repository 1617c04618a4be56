/** One life of a process: entry with its in-memory state, its consumer and its ticks, from start to crash. */

import type { Entry, EntryParts } from "../../src/entry/entry.ts";
import { ConditionFailed } from "../../src/platform/condition-failed.ts";
import { Problem } from "../../src/platform/problem.ts";
import type { EventForEntry } from "../../src/registry/events.ts";
import type { EntryModule } from "./entry-module.ts";
import type { Role } from "./plan.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { Services } from "./services.ts";

export type Life = { process: Process; entry: Entry; role: Role };

export type Birth = {
  name: string;
  role: Role;
  skewMs: number;
  module: EntryModule;
  services: Services;
  scheduler: Scheduler;
  /** Nothing once it is removed. */
  event: () => EventForEntry | undefined;
  onDefect(error: unknown): void;
};

export function begin({ name, role, skewMs, module, services, scheduler, event, onDefect }: Birth): Life {
  const process: Process = { name, skewMs, alive: true };
  const ports = services.portsOf(process);
  const onError = (error: unknown) => {
    if (!isExpected(error, event() === undefined)) onDefect(error);
  };
  const parts: EntryParts = {
    ...ports,
    facts: services.factsOf(process, event),
    newRequestId: idsOf(() => ports.clock.now(), scheduler),
    newSeed: () => Array.from({ length: 64 }, () => scheduler.random.between(0, 15).toString(16)).join(""),
    onError,
  };
  const entry = module.createEntry(parts);
  if (role.isWorker) {
    const handler = module.settleParticipations(entry);
    const { batchSize, concurrency } = role;
    ports.requests.consume((messages) => handler(messages).catch((error) => failed(error, onError)), {
      batchSize,
      concurrency,
    });
    void keepTicking(entry, role.tickMs, module, onError);
  }
  return { process, entry, role };
}

/** What people are told while a service fails or when they come too late, and what a slow process learns; all else is a defect. */
export function isExpected(error: unknown, isGone: boolean): boolean {
  if (error instanceof Problem) {
    return error.kind === "unavailable" || error.kind === "conflict" || (isGone && error.kind === "missing");
  }
  return error instanceof ConditionFailed;
}

function failed(error: unknown, onError: (error: unknown) => void): never {
  onError(error);
  throw error;
}

async function keepTicking(
  entry: Entry,
  tickMs: number,
  module: EntryModule,
  onError: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await entry.clock.sleep(tickMs);
    await module.tick(entry).catch(onError);
  }
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const TIME_DIGITS = 10;
const CHANCE_DIGITS = 16;

/** ULIDs that grow within one process. */
function idsOf(now: () => number, { random }: Scheduler): () => string {
  let last = "";
  return () => {
    const chance = Array.from({ length: CHANCE_DIGITS }, () => random.pick([...DIGITS])).join("");
    const next = timeDigits(now()) + chance;
    last = next > last ? next : successor(last);
    return last;
  };
}

function timeDigits(atMs: number): string {
  let digits = "";
  for (let rest = atMs; digits.length < TIME_DIGITS; rest = Math.floor(rest / 32)) digits = DIGITS[rest % 32] + digits;
  return digits;
}

function successor(id: string): string {
  const kept = id.replace(/Z+$/, "");
  const next = DIGITS[DIGITS.indexOf(kept.at(-1) as string) + 1] as string;
  return (kept.slice(0, -1) + next).padEnd(id.length, "0");
}
