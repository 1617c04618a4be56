/** How fast bytes went lately. */

const WINDOW_MS = 10_000;
const SAMPLE_MS = 500;

export function createSpeed() {
  let samples: { at: number; bytes: number }[] = [];
  return {
    /** `bytes` is the sum of all that went; where it falls, counting begins anew. */
    sample: (bytes: number, now = performance.now()) => {
      const last = samples.at(-1);
      if (last && bytes < last.bytes) samples = [];
      if (last && bytes >= last.bytes && now - last.at < SAMPLE_MS) return;
      samples.push({ at: now, bytes });
      samples = samples.filter(({ at }) => at > now - WINDOW_MS);
    },
    perSecond: (): number => {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.at - first.at < SAMPLE_MS) return 0;
      return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
    },
    stop: () => {
      samples = [];
    },
  };
}
