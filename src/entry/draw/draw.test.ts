/** The draw against figures from elsewhere, and what holds for any entrants and any seed. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commitmentOf, drawOrder, entrantHash, entrantsSha256, newSeed } from "./draw.ts";

/** Computed with Python's hashlib and hmac, and again with `openssl dgst`. */
const KNOWN = {
  eventId: "한강-10k",
  seed: "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
  commitment: "da1fa65a3318bf03b0946ffa9b681980356aa29efbade583f2de9fb8e2eedd2a",
  requests: {
    "01JD2QX5Y8V6M3T9K7R4W1ZP0N": 1,
    "01JD2QX5Y9A1B2C3D4E5F6G7H8": 2,
    "01JD2QX5YAZZZZZZZZZZZZZZZZ": 4,
    "01JD2QX5YB0000000000000000": 5,
    "01JD2QX5YC7777777777777777": 9,
    "01JD2QX5YDKMNPQRSTVWXYZ012": 12,
  },
  firstHash: "3f53ad940c196fa8071973edec6b86602c32e5b16fa5836a300817f573380199",
  entrantsSha256: "83b8279eb5650e32dbd1d79a50503695dba3af9be118a831ed043bef49161b26",
  order: [12, 2, 4, 9, 1, 5],
  beaconValue: "round 4711: 8badf00d",
  orderWithBeacon: [5, 1, 9, 2, 12, 4],
};

const knownEntrants = Object.entries(KNOWN.requests).map(([requestId, ticket]) => ({
  ticket,
  hash: entrantHash(KNOWN.eventId, requestId),
}));
const ticketsOf = (drawn: { ticket: number }[]) => drawn.map(({ ticket }) => ticket);

test("it comes to what Python and OpenSSL come to", () => {
  assert.equal(commitmentOf(KNOWN.eventId, KNOWN.seed), KNOWN.commitment);
  assert.equal(knownEntrants[0]?.hash, KNOWN.firstHash);
  assert.equal(entrantsSha256(knownEntrants), KNOWN.entrantsSha256);
  assert.deepEqual(ticketsOf(drawOrder(knownEntrants, KNOWN.seed, null)), KNOWN.order);
  assert.deepEqual(ticketsOf(drawOrder(knownEntrants, KNOWN.seed, KNOWN.beaconValue)), KNOWN.orderWithBeacon);
});

test("a new seed has 64 hex digits, and is another each time", () => {
  const seeds = Array.from({ length: 50 }, newSeed);
  for (const seed of seeds) assert.match(seed, /^[0-9a-f]{64}$/);
  assert.equal(new Set(seeds).size, 50);
});

const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex"));
const beacons = fc.option(fc.string({ minLength: 1 }), { nil: null });
const entrants = fc
  .uniqueArray(fc.integer({ min: 1, max: 1e9 }), { maxLength: 60 })
  .map((tickets) => tickets.map((ticket) => ({ ticket, hash: entrantHash("e", `R${ticket}`) })));

test("everybody has exactly one rank", () => {
  fc.assert(
    fc.property(entrants, seeds, beacons, (all, seed, beacon) => {
      const drawn = ticketsOf(drawOrder(all, seed, beacon));
      assert.deepEqual(drawn.toSorted(), ticketsOf(all).toSorted());
    }),
  );
});

test("the order does not depend on the order in which entrants come, and what they carry comes along", () => {
  const shuffled = entrants.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, seeds, beacons, ([all, mixed], seed, beacon) => {
      const carrying = mixed.map((entrant) => ({ ...entrant, requestId: `R${entrant.ticket}` }));
      const drawn = drawOrder(carrying, seed, beacon);
      assert.deepEqual(ticketsOf(drawn), ticketsOf(drawOrder(all, seed, beacon)));
      for (const { ticket, requestId } of drawn) assert.equal(requestId, `R${ticket}`);
    }),
  );
});

test("whoever is left out moves nobody else", () => {
  fc.assert(
    fc.property(entrants, seeds, fc.nat(), (all, seed, pick) => {
      const gone = all[pick % Math.max(all.length, 1)];
      const rest = all.filter((entrant) => entrant !== gone);
      const expected = drawOrder(all, seed, null).filter((entrant) => entrant !== gone);
      assert.deepEqual(drawOrder(rest, seed, null), expected);
    }),
  );
});

test("each rank falls to everybody alike", () => {
  const four = [1, 2, 3, 4].map((ticket) => ({ ticket, hash: entrantHash("e", `R${ticket}`) }));
  const wins = [0, 0, 0, 0];
  const draws = 4000;
  for (let n = 0; n < draws; n += 1) {
    const first = drawOrder(four, commitmentOf("seed", String(n)), null)[0];
    wins[(first?.ticket ?? 0) - 1] = (wins[(first?.ticket ?? 0) - 1] ?? 0) + 1;
  }
  // Six standard deviations; the seeds are fixed, so that it can't fail by chance.
  const spread = 6 * Math.sqrt(draws * 0.25 * 0.75);
  for (const count of wins) assert.ok(Math.abs(count - draws / 4) < spread, wins.join(" "));
});
