/** The columns of a runners' file: their names in English and Korean, and what a header must have. */

import { Problem } from "../../platform/problem.ts";
import type { Runner } from "./runner.ts";

/** The first name is the one that exports have. */
type KnownColumn = { field: keyof Runner; label: string; names: readonly [string, ...string[]] };

/** `heading` is what the file calls the column. */
export type Column = { field: keyof Runner; label: string; heading: string };

export const KNOWN_COLUMNS: readonly KnownColumn[] = [
  { field: "bib", label: "Bib", names: ["bib", "bib_number", "number", "배번", "배번호", "참가번호"] },
  { field: "name", label: "Name", names: ["name", "이름", "성명"] },
  { field: "finishTime", label: "Finish time", names: ["finish_time", "time", "기록", "완주기록"] },
  { field: "gender", label: "Gender", names: ["gender", "sex", "성별"] },
  { field: "age", label: "Age", names: ["age", "나이", "연령"] },
  { field: "team", label: "Team", names: ["team", "club", "팀", "소속"] },
  { field: "timingResult", label: "Timing result", names: ["timing_result"] },
  { field: "userId", label: "User id", names: ["user_id"] },
];

const columnsByName = new Map(KNOWN_COLUMNS.flatMap((column) => column.names.map((name) => [name, column])));
const MAX_NAMED = 10;
const MAX_SHOWN_CHARACTERS = 40;

export function readHeader(cells: string[]): Column[] {
  const headings = cells.map((cell) => shown(cell));
  const known = cells.map((cell) => columnsByName.get(nameOf(cell)));
  refuseUnknown(headings.filter((_, position) => known[position] === undefined));
  const columns = known.flatMap((column, position) =>
    column ? [{ field: column.field, label: column.label, heading: headings[position] ?? "" }] : [],
  );
  refuseDuplicates(columns);
  if (!columns.some(({ field }) => field === "bib")) {
    throw new Problem("invalid", "csv.no-bib-column", `The file has no bib column. ${knownNames()}`);
  }
  return columns;
}

/** A cell as a sentence can quote it. */
export function shown(cell: string): string {
  const text = cell.trim().replace(/\p{Cc}+/gu, " ");
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS).toWellFormed()}…` : text;
}

/** Files made on a Mac have Korean letters in parts, and people write "Bib Number". */
function nameOf(cell: string): string {
  return cell
    .normalize("NFKC")
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}

function refuseUnknown(headings: string[]): void {
  if (headings.length === 0) return;
  const named = headings.slice(0, MAX_NAMED).map((heading) => (heading === "" ? "one without a name" : `"${heading}"`));
  const more = headings.length > MAX_NAMED ? ` and ${headings.length - MAX_NAMED} more` : "";
  throw new Problem(
    "invalid",
    "csv.unknown-column",
    `The first line names columns that are not known: ${named.join(", ")}${more}. Rename or delete them. ${knownNames()}`,
  );
}

function refuseDuplicates(columns: Column[]): void {
  for (const [position, column] of columns.entries()) {
    const earlier = columns.slice(0, position).find(({ field }) => field === column.field);
    if (!earlier) continue;
    throw new Problem(
      "invalid",
      "csv.duplicate-column",
      `The columns "${earlier.heading}" and "${column.heading}" are both the ${column.label.toLowerCase()}. Keep one of them.`,
    );
  }
}

function knownNames(): string {
  const columns = KNOWN_COLUMNS.map(({ names: [first, ...others] }) =>
    others.length > 0 ? `${first} (or ${others.join(", ")})` : first,
  );
  return `Known columns: ${columns.join("; ")}.`;
}
