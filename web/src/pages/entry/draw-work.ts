/** Does a draw again beside the page, which stays alive meanwhile: a list may have a hundred thousand entrants. */

import { type DrawFacts, type DrawReport, verifyDraw } from "../../../../src/entry/draw/verify-draw.mjs";
import { subtle } from "../../sha256.ts";

/** The worker loads nothing itself: its policy, as that of every file, lets it ask nobody. */
export type DrawTask = { do: "verify"; proof: Blob } | { do: "rank"; requestId: string };

export type DrawNews =
  | { news: "progress"; ranked: number; entrants: number }
  | { news: "verdict"; report: Verdict; seconds: number }
  | { news: "rank"; requestId: string; rank: { ticket: number; rank: number; won: boolean } | undefined };

/** What can be sent from one thread to another. */
export type Verdict =
  | { verdict: "verified"; facts: DrawFacts }
  | { verdict: "differs" | "unreadable"; field: string; line: number | undefined; sentence: string; facts?: DrawFacts };

// Browsers keep their own SHA-256 from pages on plain http, as on race day in a local network.
if (!crypto.subtle) Object.defineProperty(crypto, "subtle", { value: subtle });
let latest: DrawReport | undefined;

self.onmessage = ({ data }: MessageEvent<DrawTask>) =>
  void (data.do === "verify" ? verify(data.proof) : rank(data.requestId));

async function verify(proof: Blob): Promise<void> {
  latest = undefined;
  const text = await proof.text();
  const startedAt = performance.now();
  latest = await verifyDraw(text, (ranked, entrants) => tell({ news: "progress", ranked, entrants }));
  tell({ news: "verdict", report: verdictOf(latest), seconds: (performance.now() - startedAt) / 1000 });
}

function verdictOf(report: DrawReport): Verdict {
  if (report.verdict === "verified") return { verdict: "verified", facts: report.facts };
  const { verdict, sentence, line } = report;
  const field = /^(\w+)(?: \(line \d+\))?: /.exec(sentence)?.[1] ?? "";
  return { verdict, field, line, sentence, ...(verdict === "differs" && { facts: report.facts }) };
}

async function rank(requestId: string): Promise<void> {
  const found = latest?.verdict === "verified" ? await latest.rankOf(requestId) : undefined;
  tell({ news: "rank", requestId, rank: found });
}

function tell(news: DrawNews): void {
  self.postMessage(news);
}
