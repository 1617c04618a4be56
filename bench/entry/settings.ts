/** How big the runs are and which are made, from the environment: see bench/entry.bench.ts. */

import { tmpdir } from "node:os";
import { join } from "node:path";

export type Sizes = {
  rounds: number;
  /** In one round of throughput; the rivals' so that it takes them some seconds as well. */
  people: number;
  floorPeople: number;
  postgresPeople: number;
  places: number;
  halfRateSeconds: number;
  burstPeople: number;
  kills: number;
  fewStored: number;
  manyStored: number;
  storedRoundPeople: number;
  awsPeople: number;
  awsPlaces: number;
};

const FULL: Sizes = {
  rounds: 3,
  people: 30_000,
  floorPeople: 80_000,
  postgresPeople: 8_000,
  places: 500,
  halfRateSeconds: 8,
  burstPeople: 10_000,
  kills: 6,
  fewStored: 10_000,
  manyStored: 100_000,
  storedRoundPeople: 10_000,
  awsPeople: 1_500,
  awsPlaces: 150,
};

const QUICK: Sizes = {
  rounds: 1,
  people: 3_000,
  floorPeople: 10_000,
  postgresPeople: 1_000,
  places: 100,
  halfRateSeconds: 2,
  burstPeople: 2_000,
  kills: 2,
  fewStored: 2_000,
  manyStored: 10_000,
  storedRoundPeople: 2_000,
  awsPeople: 500,
  awsPlaces: 50,
};

const MILLION = 1_000_000;

export type Settings = { sizes: Sizes; chartFile: string; isWanted(part: string): boolean };

export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const { CHART, QUICK: quick, MILLION: million, ONLY } = environment;
  const sizes = quick ? QUICK : FULL;
  const only = ONLY?.split(",");
  return {
    sizes: million ? { ...sizes, manyStored: MILLION } : sizes,
    chartFile: CHART || join(tmpdir(), "snaprace-bench-entry.html"),
    isWanted: (part) => only === undefined || only.includes(part),
  };
}
