/** The product's eye, with the CPU time that goes by inside its models counted apart. */

import { InferenceSession } from "onnxruntime-node";
import { type Eye, openEye } from "../../src/platform/embedded/vision/eye.ts";
import type { ModelFiles, ModelKey } from "../../src/platform/embedded/vision/models.ts";

/** Per model, CPU time inside of it and how often it ran. */
export type ModelTimes = Map<ModelKey, { cpuMs: number; runs: number }>;
export type TimedEye = Eye & { takeTimes(): ModelTimes };

/** Nothing else may be under way in the process. */
export async function cpuMsOf<Result>(work: () => Promise<Result>): Promise<{ result: Result; cpuMs: number }> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return { result, cpuMs: (user + system) / 1000 };
}

/** The eye opens its models itself, so the library's way to open one is replaced for that moment. */
export async function openTimedEye(files: ModelFiles): Promise<TimedEye> {
  let times: ModelTimes = new Map();
  const keys = new Map<unknown, ModelKey>(Object.values(files).map(({ key, bytes }) => [bytes, key]));
  const create = InferenceSession.create;
  const createTimed = async (...given: Parameters<typeof create>) => {
    const session = await create.apply(InferenceSession, given);
    const key = keys.get(given[0]);
    if (key === undefined) throw new Error("The eye opened a model that is not in the manifest.");
    const run = session.run.bind(session) as (...given: unknown[]) => ReturnType<InferenceSession["run"]>;
    const runTimed = async (...asked: unknown[]) => {
      const { result, cpuMs } = await cpuMsOf(() => run(...asked));
      const known = times.get(key) ?? { cpuMs: 0, runs: 0 };
      times.set(key, { cpuMs: known.cpuMs + cpuMs, runs: known.runs + 1 });
      return result;
    };
    return Object.assign(session, { run: runTimed as InferenceSession["run"] });
  };
  InferenceSession.create = createTimed as typeof create;
  try {
    const eye = await openEye(files);
    const takeTimes = () => {
      const taken = times;
      times = new Map();
      return taken;
    };
    return { ...eye, takeTimes };
  } finally {
    InferenceSession.create = create;
  }
}
