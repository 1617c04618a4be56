/** Whether a request costs more when many are stored, and how much memory the server needs for them. */

import { type Installation, openInstallation } from "./installation.ts";
import { type Answer, runLoad } from "./load.ts";
import { cpuMsOf, memoryBytesOf } from "./process-cost.ts";
import { below, checkRows, count, figure, progress, type Report } from "./report.ts";
import { checkEvent, planOf, untilSettled } from "./scene.ts";
import type { Sizes } from "./settings.ts";

const EVENT_ID = "stored";
const ROUNDS = 4;
/** The generator prepares all its requests before it starts, and a million at once would not fit. */
const MOST_AT_ONCE = 50_000;
const MEGABYTE = 1_000_000;

type Cost = { cpuUs: number; perSecond: number };

/** One event, filled through the API like any other. */
export async function measureStored(report: Report, sizes: Sizes): Promise<void> {
  const { fewStored, manyStored, storedRoundPeople: people, places } = sizes;
  const installation = await openInstallation();
  try {
    await installation.organizer.createEvent(EVENT_ID, places);
    const filling = startFilling(installation);
    await filling.until(fewStored);
    const few = await measureCost(filling, people);
    await filling.until(manyStored);
    const many = await measureCost(filling, people);
    const memory = memoryBytesOf(installation.pid());
    progress(
      `${count(filling.stored())} stored: ${count(few.cpuUs)} µs a person with few, ${count(many.cpuUs)} with these`,
    );
    await installation.killAndRestart();
    const restarted = memoryBytesOf(installation.pid());
    report.rows.push(
      figure(`server's CPU for a person, from ${count(fewStored)} stored on`, few.cpuUs, "µs"),
      figure(`server's CPU for a person, from ${count(manyStored)} stored on`, many.cpuUs, "µs"),
      below("cost with many stored / with few", many.cpuUs / few.cpuUs, "×", 1.2),
      figure(`people accepted, ${count(fewStored)} stored`, few.perSecond, "/s"),
      figure(`people accepted, ${count(manyStored)} stored`, many.perSecond, "/s"),
      below(`server's memory, ${count(filling.stored())} stored`, memory.now / MEGABYTE, "MB", 400),
      figure("at its peak", memory.peak / MEGABYTE, "MB"),
      figure("after a restart", restarted.now / MEGABYTE, "MB"),
    );
    const checked = await checkEvent(installation.organizer, { eventId: EVENT_ID, places, answers: filling.answers });
    for (const { rule, example } of checked.breaches) progress(`BROKEN: ${rule}. ${example}`);
    report.rows.push(...checkRows(`${count(filling.stored())} stored`, [checked]));
  } finally {
    await installation.close();
  }
}

type Filling = {
  answers: Answer[];
  stored(): number;
  until(stored: number): Promise<void>;
  /** Resolves when they are settled. */
  add(people: number): Promise<Cost>;
};

function startFilling(installation: Installation): Filling {
  const answers: Answer[] = [];
  let stored = 0;
  const add = async (people: number): Promise<Cost> => {
    const plan = planOf(installation, EVENT_ID, { people, places: 0 }, `runner-${stored}-`);
    let before = 0;
    const load = await runLoad(plan, () => {
      before = cpuMsOf(installation.pid());
    });
    stored += people;
    for (const answer of load.answers) answers.push(answer);
    const settledAt = await untilSettled(installation.organizer, EVENT_ID, stored);
    if (settledAt === undefined) throw new Error(`Of ${stored} requests some are not settled.`);
    const cpuUs = ((cpuMsOf(installation.pid()) - before) * 1000) / people;
    return { cpuUs, perSecond: (people * 1000) / (load.endedAt - load.startedAt) };
  };
  const until = async (wanted: number) => {
    while (stored < wanted) {
      const { perSecond } = await add(Math.min(MOST_AT_ONCE, wanted - stored));
      const memory = `${count(memoryBytesOf(installation.pid()).now / MEGABYTE)} MB`;
      progress(`${count(stored)} stored, the last at ${count(perSecond)}/s, the server needs ${memory}`);
    }
  };
  return { answers, stored: () => stored, add, until };
}

/** The cheapest round: in the first ones the server is still warming up, and that must not pass for the price of few. */
async function measureCost(filling: Filling, people: number): Promise<Cost> {
  const costs: Cost[] = [];
  for (let round = 0; round < ROUNDS; round += 1) costs.push(await filling.add(people));
  return costs.toSorted((a, b) => a.cpuUs - b.cpuUs)[0] as Cost;
}
