/** Which texts of a photo count as bibs: what `snaprace read` was told about it, as the rules that photos are read by. */

import { type BibRules, DEFAULT_MIN_CONFIDENCE, DEFAULT_WATERMARK_ZONES } from "../../photos/index.ts";
import { Bib } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { fromSafeText } from "../../platform/safe-cell.ts";
import { type CsvRecord, readCsvRecords } from "../../registry/runners/csv-records.ts";
import { readCsvText } from "../../registry/runners/csv-text.ts";
import { KNOWN_COLUMNS } from "../../registry/runners/runner-csv-columns.ts";
import { openInput } from "./input-file.ts";
import { counted } from "./wording.ts";

const LARGEST_ROSTER_BYTES = 64 * 1024 * 1024;
const MOST_ERRORS = 1000;
const BIB_HEADINGS: readonly string[] = KNOWN_COLUMNS.find(({ field }) => field === "bib")?.names ?? [];

export type RuleOptions = { roster?: string; pattern?: string; minConfidence?: number };

export async function rulesOf({ roster, pattern, minConfidence }: RuleOptions): Promise<BibRules> {
  return {
    watermarkZones: DEFAULT_WATERMARK_ZONES,
    minConfidence: minConfidence ?? DEFAULT_MIN_CONFIDENCE,
    ...(pattern !== undefined && { pattern: wholeBib(pattern) }),
    ...(roster !== undefined && { roster: await readRoster(roster) }),
  };
}

/** No bib is longer than twelve characters, and on a long line of text a pattern with many choices would take long. */
function wholeBib(pattern: string): RegExp {
  return new RegExp(`^(?=.{1,12}$)(?:${pattern})$`, "u");
}

/** From any file that has a column of bibs, also one for `snaprace runners import`, or a number on each line. */
async function readRoster(file: string): Promise<Set<string>> {
  const bibs = new Set<string>();
  const errors: { line: number; reason: string }[] = [];
  let column: number | undefined;
  const { read } = await openInput(file);
  const take = ({ line, cells }: CsvRecord) => {
    if (column === undefined) {
      const heading = bibColumn(cells);
      column = heading ?? onlyColumn(cells, file);
      if (heading !== undefined) return;
    }
    const cell = fromSafeText((cells[column] ?? "").trim());
    const bib = Bib.safeParse(cell);
    if (bib.success) bibs.add(bib.data);
    else if (cell !== "") errors.push({ line, reason: bib.error.issues[0]?.message ?? "" });
  };
  await readCsvRecords(
    readCsvText(
      read(() => {}),
      LARGEST_ROSTER_BYTES,
    ),
    take,
  );
  if (errors.length > 0) throw badRows(file, errors);
  if (bibs.size === 0) throw new Problem("invalid", "roster.empty", `The roster ${file} has no numbers.`);
  return bibs;
}

function bibColumn(cells: string[]): number | undefined {
  const headings = cells.map((cell) =>
    cell
      .normalize("NFKC")
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_"),
  );
  return BIB_HEADINGS.map((name) => headings.indexOf(name)).find((position) => position >= 0);
}

function onlyColumn(cells: string[], file: string): number {
  const others = cells.filter((cell) => cell.trim() !== "").length;
  if (others === 1) return cells.findIndex((cell) => cell.trim() !== "");
  const known = BIB_HEADINGS.join(", ");
  const sentence = `The roster ${file} has no column of bibs. Name one of them ${known}, or give a number on each line.`;
  throw new Problem("invalid", "roster.no-bib-column", sentence);
}

function badRows(file: string, errors: { line: number; reason: string }[]): Problem {
  const sentence = `The roster ${file} has ${counted(errors.length, "line")} without a bib. Correct them.`;
  const details = { errorCount: errors.length, errors: errors.slice(0, MOST_ERRORS) };
  return new Problem("invalid", "roster.bad-rows", sentence, { details });
}
