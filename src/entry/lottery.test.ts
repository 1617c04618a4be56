/** A lottery from its cutoff to its announcement: frozen, listed, drawn, announced when due, and checked by anybody. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkPlaces, type OpenScene, onEachEngine } from "../../tests/harness/entry.ts";
import {
  ANNOUNCED_MS,
  CUTOFF_MS,
  checkSecret,
  drawOf,
  expectedOrder,
  fileText,
  LOTTERY,
  sha256,
  storedOrder,
} from "../../tests/harness/entry-lottery.ts";
import { HOUR_MS } from "../../tests/harness/entry-parts.ts";
import { refusedWith } from "../platform/contracts/refused.ts";
import { cancelParticipation } from "./cancel.ts";
import { findConfig, findTickets } from "./config.ts";
import { drawNow, openEntry } from "./control.ts";
import { verifyDraw } from "./draw/verify-draw.mjs";
import { entrantsFile, proofFile } from "./lottery.ts";
import { tick } from "./schedule.ts";

onEachEngine("a lottery", (open) => {
  describe("before its cutoff", () => before(open));
  describe("at its cutoff", () => atCutoff(open));
  describe("at its announcement", () => announced(open));
});

function before(open: OpenScene): void {
  test("the promise of a secret seed is there before anybody enters", async () => {
    const scene = await open(LOTTERY);
    await scene.change({});
    const { seed, commitment, committedAt, frozenAt } = await drawOf(scene);
    assert.match(seed, /^[0-9a-f]{64}$/);
    assert.deepEqual(
      [commitment, committedAt, frozenAt],
      [sha256(`${scene.eventId}\n${seed}`), scene.beganAt, undefined],
    );
  });

  test("nothing is frozen a millisecond early, and nobody is settled", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann", "bob");
    scene.clock.goTo(CUTOFF_MS - 1);
    await tick(scene.entry);
    await scene.settle();
    assert.equal((await drawOf(scene)).frozenAt, undefined);
    assert.equal(await fileText(scene, entrantsFile(scene.eventId)), undefined);
    await checkSecret(scene);
    await refusedWith("draw.too-early", drawNow(scene.entry, scene.eventId));
    assert.equal((await scene.enter("cho"))[0].ticket, 3);
  });
}

function atCutoff(open: OpenScene): void {
  test("the list is frozen and published with its hash, without tickets that nobody claimed", async () => {
    const scene = await open(LOTTERY);
    const [ann] = await scene.enter("ann");
    await scene.loseTickets(2);
    const [bob] = await scene.enter("bob");
    await scene.loseTickets(1);
    scene.clock.goTo(CUTOFF_MS);
    await tick(scene.entry);
    const lines = [
      `1 ${sha256(`${scene.eventId}\n${ann.requestId}`)}\n`,
      `4 ${sha256(`${scene.eventId}\n${bob.requestId}`)}\n`,
    ].join("");
    const draw = await drawOf(scene);
    assert.deepEqual([draw.entrants, draw.entrantsSha256], [2, sha256(lines)]);
    assert.ok(draw.frozenAt !== undefined && draw.frozenAt >= scene.beganAt + CUTOFF_MS);
    const text = (await fileText(scene, entrantsFile(scene.eventId))) ?? "";
    assert.equal(text.replaceAll(/^#.*\n/gm, ""), lines);
    const blocks = await scene.blocks();
    assert.deepEqual(
      blocks.map(([first, , who]) => [first, who === true]),
      [
        [1, false],
        [2, true],
        [3, true],
        [4, false],
        [5, true],
      ],
    );
    assert.equal((await scene.capacity()).voided, 3);
  });

  test("the order is drawn from the promised seed and kept, and nobody can see it yet", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 3 });
    await scene.crowd(60);
    scene.clock.goTo(CUTOFF_MS);
    await tick(scene.entry);
    const { seed, drawnAt, capacityTotal } = await drawOf(scene);
    assert.deepEqual(await storedOrder(scene), await expectedOrder(scene, seed));
    assert.deepEqual(
      (await scene.blocks("RANK")).map(([first, count]) => [first, count]),
      [
        [1, 49],
        [50, 11],
      ],
    );
    assert.ok(drawnAt !== undefined && drawnAt >= scene.beganAt + CUTOFF_MS);
    assert.equal(capacityTotal, 3);
    scene.clock.goTo(ANNOUNCED_MS - 1);
    await tick(scene.entry);
    await scene.settle();
    await checkSecret(scene);
    assert.equal((await findConfig(scene.entry, scene.eventId))?.status, "Closed");
  });

  test("entries are over for good: nobody can open them again, whatever the organizer does", async () => {
    const scene = await open(LOTTERY);
    await scene.enter("ann");
    scene.clock.goTo(CUTOFF_MS);
    await refusedWith("entry.frozen", openEntry(scene.entry, scene.eventId));
    await tick(scene.entry);
    await scene.change({ cutoffInMs: 5 * HOUR_MS, announcedInMs: 6 * HOUR_MS });
    await refusedWith("entry.frozen", openEntry(scene.entry, scene.eventId));
    await refusedWith("participation.closed", scene.ask("bob"));
    const tickets = await findTickets(scene.entry, scene.eventId);
    assert.deepEqual([tickets?.closed, tickets?.frozen, tickets?.next], [true, true, 2]);
  });

  test("without entrants there is a draw of nobody", async () => {
    const scene = await open(LOTTERY);
    await scene.change({});
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    const draw = await drawOf(scene);
    assert.deepEqual([draw.entrants, draw.entrantsSha256, draw.isProven], [0, sha256(""), true]);
    assert.equal((await verifyDraw(await fileText(scene, proofFile(scene.eventId)))).verdict, "verified");
    assert.equal((await findConfig(scene.entry, scene.eventId))?.status, "Announced");
    assert.equal((await scene.capacity()).capacityRemaining, 2);
  });
}

function announced(open: OpenScene): void {
  test("results come when they are due: the first ranks win, the rest is the reserve", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 2 });
    await scene.enter("ann", "bob", "cho", "dan");
    scene.clock.goTo(CUTOFF_MS);
    await tick(scene.entry);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    const order = await storedOrder(scene);
    const results = await Promise.all(order.map((requestId) => scene.request(requestId)));
    assert.deepEqual(
      results.map(({ rank, status, resultCode, uiPhase, place }) => [rank, status, resultCode, uiPhase, place]),
      [
        [1, "SUCCEEDED", "SUCCESS", "ANNOUNCED", 1],
        [2, "SUCCEEDED", "SUCCESS", "ANNOUNCED", 2],
        [3, "REJECTED", "REJECTED_LOTTERY_LOSE", "ANNOUNCED", undefined],
        [4, "REJECTED", "REJECTED_LOTTERY_LOSE", "ANNOUNCED", undefined],
      ],
    );
    const [winner, , third] = results;
    assert.ok(winner && third);
    assert.equal((await scene.log(winner.requestId)).at(-1)?.message, "Drawn at rank 1: got a place.");
    assert.equal((await scene.log(third.requestId)).at(-1)?.message, "Drawn at rank 3: in reserve.");
    await checkPlaces(scene);
    const [told] = await scene.told();
    assert.ok(told?.type === "places.given");
    assert.deepEqual(
      told.places.map(({ requestId }) => requestId),
      order.slice(0, 2),
    );
  });

  test("the proof is right, and tells everybody their rank", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 2 });
    await scene.enter("ann", "bob");
    await scene.loseTickets(1);
    await scene.enter("cho");
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    const report = await verifyDraw(await fileText(scene, proofFile(scene.eventId)));
    assert.ok(report.verdict === "verified", report.sentence);
    const { commitment, seed, entrantsSha256, frozenAt } = await drawOf(scene);
    const { facts } = report;
    assert.deepEqual(
      [facts.commitment, facts.seed, facts.entrantsSha256, facts.frozenAt, facts.capacityTotal, facts.beaconValue],
      [commitment, seed, entrantsSha256, frozenAt, 2, null],
    );
    for (const { requestId, ticket, rank, status } of await scene.requests()) {
      assert.deepEqual(await report.rankOf(requestId), { ticket, rank, won: status === "SUCCEEDED" });
    }
  });

  test("fewer entrants than places all get one, and places stay over", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 5 });
    await scene.enter("ann", "bob");
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    await checkPlaces(scene);
    assert.equal((await scene.capacity()).capacityRemaining, 3);
  });

  test("a place given back goes to the next rank, not to the next ticket; and so does one that is added", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 2 });
    await scene.crowd(8);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    const order = await storedOrder(scene);
    const [first, , third = "", fourth = ""] = order;
    const winner = await scene.request(first as string);
    await cancelParticipation(scene.entry, winner);
    await checkPlaces(scene);
    const next = await scene.request(third);
    assert.deepEqual([next.status, next.rank, next.place], ["SUCCEEDED", 3, 3]);
    const why = `Ticket ${winner.ticket} gave its place back. Rank 3 was next in line.`;
    assert.equal((await scene.log(third)).at(-1)?.message, why);
    await scene.change({ capacityTotal: 3 });
    await checkPlaces(scene);
    const added = "The capacity was raised to 3. Rank 4 was next in line.";
    assert.equal((await scene.log(fourth)).at(-1)?.message, added);
  });
}
