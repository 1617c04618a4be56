/** Numbers that look random and are the same for the same seed: everything by chance in a simulation comes from here. */

export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
    // The first numbers of neighbouring seeds are alike.
    for (let n = 0; n < 4; n++) this.fraction();
  }

  /** Mulberry32: from 0 to just below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return probability > 0 && this.fraction() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)] as T;
  }

  shuffled<T>(list: readonly T[]): T[] {
    const all = [...list];
    for (let last = all.length - 1; last > 0; last--) {
      const other = this.between(0, last);
      [all[last], all[other]] = [all[other] as T, all[last] as T];
    }
    return all;
  }

  /** A source of its own, so that drawing more from one leaves the other as it is. */
  fork(): Random {
    return new Random(this.between(0, 2 ** 32 - 1));
  }
}
