/** Asks the engines whether they can work now, and never waits long for the answer. */

import type { Engines } from "../../platform/ports.ts";
import { asProblem, Problem } from "../../platform/problem.ts";

const PATIENCE_MS = 3000;

export async function checkReadiness(
  engines: Pick<Engines, "clock" | "checkReady">,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const patience = new AbortController();
  const late = engines.clock.sleep(patienceMs, patience.signal).then(() => {
    throw new Problem("unavailable", "engines.no-answer", `The engines did not answer within ${patienceMs} ms.`);
  });
  try {
    await Promise.race([engines.checkReady(), late]);
  } catch (error) {
    const problem = asProblem(error);
    throw new Problem("unavailable", problem.code, problem.message, { cause: error });
  } finally {
    late.catch(() => {});
    patience.abort();
  }
}
