/** The script that checks a proof: small, on its own, right about good proofs, and not to be deceived by others. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { importsOf } from "../../../tests/harness/architecture-rules.ts";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { type SampleDraw, sampleDraw } from "./sample-draw.ts";
import { type DrawReport, verifyDraw } from "./verify-draw.mjs";

const scriptFile = fileURLToPath(new URL("verify-draw.mjs", import.meta.url));
const script = readFileSync(scriptFile, "utf8");
const BEACON = { source: "drand quicknet, round 4711", value: "8badf00d" };

/** An edit that changes nothing would test nothing. */
function edit(proof: string, from: string | RegExp, to: string): string {
  const edited = proof.replace(from, to);
  assert.notEqual(edited, proof, `${from} is not in the proof`);
  return edited;
}
const lineOf = (report: DrawReport) => (report.verdict === "verified" ? undefined : report.line);

test("it has less than 120 lines, and imports nothing that Node does not bring along", () => {
  assert.ok(script.trimEnd().split("\n").length < 120);
  assert.deepEqual(importsOf(script).toSorted(), ["node:fs", "node:util"]);
  assert.doesNotMatch(script, /\bfetch\b|\brequire\b|\beval\b|https?:/);
});

test("any draw is verified, as text and as what is in it, and tells everybody their rank", async () => {
  const wish = fc.record({
    entrantCount: fc.nat(40),
    capacityTotal: fc.integer({ min: 1, max: 50 }),
    eventId: fc.constantFrom("han-river-10k", "한강-10k", "É.x_1"),
    beacon: fc.option(fc.record({ source: fc.string({ minLength: 1 }), value: fc.string({ minLength: 1 }) }), {
      nil: null,
    }),
  });
  const property = fc.asyncProperty(wish, async (wanted) => {
    const draw = await sampleDraw(wanted);
    for (const given of [draw.proof, JSON.parse(draw.proof), `\ufeff${draw.proof.replaceAll("\n", "\r\n")}`]) {
      await assertVerified(await verifyDraw(given), draw);
    }
  });
  await fc.assert(property, { numRuns: 60 });
});

async function assertVerified(report: DrawReport, { facts, entrants, order }: SampleDraw): Promise<void> {
  assert.equal(report.verdict, "verified", report.sentence);
  if (report.verdict !== "verified") return;
  assert.equal(report.facts.commitment, facts.commitment);
  for (const { ticket, requestId } of entrants) {
    const rank = order.indexOf(ticket) + 1;
    assert.deepEqual(await report.rankOf(requestId), { ticket, rank, won: rank <= facts.capacityTotal });
  }
  assert.equal(await report.rankOf("01JD2QX5Y8V6M3T9K7R4W1ZP0N"), undefined);
  const typed = ` ${entrants[0]?.requestId.toLowerCase()}\n`;
  if (entrants[0]) assert.equal((await report.rankOf(typed))?.ticket, entrants[0].ticket);
}

test("it tells how far it is", async () => {
  const { proof } = await sampleDraw({ entrantCount: 2300 });
  const steps: number[][] = [];
  await verifyDraw(proof, (ranked, entrants) => steps.push([ranked, entrants]));
  assert.deepEqual(
    steps,
    [1000, 2000, 2300].map((ranked) => [ranked, 2300]),
  );
});

