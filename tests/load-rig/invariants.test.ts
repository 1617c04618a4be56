/** The load rig's checks: silent on sound answers, and each corrupted answer is caught by the rule it breaks. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { countInversions, type Facts, findBreaches } from "../../bench/entry/invariants.ts";

const PEOPLE = 12;
const PLACES = 5;

/** Tickets 1 to 13; number 4 was voided, so that the places went to 1, 2, 3, 5 and 6. Everybody asked, and two again. */
function soundFacts(): Facts {
  const requests = Array.from({ length: PEOPLE }, (_, n) => {
    const wins = n < PLACES;
    return {
      requestId: `r${n}`,
      userId: `u${n}`,
      status: wins ? "SUCCEEDED" : "REJECTED",
      resultCode: wins ? "SUCCESS" : "REJECTED_CAPACITY",
      ticket: n < 3 ? n + 1 : n + 2,
      queuedAt: 1000 + Math.floor(n / 2),
      finishedAt: 2000 + n,
    };
  });
  const answers = requests.map(({ requestId, userId, ticket, queuedAt }) => ({
    requestId,
    userId,
    ticket,
    queuedAt,
    status: 202,
  }));
  return {
    places: PLACES,
    requests,
    answers: [...answers, ...answers.slice(0, 2)].map((answer) => ({ ...answer })),
    summary: {
      capacityTotal: PLACES,
      capacityRemaining: 0,
      tickets: PEOPLE + 1,
      voided: 1,
      byStatus: {
        RECEIVED: 0,
        QUEUED: 0,
        PROCESSING: 0,
        SUCCEEDED: PLACES,
        REJECTED: PEOPLE - PLACES,
        FAILED_FINAL: 0,
      },
    },
    runners: requests.slice(0, PLACES).map(({ userId }, n) => ({ bib: `A${String(n + 8).padStart(4, "0")}`, userId })),
    deadLetters: [],
  };
}

/** The facts after something in them went wrong. */
function corrupted(change: (facts: Facts) => void): Facts {
  const facts = soundFacts();
  change(facts);
  return facts;
}

function at<T>(list: T[], index: number): T {
  const found = list[index];
  assert.ok(found !== undefined);
  return found;
}

const PLACES_RULE = "exactly as many succeed as there are places or entrants";
const ORDER = "winners are the first tickets";
const ONE = "one request for each person, the same for every repeat";
const END = "every 202 ends";
const TICKETS = "tickets are unique and never change, and queuedAt never runs backwards";
const CAPACITY = "places taken are requests that succeeded";
const RUNNERS = "each winner becomes a runner once, in the order of tickets";

test("sound answers break nothing", () => {
  assert.deepEqual(findBreaches(soundFacts()), []);
  assert.equal(countInversions(soundFacts().requests), 0);
});

test("more places than entrants: all of them win", () => {
  const facts = corrupted(({ requests, summary, runners }) => {
    for (const [n, request] of requests.slice(PLACES).entries()) {
      Object.assign(request, { status: "SUCCEEDED", resultCode: "SUCCESS" });
      runners.push({ bib: String(100 + n), userId: request.userId });
    }
    Object.assign(summary, { capacityTotal: 20, capacityRemaining: 20 - PEOPLE, byStatus: { SUCCEEDED: PEOPLE } });
  });
  assert.deepEqual(findBreaches({ ...facts, places: 20 }), []);
});

test("a request in the dead-letter queue is no lost one", () => {
  const open = corrupted(({ requests, summary }) => {
    at(requests, 11).status = "QUEUED";
    Object.assign(summary.byStatus, { QUEUED: 1, REJECTED: PEOPLE - PLACES - 1 });
  });
  assert.deepEqual(brokenRules(open), [END]);
  assert.deepEqual(brokenRules({ ...open, deadLetters: ["r11"] }), []);
});

const brokenRules = (facts: Facts) => findBreaches(facts).map(({ rule }) => rule);

