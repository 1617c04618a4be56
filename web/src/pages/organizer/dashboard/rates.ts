/** Counters that only grow, looked at again and again, become how many came in a second or a minute. */

/** `at` in milliseconds since 1970, by one clock for all samples. */
export type Sample = { at: number; counts: number[] };
/** As charts take them; a value that is not known breaks the line. */
type RatePoint = { at: number; values: (number | null)[] };
export type Rates = { samples: Sample[]; points: RatePoint[] };

type RateSettings = {
  /** Rates are per so long. */
  perMs: number;
  /** Each is taken over at least so long, if there are samples for it. */
  overMs: number;
  keepMs: number;
  /** Nobody looked for longer than this: the line is broken, and begins anew. */
  gapMs: number;
};

export const NO_RATES: Rates = { samples: [], points: [] };

export function addSample({ samples, points }: Rates, sample: Sample, settings: RateSettings): Rates {
  const { overMs, keepMs, gapMs } = settings;
  const last = samples.at(-1);
  if (!last) return { samples: [sample], points };
  // Two looks at once, after something was done by hand, tell nothing new.
  if (sample.at - last.at < LEAST_MS) return { samples, points };
  const kept = points.filter(({ at }) => at > sample.at - keepMs);
  if (sample.at - last.at > gapMs) {
    const broken = { at: last.at + 1, values: sample.counts.map(() => null) };
    return { samples: [sample], points: kept.length > 0 ? [...kept, broken] : [] };
  }
  const from = samples.findLast(({ at }) => at <= sample.at - overMs) ?? samples[0] ?? last;
  const values = sample.counts.map((count, i) => rate(count - (from.counts[i] ?? 0), sample.at - from.at, settings));
  return {
    samples: [...samples.filter(({ at }) => at >= from.at), sample],
    points: [...kept, { at: sample.at, values }],
  };
}

const LEAST_MS = 400;

function rate(difference: number, elapsedMs: number, { perMs }: RateSettings): number {
  return Math.round((Math.max(0, difference) * perMs * 10) / elapsedMs) / 10;
}

/** The latest and the highest of a line, for the sentence that says what a chart shows. */
export function latestAndPeak(points: RatePoint[], line: number): { now: number; peak: number } {
  const values = points.flatMap(({ values }) => values[line] ?? []);
  return { now: values.at(-1) ?? 0, peak: Math.max(0, ...values) };
}
