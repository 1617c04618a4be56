/** The checks of the draw catch what they are there for: copies of its two halves, each with one bug, do not agree any more. */

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { proofText } from "./proof.ts";
import { type SampleDraw, sampleDraw, textOf } from "./sample-draw.ts";

type Verifier = typeof import("./verify-draw.mjs");
type Draw = typeof import("./draw.ts");
type Bug = { what: string; from: string; to: string };
type Scope = Parameters<typeof temporaryFolder>[0];

const beacon = { source: "drand quicknet, round 4711", value: "8badf00d" };

/** Loads a copy of a file that has no imports of its own, changed in one place. */
async function loadChanged<T>(scope: Scope, name: string, { from, to }: Omit<Bug, "what">): Promise<T> {
  const source = readFileSync(new URL(name, import.meta.url), "utf8");
  assert.equal(source.split(from).length, 2, `"${from}" must be in ${name} exactly once`);
  const copy = join(await temporaryFolder(scope), name);
  writeFileSync(
    copy,
    source.replace(from, () => to),
  );
  return import(pathToFileURL(copy).href);
}

/** Good proofs, and bad ones with what is wrong with them. */
async function collectProofs(): Promise<{ name: string; proof: string; isGood: boolean }[]> {
  const plain = await sampleDraw({ entrantCount: 9 });
  const mixed = await sampleDraw({ entrantCount: 9, beacon });
  const written = (draw: SampleDraw, facts: Partial<SampleDraw["facts"]>, change: Partial<SampleDraw> = {}) =>
    textOf(proofText({ ...draw.facts, ...facts }, change.entrants ?? draw.entrants, change.order ?? draw.order));
  const swapped = plain.order.with(0, plain.order[8] ?? 0).with(8, plain.order[0] ?? 0);
  const [, , third] = plain.entrants;
  const doubled = plain.entrants.map((entrant, index) =>
    index === 3 && third ? { ...third, ticket: entrant.ticket } : entrant,
  );
  const other = await sampleDraw({ entrantCount: 9, seed: "77".repeat(32) });
  const edited = (from: string, to: string) => plain.proof.replace(from, to);
  return [
    { name: "good", proof: plain.proof, isGood: true },
    { name: "good, with a beacon", proof: mixed.proof, isGood: true },
    { name: "ranks swapped", proof: await written(plain, {}, { order: swapped }), isGood: false },
    { name: "a rank too many", proof: await written(plain, {}, { order: [...plain.order, 99] }), isGood: false },
    { name: "a seed chosen later", proof: await written(other, { commitment: plain.facts.commitment }), isGood: false },
    { name: "another list", proof: await written(plain, { entrantsSha256: "ab".repeat(32) }), isGood: false },
    { name: "another count", proof: await written(plain, { entrantCount: 8 }), isGood: false },
    { name: "somebody twice", proof: await written(plain, {}, { entrants: doubled }), isGood: false },
    { name: "more places", proof: edited('"capacityTotal": 3', '"capacityTotal": 4'), isGood: false },
    { name: "a value without a source", proof: edited('"beaconValue": null', '"beaconValue": "mine"'), isGood: false },
  ];
}

/** The proofs that a verifier is wrong about. */
async function misjudged({ verifyDraw }: Verifier): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, proof, isGood } of await collectProofs()) {
    const { verdict } = await verifyDraw(proof);
    if ((verdict === "verified") !== isGood) wrong.push(name);
  }
  return wrong;
}

describe("a verifier with a bug is found out", async () => {
  const original = await import("./verify-draw.mjs");
  test("and one without is not", async () => assert.deepEqual(await misjudged(original), []));

  const bugs: (Bug & { misjudges: string[] })[] = [
    {
      what: "sorts the other way round",
      from: "(a.key < b.key ? -1 : 1)",
      to: "(a.key < b.key ? 1 : -1)",
      misjudges: ["good", "good, with a beacon"],
    },
    {
      what: "does not mix the beacon in",
      from: "beaconValue === null ? seed :",
      to: "true ? seed :",
      misjudges: ["good, with a beacon"],
    },
    {
      what: "does not check the hash of the list",
      from: 'must(proof, "entrantsSha256", ',
      to: "void (",
      misjudges: ["another list"],
    },
    {
      what: "does not check the commitment",
      from: 'must(proof, "commitment", ',
      to: "void (",
      misjudges: ["a seed chosen later"],
    },
    { what: "does not count", from: 'must(proof, "entrantCount", ', to: "void (", misjudges: ["another count"] },
    { what: "believes the facts", from: 'must(proof, "factsSha256", ', to: "void (", misjudges: ["more places"] },
    {
      what: "does not look at the order",
      from: "await checkOrder(proof, onProgress);",
      to: "",
      misjudges: ["ranks swapped", "a rank too many"],
    },
    {
      what: "stops at the last entrant",
      from: "if (order.length > drawn.length)",
      to: "if (false)",
      misjudges: ["a rank too many"],
    },
  ];
  for (const { misjudges, ...bug } of bugs) {
    test(bug.what, async (t) => {
      const verifier = await loadChanged<Verifier>(t, "verify-draw.mjs", bug);
      assert.deepEqual(await misjudged(verifier), misjudges);
    });
  }

  test("lets somebody in twice", async (t) => {
    const bug = { from: " && !hashes.has(entry[1])", to: "" };
    const { verifyDraw } = await loadChanged<Verifier>(t, "verify-draw.mjs", bug);
    const { proof, entrants } = await sampleDraw({ entrantCount: 9 });
    const twice = proof.replace(entrants[3]?.hash ?? "", entrants[2]?.hash ?? "");
    assert.match((await verifyDraw(twice)).sentence, /^entrantsSha256/);
    assert.match((await original.verifyDraw(twice)).sentence, /^entrants \(line 19\)/);
  });
});

describe("a draw with a bug is found out by the verifier", () => {
  const bugs: Bug[] = [
    { what: "sorts the other way round", from: "? -1 : 1", to: "? 1 : -1" },
    { what: "does not mix the beacon in", from: "beaconValue === null ? seed", to: "beaconValue !== null ? seed" },
    { what: "does not sort", from: "ranked.sort(", to: "ranked.at(" },
    {
      what: "commits the wrong way round",
      from: "(eventId: string, seed: string)",
      to: "(seed: string, eventId: string)",
    },
    { what: "takes no line breaks into the list", from: "entrantLine(entrant)", to: "entrantLine(entrant).trim()" },
    { what: "ranks by ticket", from: ".update(entrant.hash)", to: ".update(String(entrant.ticket))" },
  ];
  for (const bug of bugs) {
    test(bug.what, async (t) => {
      const { commitmentOf, drawOrder, entrantsSha256 } = await loadChanged<Draw>(t, "draw.ts", bug);
      const { verifyDraw } = await import("./verify-draw.mjs");
      const { facts, entrants } = await sampleDraw({ entrantCount: 9, beacon });
      const { eventId, seed } = facts;
      const commitment = commitmentOf(eventId, seed);
      const order = drawOrder(entrants, seed, beacon.value).map(({ ticket }) => ticket);
      const sums = { commitment, entrantsSha256: entrantsSha256(entrants) };
      const proof = await textOf(proofText({ ...facts, ...sums }, entrants, order));
      assert.equal((await verifyDraw(proof)).verdict, "differs");
    });
  }
});
