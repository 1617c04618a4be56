/** What became of a bib that is partly hidden, and of everything else in a drawn scene. */

import type { BibReading } from "../../src/photos/bibs.ts";
import type { BibTruth } from "../../tests/pictures/scene.ts";
import { holdsMiddle } from "./places.ts";

export type HiddenOutcome = "partial" | "impossible partial" | "whole" | "another number" | "nothing";

/** The worst that is said of it counts. */
export function outcomeOf({ box, number }: BibTruth, { bibs, partial }: BibReading): HiddenOutcome {
  const here = bibs.filter((bib) => holdsMiddle(box, bib.box));
  if (here.some(({ bib }) => bib !== number)) return "another number";
  if (here.length > 0) return "whole";
  const parts = partial.filter((part) => holdsMiddle(box, part.box));
  if (parts.length === 0) return "nothing";
  return parts.some(({ text }) => canBe(text, number)) ? "partial" : "impossible partial";
}

/** `12?` can be every number that begins with 12. */
function canBe(partial: string, number: string): boolean {
  return new RegExp(`^${partial.replaceAll("?", ".*")}$`).test(number);
}
