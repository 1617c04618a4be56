/** SnapRace beside the floor and the PostgreSQL way: throughput in turns, latency at half of it, and everybody at once. */

import type { Row } from "../run.ts";
import { acceptedPerSecond, answersPerSecond, latencyOf, median } from "./figures.ts";
import { type Installation, openInstallation } from "./installation.ts";
import { type Load, runLoad } from "./load.ts";
import {
  atLeast,
  below,
  checkRows,
  count,
  figure,
  progress,
  type Report,
  secondsUntilSettled,
  tellScene,
} from "./report.ts";
import { openFloor, openPostgresWays, type Rival } from "./rivals.ts";
import { type Ask, planOf, playScene, type Scene } from "./scene.ts";
import type { Sizes } from "./settings.ts";

const ANY_SECRET = "00".repeat(32);
const CLICKS_PER_PERSON = 1.12;
const WARM_UP = "warm-up";
const WARM_UP_SHARE = 0.2;
const CONNECTIONS = [64, 128, 256, 512];

type Contestant = { name: string; people: number; load(title: string, ask: Ask): Promise<Load> };
type Measured = { accepted: number; answers: number };

export async function compareWithRivals(report: Report, sizes: Sizes): Promise<void> {
  const [installation, floor, postgres] = await Promise.all([openInstallation(), openFloor(), openPostgresWays()]);
  const played: Scene[] = [];
  const ours = ourContestant(installation, report, played, sizes.people);
  const floorOne = rivalContestant("floor", floor, sizes.floorPeople);
  const plain = rivalContestant("PostgreSQL way", postgres.plain, sizes.postgresPeople);
  const lookFirst = rivalContestant("PostgreSQL, no lock once sold out", postgres.lookFirst, sizes.postgresPeople);
  const contestants = [floorOne, plain, lookFirst, ours];
  try {
    const measured = await measureThroughput(contestants, sizes);
    const of = (contestant: Contestant) => measured.get(contestant) as Measured;
    report.bars.push(...contestants.map((each) => ({ name: each.name, perSecond: of(each).accepted })));
    report.rows.push(
      ...throughputRows({ ours: of(ours), floor: of(floorOne), plain: of(plain), lookFirst: of(lookFirst) }),
    );
    for (const each of contestants) report.rows.push(...(await measureHalf(each, of(each).answers / 2, sizes)));
    report.rows.push(...(await measureBurst(ours, plain, played, sizes)));
    report.rows.push(...checkRows("all of these", played));
  } finally {
    await Promise.all([installation.close(), floor.close(), postgres.close()]);
  }
}

function ourContestant(installation: Installation, report: Report, played: Scene[], people: number): Contestant {
  return {
    name: "SnapRace",
    people,
    load: async (title, ask) => {
      const scene = await playScene(installation, ask);
      const titled = { title, scene };
      tellScene(titled);
      played.push(scene);
      // Of several rounds the last is shown.
      const others = report.scenes.filter((other) => other.title !== title);
      report.scenes = title === WARM_UP ? others : [...others, titled];
      return scene.load;
    },
  };
}

let rivalEvents = 0;

function rivalContestant(name: string, rival: Rival, people: number): Contestant {
  return {
    name,
    people,
    load: async (title, ask) => {
      rivalEvents += 1;
      const eventId = `rival-${rivalEvents}`;
      await rival.createEvent(eventId, ask.places);
      const load = await runLoad(planOf({ port: rival.port, secret: ANY_SECRET }, eventId, ask, "runner-"));
      const refused = load.answers.filter(({ status }) => status !== 202).length;
      if (refused > 0) throw new Error(`${name} refused ${refused} requests (${title}).`);
      return load;
    },
  };
}

