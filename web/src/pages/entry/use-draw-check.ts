/** Has a draw done again by a worker, and tells how far it is, step by step, and what came of it. */

import { useEffect, useRef, useState } from "react";
import { ApiProblem } from "../../api/call.ts";
import type { Draw } from "../../api/types.ts";
import type { DrawNews, DrawTask, Verdict } from "./draw-work.ts";

/** The steps in their order; `published` only where there is an event to compare the proof with. */
export const STEPS = ["load", "read", "promise", "list", "order", "published"] as const;
export type Step = (typeof STEPS)[number];

type Outcome =
  | { is: "verified" }
  | { is: "differs"; step: Step; line: number | undefined; sentence: string }
  | { is: "trouble"; code: string };

export type DrawCheck = {
  /** The step that is being made; all before it are done. */
  step: Step;
  ranked: { done: number; all: number } | undefined;
  outcome: Outcome | undefined;
  facts: Extract<Verdict, { verdict: "verified" }>["facts"] | undefined;
  seconds: number;
  rank: Extract<DrawNews, { news: "rank" }> | undefined;
};

const BEGIN: DrawCheck = {
  step: "load",
  ranked: undefined,
  outcome: undefined,
  facts: undefined,
  seconds: 0,
  rank: undefined,
};
/** In which step a field is looked at. */
const STEP_OF: { [field: string]: Step } = {
  commitment: "promise",
  entrantCount: "list",
  entrantsSha256: "list",
  factsSha256: "list",
  order: "order",
};

export function useDrawCheck(published?: Draw) {
  const [check, setCheck] = useState<DrawCheck>();
  const worker = useRef<Worker>(undefined);
  useEffect(() => () => worker.current?.terminate(), []);

  const start = async (load: () => Promise<Blob>) => {
    // What an earlier one still has to say is not heard any more.
    worker.current?.terminate();
    const next = new Worker(new URL("./draw-work.ts", import.meta.url), { type: "module" });
    worker.current = next;
    setCheck(BEGIN);
    next.onmessage = ({ data }: MessageEvent<DrawNews>) =>
      setCheck((before) => before && { ...before, ...afterNews(data, published) });
    next.onerror = () => setCheck((before) => before && { ...before, outcome: { is: "trouble", code: "unknown" } });
    try {
      const proof = await load();
      if (worker.current !== next) return;
      setCheck({ ...BEGIN, step: "read" });
      next.postMessage({ do: "verify", proof } satisfies DrawTask);
    } catch (error) {
      const code = error instanceof ApiProblem ? error.code : "unknown";
      if (worker.current === next) setCheck({ ...BEGIN, outcome: { is: "trouble", code } });
    }
  };
  const askRank = (requestId: string) => worker.current?.postMessage({ do: "rank", requestId } satisfies DrawTask);
  return { check, start, askRank };
}

function afterNews(news: DrawNews, published: Draw | undefined): Partial<DrawCheck> {
  switch (news.news) {
    case "progress":
      return { step: "order", ranked: { done: news.ranked, all: news.entrants } };
    case "rank":
      return { rank: news };
    case "verdict":
      return { ...afterVerdict(news.report, published), seconds: news.seconds };
  }
}

function afterVerdict(report: Verdict, published: Draw | undefined): Partial<DrawCheck> {
  if (report.verdict !== "verified") {
    const step = report.verdict === "unreadable" ? "read" : (STEP_OF[report.field] ?? "read");
    const { line, sentence, facts } = report;
    return { step, outcome: { is: "differs", step, line, sentence }, ...(facts && { facts }) };
  }
  const { facts } = report;
  const contradiction = published && findContradiction(facts, published);
  const outcome: Outcome = contradiction
    ? { is: "differs", step: "published", line: undefined, sentence: contradiction }
    : { is: "verified" };
  return { step: "published", outcome, facts };
}

/** What an event says before its draw, which the proof must not contradict. */
function findContradiction(facts: NonNullable<DrawCheck["facts"]>, draw: Draw): string | undefined {
  const { eventId, commitment, committedAt, beaconSource, frozenAt, entrantsSha256 } = draw;
  const said = {
    eventId,
    commitment,
    committedAt,
    beaconSource,
    frozenAt,
    entrantCount: draw.entrants,
    entrantsSha256,
  };
  const name = (Object.keys(said) as (keyof typeof said)[]).find((each) => said[each] !== facts[each]);
  return name && `${name}: the event published ${said[name]}, and its proof says ${facts[name]}.`;
}