const corruptions: [what: string, rules: string[], change: (facts: Facts) => void][] = [
  [
    "a place too many is given",
    [PLACES_RULE, ORDER, RUNNERS],
    ({ requests, summary }) => {
      at(requests, 5).status = "SUCCEEDED";
      Object.assign(summary, { capacityRemaining: -1 });
      Object.assign(summary.byStatus, { SUCCEEDED: 6, REJECTED: 6 });
    },
  ],
  [
    "a place is never given",
    [PLACES_RULE, ORDER, RUNNERS],
    ({ requests, summary }) => {
      at(requests, 4).status = "REJECTED";
      summary.capacityRemaining = 1;
      Object.assign(summary.byStatus, { SUCCEEDED: 4, REJECTED: 8 });
    },
  ],
  [
    "a later ticket wins instead of an earlier one",
    [ORDER, RUNNERS],
    ({ requests }) => {
      Object.assign(at(requests, 4), { status: "REJECTED", resultCode: "REJECTED_CAPACITY" });
      Object.assign(at(requests, 6), { status: "SUCCEEDED", resultCode: "SUCCESS" });
    },
  ],
  [
    "a repeat gets another request",
    [ONE, TICKETS],
    ({ answers }) => Object.assign(at(answers, 12), { requestId: "r1" }),
  ],
  [
    "a person has two requests",
    [ONE, RUNNERS],
    ({ requests }) => {
      at(requests, 1).userId = "u0";
    },
  ],
  [
    "a person was told of somebody else's request",
    [ONE],
    ({ answers }) => {
      const [first, second] = [at(answers, 7), at(answers, 8)];
      [first.userId, second.userId] = [second.userId, first.userId];
    },
  ],
  [
    "an accepted request is gone",
    [ONE, END, TICKETS, CAPACITY],
    ({ requests }) => {
      requests.pop();
    },
  ],
  [
    "an accepted request is stuck",
    [END],
    ({ requests, summary }) => {
      at(requests, 9).status = "PROCESSING";
      Object.assign(summary.byStatus, { PROCESSING: 1, REJECTED: PEOPLE - PLACES - 1 });
    },
  ],
  ["somebody was refused", [END], ({ answers }) => Object.assign(at(answers, 3), { status: 409 })],
  ["somebody was never answered", [END], ({ answers }) => Object.assign(at(answers, 3), { status: 0 })],
  [
    "two requests have one ticket",
    [TICKETS],
    ({ requests, answers }) => {
      at(requests, 8).ticket = at(requests, 9).ticket;
      at(answers, 8).ticket = at(requests, 9).ticket;
    },
  ],
  ["a ticket changed after it was told", [TICKETS], ({ answers }) => Object.assign(at(answers, 8), { ticket: 40 })],
  ["queuedAt changed after it was told", [TICKETS], ({ answers }) => Object.assign(at(answers, 8), { queuedAt: 1 })],
  ["a request has no ticket", [ORDER, TICKETS], ({ requests }) => Object.assign(at(requests, 11), { ticket: null })],
  ["a voided ticket was not counted", [TICKETS], ({ summary }) => Object.assign(summary, { voided: 0 })],
  [
    "queuedAt runs backwards along tickets",
    [TICKETS],
    ({ requests, answers }) => {
      at(requests, 8).queuedAt = 1;
      at(answers, 8).queuedAt = 1;
    },
  ],
  ["the list is not in queue order", [TICKETS], ({ requests }) => requests.reverse()],
  ["a place is taken by nobody", [CAPACITY], ({ summary }) => Object.assign(summary, { capacityRemaining: -1 })],
  [
    "the capacity changed",
    [CAPACITY],
    ({ summary }) => Object.assign(summary, { capacityTotal: 6, capacityRemaining: 1 }),
  ],
  ["the summary miscounts", [CAPACITY], ({ summary }) => Object.assign(summary.byStatus, { QUEUED: 1 })],
  [
    "a winner is no runner",
    [RUNNERS],
    ({ runners }) => {
      runners.pop();
    },
  ],
  ["a winner is a runner twice", [RUNNERS], ({ runners }) => runners.push({ bib: "99", userId: "u0" })],
  ["a loser is a runner", [RUNNERS], ({ runners }) => Object.assign(at(runners, 0), { userId: "u9" })],
  [
    "bibs are not in the order of tickets",
    [RUNNERS],
    ({ runners }) => {
      const [first, second] = [at(runners, 0), at(runners, 1)];
      [first.userId, second.userId] = [second.userId, first.userId];
    },
  ],
];

describe("caught:", () => {
  for (const [what, rules, change] of corruptions) {
    test(what, () => {
      const breaches = findBreaches(corrupted(change));
      assert.deepEqual(
        breaches.map(({ rule }) => rule),
        rules,
        JSON.stringify(breaches, null, 2),
      );
      for (const { count, example } of breaches) assert.ok(count > 0 && example.length > 0);
    });
  }
});

test("inversions are counted: winners behind somebody who was turned away", () => {
  const { requests } = corrupted(({ requests: line }) => {
    Object.assign(at(line, 1), { status: "REJECTED", resultCode: "REJECTED_CAPACITY" });
    Object.assign(at(line, 8), { status: "SUCCEEDED", resultCode: "SUCCESS" });
  });
  assert.equal(countInversions(requests), 4);
});
