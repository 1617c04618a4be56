/** `snaprace verify-draw`: does a lottery's draw again from its proof, with the same script that everybody can take along. */

import { type Command, Option } from "commander";
import { type DrawFacts, type DrawRank, verifyDraw } from "../../entry/draw/verify-draw.mjs";
import { EventId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { dataOption, describe, parsedBy, print, type Result } from "./command.ts";
import { openConnection } from "./connection.ts";
import { endOnSignals } from "./ending.ts";
import { openInput } from "./input-file.ts";
import { createProgress, type Progress } from "./progress.ts";
import { facts as inLines } from "./table.ts";
import type { Target } from "./target.ts";
import { counted } from "./wording.ts";

/** The proof of more than a million entrants; JSON.parse would need many times more for something that is no proof. */
const LARGEST_PROOF_BYTES = 128 * 1024 * 1024;

type Options = Target & { event?: string; request?: string; json?: boolean };

export function addVerifyDraw(commands: Command): void {
  const verify = describe(
    commands.command("verify-draw"),
    "Check a lottery's draw from its proof file: nothing else is needed, no server and no data folder.",
    [
      "verify-draw proof.json",
      "verify-draw proof.json --request 01JD2QX5Y8V6M3T9K7R4W1ZP0N",
      "verify-draw --event han-river-10k --server https://race.example",
    ],
  );
  verify
    .argument("[file]", "the proof; - for standard input")
    .addOption(new Option("--event <event>", "take the proof of this event instead").argParser(parsedBy(EventId)))
    .option("--request <id>", "also tell the rank of this request")
    .addOption(dataOption())
    .addOption(
      new Option("--server <url>", "a server elsewhere, with SNAPRACE_TOKEN (default: SNAPRACE_URL)").conflicts("data"),
    );
  verify.action(async (file: string | undefined, options: Options) => {
    endOnSignals();
    const progress = createProgress({ silent: options.json === true, stream: process.stderr });
    const result = await verifyProof(file, options, progress).finally(() => progress.end());
    print(result, options);
  });
}

async function verifyProof(file: string | undefined, options: Options, progress: Progress): Promise<Result> {
  const text = await readProof(file, options);
  const report = await verifyDraw(text, (ranked, entrants) => progress.show("Ranking", ranked, entrants));
  if (report.verdict !== "verified") {
    const { verdict, sentence, line } = report;
    const details = line === undefined ? {} : { line };
    if (verdict === "differs") throw new Problem("conflict", "draw.differs", sentence, { details });
    throw new Problem("invalid", "proof.invalid", `This is no proof of a draw. ${sentence}`, { details });
  }
  const { facts, rankOf } = report;
  const { event, request: requestId } = options;
  if (event !== undefined && facts.eventId !== event) throw otherEvent(event);
  if (requestId === undefined) return { json: { verified: true, ...facts }, text: describeDraw(facts) };
  const rank = await rankOf(requestId);
  if (!rank) throw noRequest(requestId, facts);
  return {
    json: { verified: true, ...facts, request: { requestId, ...rank } },
    text: `${describeDraw(facts)}\n${describeRank(rank, facts)}`,
  };
}

async function readProof(file: string | undefined, options: Options): Promise<string> {
  if ((file === undefined) === (options.event === undefined)) {
    throw new Problem("invalid", "usage.one-proof", "Give either a proof file or --event.");
  }
  if (file !== undefined) return readText((await openInput(file)).read(() => {}));
  const api = await openConnection(options, (line) => void (options.json || process.stderr.write(`${line}\n`)));
  const path = `/events/${encodeURIComponent(options.event ?? "")}/draw/proof.json`;
  return api
    .download(path)
    .then(readText)
    .finally(() => api.close());
}

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let sizeBytes = 0;
  for await (const chunk of chunks) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > LARGEST_PROOF_BYTES) {
      throw new Problem("too-large", "proof.too-large", "This is larger than the proof of any draw. Check the file.");
    }
    pieces.push(decoder.decode(chunk, { stream: true }));
  }
  return pieces.join("") + decoder.decode();
}

function describeDraw(facts: DrawFacts): string {
  const { eventId, capacityTotal, entrantCount, beaconSource, beaconValue } = facts;
  const lines = inLines({
    event: eventId,
    entrants: entrantCount.toLocaleString("en"),
    places: capacityTotal.toLocaleString("en"),
    commitment: facts.commitment,
    "committed at": instant(facts.committedAt),
    "entrants sha-256": facts.entrantsSha256,
    "frozen at": instant(facts.frozenAt),
    seed: facts.seed,
    beacon: beaconSource === null ? "none" : `${beaconValue} from ${beaconSource}`,
    "drawn at": instant(facts.drawnAt),
  });
  const compare = "Compare the commitment and the entrants' SHA-256 with what was published before the draw.";
  return `Verified: the draw is as it must be, to the last rank.\n${lines}\n${compare}`;
}

function describeRank({ ticket, rank, won }: DrawRank, { capacityTotal, entrantCount }: DrawFacts): string {
  const place = won ? "it won a place" : `it is number ${(rank - capacityTotal).toLocaleString("en")} of the reserve`;
  return `The request has ticket ${ticket} and rank ${rank.toLocaleString("en")} of ${entrantCount.toLocaleString("en")}: ${place}.`;
}

function otherEvent(eventId: string): Problem {
  const sentence = `The server gave the proof of another event than ${eventId}. Ask its operator.`;
  return new Problem("conflict", "draw.other-event", sentence);
}

function noRequest(requestId: string, { entrantCount }: DrawFacts): Problem {
  const sentence = `The draw is as it must be, but ${requestId} is none of its ${counted(entrantCount, "request")}.`;
  return new Problem("missing", "draw.request-not-found", sentence);
}

const instant = (atMs: number) => new Date(atMs).toISOString();
