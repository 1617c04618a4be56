/** What the rig tells the generator to do, and what the generator hands back. */

export type LoadPlan = {
  port: number;
  path: string;
  /** Signs the people's tokens, hex. */
  secret: string;
  /** Each is a user of its own: `${userPrefix}${number}`. */
  userPrefix: string;
  people: number;
  seed: number;
  connections: number;
  /** Requests due each second; without it, every connection sends its next as soon as it has its answer. */
  ratePerSecond?: number;
  giveUpAfterMs: number;
};

/** One entry for each click in all of them, in the order of clicks; times are milliseconds since `startedAt`. */
export type LoadResult = {
  /** Epoch ms. */
  startedAt: number;
  persons: Int32Array;
  dueMs: Float64Array;
  /** How much later than due it was first sent. */
  lateMs: Float64Array;
  /** 0 where none came. */
  answeredMs: Float64Array;
  statuses: Int16Array;
  retries: Int16Array;
  /** How many answers asked to try again, by status. */
  triedAgain: { [status: number]: number };
  bodies: string[];
  cpuMs: number;
};

export type FromGenerator = { type: "ready" } | { type: "done"; result: LoadResult };
export type ToGenerator = { type: "plan"; plan: LoadPlan } | { type: "go" };

export const userOf = (prefix: string, person: number) => `${prefix}${person}`;
