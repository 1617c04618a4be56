/** What pages see of a request and of a line: the right words for every moment, and nothing before it is due. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type EventType, RESULT_CODES, type RequestItem, type RequestStatus } from "./items.ts";
import type { LineState } from "./line-state.ts";
import {
  AdminRequest,
  EntryState,
  ListedRequest,
  RequestView,
  showAdmin,
  showEntry,
  showListed,
  showRequest,
} from "./view.ts";

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

type Wish = {
  eventType?: EventType;
  config?: Partial<LineState["config"]>;
  capacity?: Partial<LineState["capacity"]>;
  next?: number;
};

function stateOf({ eventType = "FIRST_COME", config = {}, capacity = {}, next = 1 }: Wish): LineState {
  const lottery = { lotteryCutoffAt: NOW + HOUR_MS, announcedAt: NOW + 2 * HOUR_MS };
  return {
    config: {
      eventType,
      capacityTotal: 10,
      opensAt: NOW - HOUR_MS,
      cancelUntil: NOW + HOUR_MS,
      endsAt: NOW + 24 * HOUR_MS,
      status: "Open",
      ...(eventType === "LOTTERY" && lottery),
      ...config,
    } as LineState["config"],
    capacity: {
      capacityTotal: 10,
      capacityRemaining: 10,
      head: 1,
      reserveFrom: 1,
      voided: 0,
      ...capacity,
    } as LineState["capacity"],
    tickets: { next } as LineState["tickets"],
  };
}

function requestOf(wish: Partial<RequestItem>): RequestItem {
  return {
    requestId: "01JD2QX5Y8V6M3T9K7R4W1ZP0N",
    eventId: "han-river-10k",
    userId: "ann",
    eventType: "FIRST_COME",
    status: "QUEUED",
    uiResult: "PENDING",
    requestedAt: NOW,
    idempotencyKey: "IDEMP#han-river-10k#ann",
    ...wish,
  } as RequestItem;
}

describe("a request", () => {
  test("in line shows how many stand before it, how many places are left and when to ask again", () => {
    const state = stateOf({ capacity: { head: 5, capacityRemaining: 6 }, next: 30 });
    const { line, askAgainInMs } = showRequest(requestOf({ ticket: 12 }), state, NOW);
    const rest = { placesLeft: 6, capacityTotal: 10, waiting: 25 };
    assert.deepEqual(line, { kind: "QUEUE", ahead: 7, ...rest });
    assert.equal(askAgainInMs, 1003);
    assert.equal(showRequest(requestOf({ ticket: 5 }), state, NOW).line?.ahead, 0);
    // The line was read a moment before the request.
    assert.equal(showRequest(requestOf({ ticket: 4, status: "PROCESSING" }), state, NOW).line?.ahead, 0);
    assert.deepEqual(showRequest(requestOf({ status: "RECEIVED" }), state, NOW).line, {
      kind: "QUEUE",
      ahead: null,
      ...rest,
    });
  });

  test("of a lottery shows the phase of the moment, and no place in line before the draw", () => {
    const state = stateOf({ eventType: "LOTTERY", capacity: { voided: 2 }, next: 30 });
    const collecting = { eventType: "LOTTERY", uiPhase: "COLLECTING", lotteryCutoffAt: NOW + HOUR_MS } as const;
    const request = requestOf({ ...collecting, ticket: 12 });
    const at = (now: number) => showRequest(request, state, now);
    assert.deepEqual([at(NOW).uiPhase, at(NOW + HOUR_MS - 1).uiPhase], ["COLLECTING", "COLLECTING"]);
    assert.deepEqual([at(NOW + HOUR_MS).uiPhase, at(NOW + 3 * HOUR_MS).uiPhase], ["DRAWING", "DRAWING"]);
    assert.deepEqual(at(NOW).line, { kind: "DRAW", ahead: null, placesLeft: 10, capacityTotal: 10, waiting: 27 });
    assert.equal(at(NOW).askAgainInMs, 60_000);
    assert.equal(at(NOW + 2 * HOUR_MS - 5000).askAgainInMs, 5000);
    assert.equal(at(NOW + 2 * HOUR_MS).askAgainInMs, 1000);
    assert.deepEqual(
      [showListed(request, NOW).uiPhase, showAdmin(request, NOW + HOUR_MS).uiPhase],
      ["COLLECTING", "DRAWING"],
    );
    const moved = stateOf({ eventType: "LOTTERY", config: { lotteryCutoffAt: NOW + 3 * HOUR_MS } });
    assert.equal(showRequest(request, moved, NOW + 2 * HOUR_MS).uiPhase, "COLLECTING");
    const announced = { ...request, uiPhase: "ANNOUNCED", status: "SUCCEEDED", rank: 3 } as RequestItem;
    assert.equal(showRequest(announced, state, NOW).uiPhase, "ANNOUNCED");
  });

  test("that was turned away shows its place in the reserve, by ticket or by rank", () => {
    const capacity = { head: 40, reserveFrom: 11, capacityRemaining: 0 };
    const first = requestOf({ status: "REJECTED", resultCode: "REJECTED_CAPACITY", ticket: 14 });
    const shown = showRequest(first, stateOf({ capacity, next: 40 }), NOW);
    assert.deepEqual(shown.line, { kind: "RESERVE", ahead: 3, placesLeft: 0, capacityTotal: 10, waiting: 0 });
    assert.equal(shown.askAgainInMs, null);
    const drawn = requestOf({
      eventType: "LOTTERY",
      uiPhase: "ANNOUNCED",
      status: "REJECTED",
      resultCode: "REJECTED_LOTTERY_LOSE",
      ticket: 2,
      rank: 20,
    });
    const state = stateOf({ eventType: "LOTTERY", config: { status: "Announced" }, capacity, next: 40 });
    assert.equal(showRequest(drawn, state, NOW).line?.ahead, 9);
  });

  test("with any other result has no line, and nothing to ask again for", () => {
    const ends: [RequestStatus, (typeof RESULT_CODES)[number]][] = [
      ["SUCCEEDED", "SUCCESS"],
      ["REJECTED", "CANCELLED"],
      ["FAILED_FINAL", "FAILED_VALIDATION"],
    ];
    for (const [status, resultCode] of ends) {
      const { line, askAgainInMs } = showRequest(requestOf({ status, resultCode, ticket: 3 }), stateOf({}), NOW);
      assert.deepEqual([line, askAgainInMs], [null, null]);
    }
  });

  test("of an event that is gone has no line", () => {
    const gone = requestOf({ status: "FAILED_FINAL", resultCode: "FAILED_VALIDATION", ticket: 3 });
    const { line, askAgainInMs, status } = showRequest(gone, undefined, NOW);
    assert.deepEqual([line, askAgainInMs, status], [null, null, "FAILED_FINAL"]);
  });

  test("is shown as the API says, whatever is known of it", () => {
    const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
    const requests = fc.record({
      status: fc.constantFrom<RequestStatus>(
        "RECEIVED",
        "QUEUED",
        "PROCESSING",
        "SUCCEEDED",
        "REJECTED",
        "FAILED_FINAL",
      ),
      eventType: fc.constantFrom<EventType>("FIRST_COME", "LOTTERY"),
      resultCode: maybe(fc.constantFrom(...RESULT_CODES)),
      uiPhase: maybe(fc.constantFrom("COLLECTING" as const, "ANNOUNCED" as const)),
      ticket: maybe(fc.integer({ min: 1, max: 200_000 })),
      rank: maybe(fc.integer({ min: 1, max: 200_000 })),
      place: maybe(fc.integer({ min: 1, max: 200_000 })),
      finishedAt: maybe(fc.constant(NOW)),
      errorMessage: maybe(fc.string({ maxLength: 256 })),
    });
    const positions = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(requests, positions, positions, positions, (wish, head, reserveFrom, next) => {
        const request = requestOf(wish as Partial<RequestItem>);
        const state = stateOf({ eventType: request.eventType, capacity: { head, reserveFrom }, next });
        const shown = showRequest(request, state, NOW);
        assert.deepEqual(RequestView.parse(shown), shown);
        assert.ok(shown.askAgainInMs === null || (shown.askAgainInMs >= 1000 && shown.askAgainInMs <= 60_000));
        assert.deepEqual(ListedRequest.parse(showListed(request, NOW)), showListed(request, NOW));
        assert.deepEqual(AdminRequest.parse(showAdmin(request, NOW)), showAdmin(request, NOW));
        assert.deepEqual(EntryState.parse(showEntry("e", state, NOW)), showEntry("e", state, NOW));
        assert.ok(!JSON.stringify(shown).includes("IDEMP#") && !("userId" in shown));
      }),
    );
  });
});

describe("an event's entry", () => {
  const phases: [string, Wish["config"], string][] = [
    ["before its time", { opensAt: NOW + 1 }, "NOT_OPEN"],
    ["from its time on", { opensAt: NOW }, "OPEN"],
    ["opened by hand", { opensAt: NOW + 1, openedAt: NOW - 5 }, "OPEN"],
    ["paused", { paused: true }, "PAUSED"],
    ["before it closes", { closesAt: NOW + 1 }, "OPEN"],
    ["when it closes", { closesAt: NOW }, "CLOSED"],
    ["when the race is over", { endsAt: NOW }, "CLOSED"],
    ["closed by hand", { status: "Closed", paused: true }, "CLOSED"],
  ];
  for (const [moment, config = {}, phase] of phases) {
    test(`is ${phase} ${moment}`, () => {
      assert.equal(showEntry("e", stateOf({ config }), NOW).phase, phase);
    });
  }

  test("of a lottery collects, draws and is announced", () => {
    const at = (inMs: number, config: Wish["config"] = {}) =>
      showEntry("e", stateOf({ eventType: "LOTTERY", config }), NOW + inMs).phase;
    assert.deepEqual([at(HOUR_MS - 1), at(HOUR_MS), at(2 * HOUR_MS)], ["OPEN", "DRAWING", "DRAWING"]);
    assert.equal(at(0, { status: "Closed" }), "CLOSED");
    assert.equal(at(2 * HOUR_MS, { status: "Announced" }), "ANNOUNCED");
  });

  test("shows its places, its tickets, who waits and its times", () => {
    const state = stateOf({ capacity: { capacityRemaining: 4, head: 8 }, next: 21, config: { closesAt: NOW + 9 } });
    assert.deepEqual(showEntry("han-river-10k", state, NOW), {
      eventId: "han-river-10k",
      eventType: "FIRST_COME",
      phase: "OPEN",
      capacityTotal: 10,
      placesLeft: 4,
      tickets: 20,
      waiting: 13,
      opensAt: NOW - HOUR_MS,
      closesAt: NOW + 9,
      lotteryCutoffAt: null,
      announcedAt: null,
      cancelUntil: NOW + HOUR_MS,
      serverTime: NOW,
    });
  });
});
