/** Bibs that are hard to read, each kind by itself, in drawn scenes. */

import type { Bib, BibReading } from "../../src/photos/bibs.ts";
import { BIB_KINDS, type BibKind, type Drawn, drawScene } from "../../tests/pictures/scene.ts";
import { figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { describeCase, type Slip } from "./cases.ts";
import { type HiddenOutcome, outcomeOf } from "./hidden.ts";
import { judgedWords, readSeen } from "./reading.ts";
import type { Case, Section } from "./report.ts";
import type { Rig } from "./rig.ts";

type ReadScene = { seed: number; kind: BibKind; drawn: Drawn; reading: BibReading };

const OUTCOMES: HiddenOutcome[] = ["partial", "impossible partial", "whole", "another number", "nothing"];

/** Times as many scenes of partly hidden bibs: a number in place of another is rare, and matters most. */
const HIDDEN_TIMES = 8;

export async function measureTrouble({ settings, eye }: Rig): Promise<Section[]> {
  const rows: Row[] = [];
  const cases: Case[] = [];
  for (const kind of BIB_KINDS.filter(settings.isDrawn)) {
    const scenes: ReadScene[] = [];
    const count = settings.scenes * (kind === "hidden" ? HIDDEN_TIMES : 1);
    for (let seed = settings.firstSeed; seed < settings.firstSeed + count; seed += 1) {
      const drawn = await drawScene({ seed, kind });
      const scene = { seed, kind, drawn, reading: readSeen(await eye.look(drawn.jpeg, "everything")) };
      scenes.push(scene);
      cases.push(...(await caseOf(scene)));
    }
    rows.push(...rowsOf(kind, scenes));
    progress(`trouble: ${kind}, ${scenes.length} scenes`);
  }
  const about = `${settings.scenes} drawn scenes of each kind, ${HIDDEN_TIMES} times as many of partly hidden bibs, without a roster, from seed ${settings.firstSeed} on.`;
  return [{ title: "Trouble", about, rows, cases }];
}

function rowsOf(kind: BibKind, scenes: ReadScene[]): Row[] {
  const whole = scenes.flatMap(({ drawn, reading }) => {
    const bibs = drawn.truth.bibs.filter(({ hidden }) => !hidden);
    return bibs.map(({ number }) => isRead(number, reading));
  });
  const wrong = scenes.flatMap(wrongOf).length;
  const rows = [
    figure(`trouble, ${kind}: recall of ${whole.length} bibs`, whole.filter(Boolean).length / whole.length, ""),
    figure(`trouble, ${kind}: wrong numbers in ${scenes.length} scenes`, wrong, ""),
  ];
  return kind === "hidden" ? [...rows, ...hiddenRows(scenes)] : rows;
}

function hiddenRows(scenes: ReadScene[]): Row[] {
  const outcomes = scenes.flatMap(({ drawn, reading }) =>
    drawn.truth.bibs.filter(({ hidden }) => hidden).map((bib) => outcomeOf(bib, reading)),
  );
  return OUTCOMES.map((outcome): Row => {
    const value = outcomes.filter((each) => each === outcome).length;
    const row = figure(`trouble, ${outcomes.length} partly hidden bibs: read as ${outcome}`, value, "");
    return outcome === "another number" ? { ...row, target: "0", ok: value === 0 } : row;
  });
}

function isRead(number: string, { bibs }: BibReading): boolean {
  return bibs.some(({ bib }) => bib === number);
}

function wrongOf({ drawn, reading }: ReadScene): Bib[] {
  const numbers = new Set(drawn.truth.bibs.map(({ number }) => number));
  return reading.bibs.filter(({ bib }) => !numbers.has(bib));
}

async function caseOf(scene: ReadScene): Promise<Case[]> {
  const { seed, kind, drawn, reading } = scene;
  const missed = drawn.truth.bibs
    .filter(({ hidden, number }) => !hidden && !isRead(number, reading))
    .map(({ number, box }): Slip => ({ kind: "missed", number, note: "", box }));
  const wrong = wrongOf(scene).map(({ bib, box }): Slip => ({ kind: "wrong", number: bib, note: "", box }));
  if (missed.length + wrong.length === 0) return [];
  const expected = drawn.truth.bibs
    .map(({ number, visible, hidden }) => (hidden ? `${number} (seen: ${visible})` : number))
    .join(", ");
  const title = `${kind}, seed ${seed}`;
  return [await describeCase({ title, expected, image: drawn.jpeg }, [...missed, ...wrong], judgedWords(reading))];
}
