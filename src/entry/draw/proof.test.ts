/** The proof and the list of entrants as files: what is in them, line by line, and that they come in pieces. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { entrantsText, Proof, proofText } from "./proof.ts";
import { sampleDraw, textOf } from "./sample-draw.ts";

test("a proof is JSON that says everything, in the order of tickets and of ranks", async () => {
  const beacon = { source: "drand, round 4711", value: "8badf00d" };
  const { facts, entrants, order, proof } = await sampleDraw({ entrantCount: 7, beacon });
  const { factsSha256, ...parsed } = Proof.parse(JSON.parse(proof));
  const { beacon: _beacon, ...told } = facts;
  assert.deepEqual(parsed, {
    version: 1,
    ...told,
    beaconSource: "drand, round 4711",
    beaconValue: "8badf00d",
    entrants: entrants.map(({ ticket, hash }) => [ticket, hash]),
    order: order.map((ticket, index) => [index + 1, ticket]),
  });
  assert.match(factsSha256, /^[0-9a-f]{64}$/);
});

test("each fact, each entrant and each rank has a line of its own", async () => {
  const { entrants, order, proof } = await sampleDraw({ entrantCount: 3 });
  const lines = proof.split("\n");
  assert.equal(lines.length, 1 + 13 + 1 + 3 + 1 + 1 + 3 + 1 + 1 + 1);
  assert.equal(lines[2], '"eventId": "han-river-10k",');
  assert.equal(lines[15], `[1,"${entrants[0]?.hash}"],`);
  assert.equal(lines[17], `[4,"${entrants[2]?.hash}"]`);
  assert.equal(lines[20], `[1,${order[0]}],`);
  assert.deepEqual(lines.slice(-4), [`[3,${order[2]}]`, "]", "}", ""]);
});

test("a draw without entrants has a proof, too", async () => {
  const { proof } = await sampleDraw({ entrantCount: 0 });
  assert.deepEqual(Proof.parse(JSON.parse(proof)).order, []);
});

test("a beacon's value without a source, or a source without a value, is no proof", async () => {
  const { proof } = await sampleDraw({ entrantCount: 2 });
  const given = JSON.parse(proof);
  assert.equal(Proof.safeParse({ ...given, beaconValue: "chosen to suit" }).success, false);
  assert.equal(Proof.safeParse({ ...given, beaconSource: "drand" }).success, false);
});

test("large lists come in pieces, as they are read", async () => {
  const { facts, entrants, order } = await sampleDraw({ entrantCount: 2500 });
  let read = 0;
  async function* reading() {
    for (const entrant of entrants) {
      read += 1;
      yield entrant;
    }
  }
  const pieces = proofText(facts, reading(), order);
  const first = [await pieces.next(), await pieces.next(), await pieces.next()].map(({ value }) => value).join("");
  assert.match(first, /"entrants": \[\n\[1,/);
  assert.equal(read, 1000);
  const rest = await textOf(pieces);
  assert.equal(Proof.parse(JSON.parse(first + rest)).order.length, 2500);
});

test("the list of entrants says how to check it, and that works", async (t) => {
  const folder = await temporaryFolder(t);
  const { facts, entrants } = await sampleDraw({ entrantCount: 1200 });
  const text = await textOf(entrantsText(facts, entrants));
  await writeFile(join(folder, "entrants-han-river-10k.txt"), text);
  const run = (command: string | undefined) =>
    execFileSync("sh", ["-c", command ?? "exit 9"], { cwd: folder })
      .toString()
      .slice(0, 64);
  assert.match(text, /^# The entrants of han-river-10k, frozen at 2027-02-01T09:00:00\.000Z: ticket and hash\.$/m);
  assert.match(text, /^# entrantCount: 1200$/m);
  assert.equal(run(/^# Check it: (.+)$/m.exec(text)?.[1]), facts.entrantsSha256);
  const mine = entrants[700];
  const command = /^# Find yourself: (.+)$/m.exec(text)?.[1]?.replace("YOUR_REQUEST_ID", mine?.requestId ?? "");
  assert.equal(run(command), mine?.hash);
  assert.match(text, new RegExp(`^${mine?.ticket} ${mine?.hash}$`, "m"));
});
