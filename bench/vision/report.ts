/** What a part found: figures for the table, and the mistakes that the page shows. */

import type { Box } from "../../src/platform/ports.ts";
import type { Row } from "../run.ts";

export type Section = { title: string; about: string; rows: Row[]; cases: Case[] };

/** A picture in which something went wrong. */
export type Case = {
  title: string;
  expected: string;
  /** As an address that holds the picture itself. */
  overview: string;
  mistakes: Mistake[];
};

export type Mistake = {
  kind: "missed" | "wrong";
  number: string;
  note: string;
  box?: Box;
  crop?: string;
  /** The words seen there, and what became of them. */
  words: SeenWord[];
};

export type SeenWord = { text: string; confidence: number; verdict: string };

export function atMost(measure: string, value: number, unit: string, most: number): Row {
  return { measure, value, unit, target: `≤ ${most}`, ok: value <= most };
}
