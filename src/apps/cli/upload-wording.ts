/** What `snaprace upload` says at its end, to people in lines and to scripts as an object. */

import path from "node:path";
import { Problem } from "../../platform/problem.ts";
import type { Skipped } from "./upload-files.ts";
import { duration } from "./upload-meter.ts";
import { counted, mebibytes } from "./wording.ts";

const MOST_LISTED = 20;
const MOST_EXTENSIONS = 5;

type Reason = { code: string; message: string };
export type Outcome = { file: string; sizeBytes: number } & (
  | { state: "sent"; key: string }
  | { state: "known"; ulid?: string; why: string }
  | { state: "duplicate"; of: string }
  | { state: "refused"; problem: Reason }
  | { state: "failed"; problem: Problem }
);
type State = Outcome["state"];
type In<S extends State> = Extract<Outcome, { state: S }>;

export type UploadReport = {
  event: string;
  outcomes: Outcome[];
  skipped: Skipped[];
  /** Files that were not come to. */
  left: number;
  tookMs: number;
  /** Nobody looks at the photos before a server runs. */
  waitsForServer: boolean;
};

function those<S extends State>(outcomes: Outcome[], state: S): In<S>[] {
  return outcomes.filter((outcome): outcome is In<S> => outcome.state === state);
}

export function uploadJson({ event, outcomes, skipped, left }: UploadReport): unknown {
  const count = (state: State) => those(outcomes, state).length;
  return {
    event,
    counts: {
      sent: count("sent"),
      known: count("known"),
      duplicate: count("duplicate"),
      refused: count("refused"),
      failed: count("failed"),
      skipped: skipped.length,
      left,
    },
    files: outcomes.map(({ sizeBytes: _, ...outcome }) =>
      "problem" in outcome ? { ...outcome, problem: reasonOf(outcome.problem) } : outcome,
    ),
    skipped,
  };
}

const reasonOf = ({ code, message }: Reason): Reason => ({ code, message });

export function uploadText({ event, outcomes, skipped, left, tookMs, waitsForServer }: UploadReport): string {
  const sent = those(outcomes, "sent");
  const known = those(outcomes, "known").length;
  const sentBytes = sent.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const lines = [`Sent ${counted(sent.length, "photo")} (${mebibytes(sentBytes)}) to ${event} in ${duration(tookMs)}.`];
  if (known > 0) lines.push(`${counted(known, "photo")} ${known === 1 ? "was" : "were"} there already.`);
  lines.push(
    ...listed("The same as another file, and not sent twice", those(outcomes, "duplicate"), ({ of }) => `is ${of}`),
    ...listed("Refused", those(outcomes, "refused"), ({ problem }) => problem.message),
    ...listed("Failed", those(outcomes, "failed"), ({ problem }) => problem.message),
  );
  if (skipped.length > 0) lines.push(skippedText(skipped));
  if (left > 0) lines.push(`${counted(left, "photo")} left. ${GO_ON}`);
  if (waitsForServer && sent.length > 0) {
    lines.push("No server runs on the data folder: the photos are looked at when one does (snaprace serve).");
  }
  return lines.join("\n");
}

const GO_ON = "Run the same command again: it goes on where it stopped.";

export function stoppedText(outcomes: Outcome[]): string {
  return `Stopped after ${counted(those(outcomes, "sent").length, "photo")}. ${GO_ON}`;
}

/** What failed may go well another time; what was refused will not. */
export function uploadProblem({ outcomes }: UploadReport): Problem | undefined {
  const failed = those(outcomes, "failed");
  const refused = those(outcomes, "refused");
  if (failed.length + refused.length === 0) return undefined;
  const sentence = `${counted(failed.length + refused.length, "file")} of ${counted(outcomes.length, "file")} could not be uploaded.`;
  return new Problem(failed[0]?.problem.kind ?? "invalid", "photos.not-uploaded", sentence);
}

function listed<T extends Outcome>(heading: string, outcomes: T[], why: (outcome: T) => string): string[] {
  if (outcomes.length === 0) return [];
  const lines = outcomes.slice(0, MOST_LISTED).map((outcome) => oneLine(`  ${outcome.file}: ${why(outcome)}`));
  const more = outcomes.length - lines.length;
  return [
    `${heading}: ${counted(outcomes.length, "file")}.`,
    ...lines,
    ...(more > 0 ? [`  and ${more.toLocaleString("en")} more`] : []),
  ];
}

/** "Skipped 12 files that are no photos (.cr2 8, .mov 4) and 2 hidden ones." */
function skippedText(skipped: Skipped[]): string {
  const hidden = skipped.filter(({ why }) => why === "hidden").length;
  const others = skipped.filter(({ why }) => why !== "hidden");
  const parts = [];
  if (others.length > 0)
    parts.push(
      `${counted(others.length, "file")} that ${others.length === 1 ? "is no photo" : "are no photos"} (${extensions(others)})`,
    );
  if (hidden > 0) parts.push(`${hidden.toLocaleString("en")} hidden`);
  return `Skipped ${parts.join(" and ")}.`;
}

function extensions(skipped: Skipped[]): string {
  const counts = new Map<string, number>();
  for (const { file } of skipped) {
    const extension = oneLine(path.extname(file).toLowerCase() || "without extension");
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a);
  const named = most
    .slice(0, MOST_EXTENSIONS)
    .map(([extension, count]) => `${extension} ${count.toLocaleString("en")}`);
  return [...named, ...(most.length > MOST_EXTENSIONS ? ["and others"] : [])].join(", ");
}

/** A file's name must not move the cursor or start a line. */
function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