test("no byte of a proof can be changed without notice, and the line that is named is right", async () => {
  const { proof } = await sampleDraw({ entrantCount: 6, beacon: BEACON });
  const before = JSON.stringify(JSON.parse(proof));
  const lines = proof.split("\n");
  const numberOf = (field: string) => lines.findIndex((line) => line.startsWith(`"${field}"`)) + 1;
  const lists = [numberOf("entrants"), numberOf("order")];
  const covering = ["commitment", "entrantsSha256", "factsSha256"].map(numberOf);
  let named = 0;
  for (let at = 0; at < proof.length; at += 1) {
    const line = proof.slice(0, at).split("\n").length;
    const list = lists.findLast((first) => line > first);
    // A ticket that has become too large shows where the next one is not above it.
    const allowed =
      list === undefined ? [line, ...covering] : list === lists[1] ? [line] : [line, line + 1, ...covering];
    for (const byte of ["0", "7", "a", " ", "]", '"']) {
      const changed = proof.slice(0, at) + byte + proof.slice(at + 1);
      const report = await verifyDraw(changed);
      const isSame = isJson(changed) && JSON.stringify(JSON.parse(changed)) === before;
      assert.equal(report.verdict === "verified", isSame, `line ${line}: ${lines[line - 1]} with ${byte}`);
      if (lineOf(report) === undefined) continue;
      assert.ok(allowed.includes(lineOf(report) ?? 0), `${byte} in line ${line}, and line ${lineOf(report)} is named`);
      named += 1;
    }
  }
  assert.ok(named > proof.length, `only ${named} changes had their line named`);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("what differs is told with its line", async () => {
  const { proof, order, entrants, facts } = await sampleDraw({ entrantCount: 6, beacon: BEACON });
  const hash = (index: number) => entrants[index]?.hash ?? "";
  const cases: { what: string; changed: string; sentence: RegExp }[] = [
    {
      what: "two ranks changed places",
      changed: edit(edit(proof, `[2,${order[1]}]`, `[2,${order[4]}]`), `[5,${order[4]}]`, `[5,${order[1]}]`),
      sentence: new RegExp(
        `^order \\(line 25\\): the draw gives rank 2 to ticket ${order[1]}, and the proof says \\[2,${order[4]}\\]\\.$`,
      ),
    },
    {
      what: "a rank is missing at the end",
      changed: edit(proof, `,\n[6,${order[5]}]`, ""),
      sentence: new RegExp(`^order: the draw gives rank 6 to ticket ${order[5]}, and the proof says nothing\\.$`),
    },
    {
      what: "there is a rank too many",
      changed: edit(proof, `[6,${order[5]}]`, `[6,${order[5]}],\n[7,99]`),
      sentence: /^order \(line 30\): here are more ranks than entrants\.$/,
    },
    {
      what: "another seed",
      changed: edit(proof, facts.seed, "6f".repeat(32)),
      sentence: /^commitment \(line 5\): the proof says \w+, and it must be \w+\.$/,
    },
    {
      what: "more places",
      changed: edit(proof, '"capacityTotal": 3', '"capacityTotal": 4'),
      sentence: /^factsSha256 \(line 14\): /,
    },
    {
      what: "another beacon value",
      changed: edit(proof, "8badf00d", "8badf00e"),
      sentence: /^factsSha256 \(line 14\): /,
    },
    {
      what: "an entrant left out, and the count with them",
      changed: edit(edit(proof, `[7,"${hash(4)}"],\n`, ""), '"entrantCount": 6', '"entrantCount": 5'),
      sentence: /^entrantsSha256 \(line 13\): /,
    },
    {
      what: "another count",
      changed: edit(proof, '"entrantCount": 6', '"entrantCount": 7'),
      sentence: /^entrantCount \(line 12\): the proof says 7, and it must be 6\.$/,
    },
    {
      what: "somebody in the list twice",
      changed: edit(proof, hash(3), hash(1)),
      sentence: /^entrants \(line 19\): here must be a ticket above the one before, and a hash of its own\.$/,
    },
    {
      what: "tickets out of order",
      changed: edit(proof, `[4,"${hash(2)}"]`, `[2,"${hash(2)}"]`),
      sentence: /^entrants \(line 18\): /,
    },
    {
      what: "no entrant at all in a line",
      changed: edit(proof, `[4,"${hash(2)}"]`, "[]"),
      sentence: /^entrants \(line 18\): /,
    },
  ];
  for (const { what, changed, sentence } of cases) {
    test(what, async () => {
      const report = await verifyDraw(changed);
      assert.equal(report.verdict, "differs");
      assert.match(report.sentence, sentence);
      const line = /\(line (\d+)\)/.exec(report.sentence)?.[1];
      assert.equal(lineOf(report), line === undefined ? undefined : Number(line));
    });
  }
});

test("a proof that was laid out anew is the same proof, but has no line to name", async () => {
  const { proof } = await sampleDraw({ entrantCount: 6 });
  const wrong = JSON.parse(proof);
  wrong.order[4] = [5, 99];
  for (const indent of [0, 2]) {
    assert.equal((await verifyDraw(JSON.stringify(JSON.parse(proof), undefined, indent))).verdict, "verified");
    const report = await verifyDraw(JSON.stringify(wrong, undefined, indent));
    assert.match(report.sentence, /^order: the draw gives rank 5/);
    assert.equal(lineOf(report), undefined);
  }
});

describe("what is no proof is told in a sentence", async () => {
  const { proof } = await sampleDraw({ entrantCount: 2 });
  const without = (field: string) => JSON.stringify({ ...JSON.parse(proof), [field]: undefined });
  const cases: { [what: string]: { given: unknown; sentence: RegExp } } = {
    "an empty file": { given: "", sentence: /JSON/ },
    "a text": { given: "Dear entrants,\nall is well.", sentence: /JSON/ },
    "half a proof": { given: proof.slice(0, proof.length / 2), sentence: /JSON/ },
    "nothing in JSON": { given: "null", sentence: /^version: it is missing/ },
    "an empty object": { given: {}, sentence: /^version: it is missing/ },
    "a number": { given: 12, sentence: /^version: it is missing/ },
    "another version": { given: edit(proof, '"version": 1', '"version": 2'), sentence: /^version \(line 2\): / },
    "no seed": { given: without("seed"), sentence: /^seed: it is missing/ },
    "no order": { given: without("order"), sentence: /^order: it is missing/ },
    "a seed that is none": { given: edit(proof, /"seed": "5e/, '"seed": "5E'), sentence: /^seed \(line 7\): / },
    "no whole places": { given: edit(proof, /Total": 3/, 'Total": 2.5'), sentence: /^capacityTotal \(line 4\): / },
    "less than no places": { given: edit(proof, /Total": 3/, 'Total": -3'), sentence: /^capacityTotal \(line 4\): / },
    "an event without id": { given: edit(proof, /"han-river-10k"/, '""'), sentence: /^eventId \(line 3\): / },
    "a beacon without a value": {
      given: edit(proof, '"beaconSource": null', '"beaconSource": "drand"'),
      sentence: /^beaconValue \(line 9\): /,
    },
    "a value without a source": {
      given: edit(proof, '"beaconValue": null', '"beaconValue": "mine"'),
      sentence: /^beaconValue \(line 9\): /,
    },
    "lists that are none": { given: edit(proof, /"order": \[.*\n\]/s, '"order": {"length": 2}'), sentence: /^order / },
    "lists in lists": {
      given: edit(proof, /"entrants": \[/, `"entrants": [${"[".repeat(1e5)}${"]".repeat(1e5)},`),
      sentence: /./,
    },
  };
  for (const [what, { given, sentence }] of Object.entries(cases)) {
    test(what, async () => {
      const report = await verifyDraw(given);
      assert.equal(report.verdict, "unreadable", report.sentence);
      assert.match(report.sentence, sentence);
      assert.ok(report.sentence.length < 500);
    });
  }
});

describe("as a program", () => {
  const run = (file: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: "utf8" });
    return { status, stdout, stderr };
  };

  test("it ends with 0, 1 or 2, under whatever name it was saved", async (t) => {
    const folder = await temporaryFolder(t);
    const { proof, order, entrants } = await sampleDraw({ entrantCount: 6 });
    const [good, bad, none] = ["good.json", "bad.json", "none.json"].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(good, proof);
    writeFileSync(bad, edit(proof, `[1,${order[0]}]`, `[1,${order[1]}]`));
    writeFileSync(none, "no JSON");
    const copy = join(folder, "verify-draw (1).mjs");
    const link = join(folder, "link 100%.mjs");
    cpSync(scriptFile, copy);
    symlinkSync(scriptFile, link);
    for (const file of [scriptFile, copy, link]) {
      assert.match(
        run(file, good).stdout,
        /^verified: The draw is as it must be: 6 entrants for 3 places\.\n {2}version: 1\n/,
      );
      assert.equal(run(file, good).status, 0);
      assert.match(run(file, bad).stdout, /^differs: order \(line 24\): the draw gives rank 1 to ticket \d+, and/);
      assert.equal(run(file, bad).status, 1);
      assert.equal(run(file, none).status, 2);
    }
    const winner = entrants.find(({ ticket }) => ticket === order[2])?.requestId ?? "";
    const loser = entrants.find(({ ticket }) => ticket === order[3])?.requestId ?? "";
    assert.match(run(scriptFile, good, "--request", winner).stdout, /^Ticket \d+ has rank 3: a place\.$/m);
    assert.match(run(scriptFile, "--request", loser, good).stdout, /^Ticket \d+ has rank 4: in reserve\.$/m);
    const stranger = run(scriptFile, good, "--request", "01JD2QX5Y8V6M3T9K7R4W1ZP0N");
    assert.match(stranger.stdout, /^There is no request 01JD2QX5Y8V6M3T9K7R4W1ZP0N in this draw\.$/m);
    assert.equal(stranger.status, 1);
  });

  test("what it can't read or understand is told on stderr", async (t) => {
    const folder = await temporaryFolder(t);
    for (const args of [[join(folder, "missing.json")], [folder], ["--unknown"], ["--request"]]) {
      const { status, stdout, stderr } = run(scriptFile, ...args);
      assert.deepEqual([status, stdout], [2, ""]);
      assert.match(stderr, /^.{10,}\n$/);
    }
  });
});
