/** What a simulation ends with when something that must always hold does not. */

import { Stop } from "./wire.ts";

export class Broken extends Stop {
  /** A short name of what was broken, by which deliberate bugs say what they expect. */
  readonly invariant: string;

  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`);
    this.name = "Broken";
    this.invariant = invariant;
  }
}

export function demand(holds: boolean, invariant: string, message: () => string): asserts holds {
  if (!holds) throw new Broken(invariant, message());
}
