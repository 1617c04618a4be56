/** How many photos are stored and which parts run, from the environment: see bench/search.bench.ts. */

export type Sizes = { few: number; many: number; manyOnDynamo: number };
export type Settings = { sizes: Sizes; isWanted(part: string): boolean };

export function readSettings({ PHOTOS, QUICK, ONLY }: NodeJS.ProcessEnv): Settings {
  const only = ONLY?.split(",");
  const many = PHOTOS ? Number(PHOTOS) : QUICK ? 20_000 : 1_000_000;
  return {
    sizes: { few: 1_000, many, manyOnDynamo: Math.min(many, QUICK ? 5_000 : 100_000) },
    isWanted: (part) => only === undefined || only.includes(part),
  };
}