async function measureThroughput(contestants: Contestant[], sizes: Sizes): Promise<Map<Contestant, Measured>> {
  const { places, rounds } = sizes;
  const connections = new Map<Contestant, number>();
  for (const each of contestants) connections.set(each, await findBestConnections(each, places));
  const loads = new Map(contestants.map((each): [Contestant, Load[]] => [each, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const each of contestants) {
      const ask = { people: each.people, places, connections: connections.get(each) ?? 0 };
      const load = await each.load("as fast as it can", ask);
      loads.get(each)?.push(load);
      const rate = `${count(acceptedPerSecond(load))} people/s over ${ask.connections} connections`;
      const generatorUs = Math.round((load.generatorCpuMs * 1000) / load.answers.length);
      progress(`round ${round}, ${each.name}: ${rate} (generator ${generatorUs} µs a click)`);
    }
  }
  const medians = (all: Load[]) => ({
    accepted: median(all.map(acceptedPerSecond)),
    answers: median(all.map(answersPerSecond)),
  });
  return new Map([...loads].map(([each, all]) => [each, medians(all)]));
}

/** Each gets as many connections as suit it best; the first try only warms it up. */
async function findBestConnections(contestant: Contestant, places: number): Promise<number> {
  const people = Math.round(contestant.people * WARM_UP_SHARE);
  await contestant.load(WARM_UP, { people, places });
  const tries: { connections: number; perSecond: number }[] = [];
  for (const connections of CONNECTIONS) {
    const load = await contestant.load(WARM_UP, { people, places, connections });
    tries.push({ connections, perSecond: acceptedPerSecond(load) });
  }
  tries.sort((a, b) => b.perSecond - a.perSecond);
  return tries[0]?.connections ?? 0;
}

function throughputRows(of: { ours: Measured; floor: Measured; plain: Measured; lookFirst: Measured }): Row[] {
  const { ours, floor, plain, lookFirst } = of;
  return [
    figure("people accepted, floor", floor.accepted, "/s"),
    figure("people accepted, PostgreSQL way", plain.accepted, "/s"),
    figure("people accepted, PostgreSQL, no lock once sold out", lookFirst.accepted, "/s"),
    figure("people accepted", ours.accepted, "/s"),
    atLeast("202s, repeats too", ours.answers, "/s", Math.min(6000, 0.3 * floor.answers)),
    figure("people accepted / floor", ours.accepted / floor.accepted, "×"),
    atLeast("people accepted / PostgreSQL way", ours.accepted / plain.accepted, "×", 5),
    figure("people accepted / PostgreSQL, no lock once sold out", ours.accepted / lookFirst.accepted, "×"),
  ];
}

async function measureHalf(contestant: Contestant, ratePerSecond: number, sizes: Sizes): Promise<Row[]> {
  const people = Math.round((ratePerSecond * sizes.halfRateSeconds) / CLICKS_PER_PERSON);
  const load = await contestant.load("at half of that rate", { people, places: sizes.places, ratePerSecond });
  const { p50, p99 } = latencyOf(load.answers);
  const where = `${count(ratePerSecond)}/s, ${contestant.name}`;
  const isOurs = contestant.name === "SnapRace";
  return [
    figure(`p50 at half rate, ${where}`, p50, "ms"),
    isOurs ? below(`p99 at half rate, ${where}`, p99, "ms", 100) : figure(`p99 at half rate, ${where}`, p99, "ms"),
  ];
}

/** All are due within a second, which is more than either can take. */
async function measureBurst(ours: Contestant, plain: Contestant, played: Scene[], sizes: Sizes): Promise<Row[]> {
  const { burstPeople: people, places } = sizes;
  const what = `${count(people)} people for ${count(places)} places`;
  const ask = { people, places, ratePerSecond: people * CLICKS_PER_PERSON };
  await ours.load(`${what} within a second`, ask);
  const scene = played.at(-1) as Scene;
  const theirs = await plain.load(what, ask);
  const { p50, p99 } = latencyOf(scene.load.answers);
  const { startedAt } = scene.load;
  return [
    below(`${what}: last result after the last 202`, secondsUntilSettled(scene), "s", 3),
    figure("last result after the first click", ((scene.settledAt ?? Number.NaN) - startedAt) / 1000, "s"),
    figure("the same, PostgreSQL way", (theirs.endedAt - theirs.startedAt) / 1000, "s"),
    figure("p50 in that rush", p50, "ms"),
    figure("p99 in that rush", p99, "ms"),
  ];
}
