/** What a seed's world is like: the event, the people, the processes, and what happens when. */

import type { QueueSettings } from "../../src/platform/ports.ts";
import type { EntrySettings } from "../../src/registry/events.ts";
import type { Random } from "./random.ts";

export const EVENT_ID = "simulated-race";

export type Role = { isApi: boolean; isWorker: boolean; batchSize: number; concurrency: number; tickMs: number };

export type Deed =
  | { kind: "click"; person: number }
  | { kind: "cancel"; person: number }
  | { kind: "resize"; by: number }
  | { kind: "move"; byMs: number }
  | { kind: "pause" | "close" | "open" | "redrive" | "junk" | "look" | "beacon" | "announce" | "remove" };

export type Plan = {
  entry: EntrySettings;
  people: number;
  roles: Role[];
  skewsMs: number;
  /** Messages that are given up early make dead letters, which must heal as well. */
  requestQueue: QueueSettings;
  deeds: { afterMs: number; deed: Deed }[];
  /** When the faults stop. */
  calmAfterMs: number;
};

/** All at once, or one after the other. */
const WINDOWS_MS = [10, 300, 3000, 15_000];

export function makePlan(random: Random, startMs: number): Plan {
  const windowMs = random.pick(WINDOWS_MS);
  const people = random.between(1, 14);
  const isLottery = random.chance(0.25);
  const cutoffMs = random.between(1000, windowMs + 4000);
  const calmAfterMs = windowMs + random.between(5000, 20_000);
  return {
    entry: isLottery ? lottery(random, startMs, cutoffMs) : firstCome(random, startMs, windowMs),
    people,
    roles: makeRoles(random),
    skewsMs: random.pick([0, 50, 1500, 6000]),
    requestQueue: { visibilityMs: random.pick([4000, 30_000]), maxReceives: random.pick([2, 4, 10]) },
    deeds: [
      ...clicks(random, people, windowMs),
      ...(isLottery ? aroundCutoff(random, people, cutoffMs) : []),
      ...others(random, people, windowMs, isLottery),
    ],
    calmAfterMs,
  };
}

const iso = (atMs: number) => new Date(atMs).toISOString();

function firstCome(random: Random, startMs: number, windowMs: number): EntrySettings {
  const closes = random.chance(0.1) ? { closesAt: iso(startMs + random.between(500, windowMs)) } : {};
  return { ...fields(random, startMs), capacityTotal: random.between(0, 6), eventType: "FIRST_COME", ...closes };
}

function lottery(random: Random, startMs: number, cutoffMs: number): EntrySettings {
  return {
    ...fields(random, startMs),
    eventType: "LOTTERY",
    lotteryCutoffAt: iso(startMs + cutoffMs),
    announcedAt: iso(startMs + cutoffMs + random.between(0, 5000)),
    ...(random.chance(0.3) && { beaconSource: "the first dice of the evening" }),
  };
}

function fields(random: Random, startMs: number) {
  return {
    capacityTotal: random.between(1, 6),
    opensAt: iso(startMs - 60_000),
    cancelUntil: iso(startMs + 3_600_000),
    bibStart: 1,
    bibFormat: "0000",
  };
}

/** Some processes do both, as on one machine. */
function makeRoles(random: Random): Role[] {
  const role = (isApi: boolean, isWorker: boolean): Role => ({
    isApi,
    isWorker,
    batchSize: random.pick([1, 3, 10]),
    concurrency: random.between(1, 3),
    tickMs: random.pick([1000, 2000, 5000]),
  });
  if (random.chance(0.3)) return Array.from({ length: random.between(1, 3) }, () => role(true, true));
  return [
    ...Array.from({ length: random.between(1, 3) }, () => role(true, false)),
    ...Array.from({ length: random.between(1, 3) }, () => role(false, true)),
  ];
}

function clicks(random: Random, people: number, windowMs: number): Plan["deeds"] {
  return Array.from({ length: people }, (_, person) => {
    const firstMs = random.between(0, windowMs);
    const count = random.pick([1, 1, 1, 2, 3]);
    return Array.from({ length: count }, (_, again) => ({
      afterMs: firstMs + (again === 0 ? 0 : random.between(0, 2000)),
      deed: { kind: "click" as const, person },
    }));
  }).flat();
}

/** Around the cutoff every clock has another opinion. */
function aroundCutoff(random: Random, people: number, cutoffMs: number): Plan["deeds"] {
  const clicks = Array.from({ length: people }, (_, person): Deed => ({ kind: "click", person }));
  const deeds: Deed[] = [...clicks, { kind: "close" }, { kind: "open" }, { kind: "open" }];
  return deeds
    .filter(() => random.chance(0.5))
    .map((deed) => ({ afterMs: Math.max(0, cutoffMs + random.between(-1000, 4000)), deed }));
}

function others(random: Random, people: number, windowMs: number, isLottery: boolean): Plan["deeds"] {
  const deeds: Deed[] = [];
  const some = (probability: number, most: number, make: () => Deed) => {
    if (random.chance(probability)) deeds.push(...Array.from({ length: random.between(1, most) }, make));
  };
  some(0.6, 4, () => ({ kind: "cancel", person: random.between(0, people - 1) }));
  some(0.4, 3, () => ({ kind: "resize", by: random.pick([1, 1, 2, 3, -1]) }));
  some(0.2, 2, () => ({ kind: "move", byMs: random.between(-3000, 4000) }));
  some(0.2, 2, () => ({ kind: "announce" }));
  some(0.15, 1, () => ({ kind: "pause" }));
  some(0.15, 1, () => ({ kind: "close" }));
  some(0.2, 2, () => ({ kind: "open" }));
  some(0.4, 2, () => ({ kind: "redrive" }));
  some(0.15, 2, () => ({ kind: "junk" }));
  some(0.3, 3, () => ({ kind: "look" }));
  if (isLottery) deeds.push({ kind: "beacon" });
  if (random.chance(0.04)) deeds.push({ kind: "remove" });
  return deeds.map((deed) => ({ afterMs: random.between(0, windowMs + 8000), deed }));
}
