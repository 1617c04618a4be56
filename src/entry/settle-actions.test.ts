/** What a settling writes, whoever stands in line and however many places are left. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { checkActions } from "../platform/items.ts";
import type { Action, Table, Update } from "../platform/ports.ts";
import type { EntryMessage } from "./events.ts";
import type { CapacityItem, ConfigItem, RequestItem, RequestStatus } from "./items.ts";
import { capacityKey, requestKey } from "./items.ts";
import type { Line, Standing } from "./line.ts";
import { after, settleActions, startActions } from "./settle-actions.ts";
import { MOST_AT_ONCE } from "./tickets.ts";

const EVENT_ID = "han-river-10k";
const NOW = 1_800_000_000_000;
const table = {} as Table;
const config = { endsAt: NOW } as ConfigItem;

type Case = { capacity: CapacityItem; standing: Standing[]; end: number; line: Line };

/** Some positions of a line from its head on: most wait, some are void, some ended or expired while they stood there. */
const cases: fc.Arbitrary<Case> = fc
  .record({
    kind: fc.constantFrom("TICKET" as const, "RANK" as const),
    head: fc.integer({ min: 1, max: 5000 }),
    statuses: fc.array(
      fc.oneof(
        { weight: 8, arbitrary: fc.constantFrom<RequestStatus | "VOID" | "EXPIRED">("PROCESSING", "QUEUED") },
        { weight: 1, arbitrary: fc.constantFrom("VOID" as const, "EXPIRED" as const, "FAILED_FINAL" as const) },
      ),
      { minLength: 1, maxLength: MOST_AT_ONCE },
    ),
    capacityRemaining: fc.integer({ min: 0, max: 60 }),
    taken: fc.integer({ min: 0, max: 60 }),
    cancelled: fc.integer({ min: 0, max: 10 }),
    nobodyWaits: fc.boolean(),
  })
  .map(({ kind, head, statuses, capacityRemaining, taken, cancelled, nobodyWaits }) => ({
    line: { table, eventId: EVENT_ID, kind },
    end: head + statuses.length,
    capacity: capacityOf({ head, capacityRemaining, taken, cancelled, reserveFrom: nobodyWaits ? head : 1 }),
    standing: statuses.flatMap((status, index) =>
      status === "VOID"
        ? []
        : [{ position: head + index, request: status === "EXPIRED" ? undefined : requestAt(head + index, status) }],
    ),
  }));

function capacityOf(given: {
  head: number;
  capacityRemaining: number;
  taken: number;
  cancelled: number;
  reserveFrom: number;
}): CapacityItem {
  const { taken, cancelled, ...rest } = given;
  return {
    ...capacityKey(EVENT_ID),
    entityType: "CAPACITY",
    ...rest,
    capacityTotal: taken + rest.capacityRemaining,
    updatedAt: NOW - 1,
    version: 7,
    startedTo: rest.head,
    placesGiven: taken + cancelled,
    freed: [],
    rejected: 3,
    cancelled,
    failed: 1,
    voided: 2,
  };
}

function requestAt(position: number, status: RequestStatus): RequestItem {
  const requestId = `request-${position}`;
  const queuedAt = NOW - 1000 + (position % 3000);
  const known = { requestId, userId: `user-${position}`, status, queuedAt, requestedAt: queuedAt - 5 };
  const started = status === "PROCESSING" ? { startedAt: queuedAt + 3 } : {};
  return { ...requestKey(requestId), ...known, ...started } as unknown as RequestItem;
}

/** Started, then settled: what the line, each request and the registry were told. */
function play({ capacity, standing, end, line }: Case) {
  const started = startActions({ eventId: EVENT_ID, capacity, standing, end, now: NOW });
  const actions = settleActions({ ...started, line, config, end, voided: 0, now: NOW });
  const updates = actions.filter((action) => "update" in action);
  const changeOf = (requestId: string) => updates.find(({ update }) => update.PK === requestKey(requestId).PK);
  return { started, actions, lineChange: updates[0] as Update, changeOf, told: toldIn(actions) };
}

function toldIn(actions: Action[]): EntryMessage[] {
  return actions
    .flatMap((action) => ("put" in action && action.put.message !== undefined ? [action.put] : []))
    .flatMap(({ SK, message }) => (SK.startsWith("OUTGOING#") ? [message as unknown as EntryMessage] : []));
}

const waitingIn = (standing: Standing[]) =>
  standing.filter(({ request }) => request?.status === "QUEUED" || request?.status === "PROCESSING");

describe("settling", () => {
  test("gives what is left to the first who wait, and turns all others away", () => {
    fc.assert(
      fc.property(cases, (each) => {
        const { changeOf } = play(each);
        const waiting = waitingIn(each.standing);
        const results = waiting.map(({ request }) => changeOf(request?.requestId as string)?.set?.status);
        const winners = Math.min(waiting.length, each.capacity.capacityRemaining);
        assert.deepEqual(
          results,
          waiting.map((_, index) => (index < winners ? "SUCCEEDED" : "REJECTED")),
        );
        const others = each.standing.filter(({ request }) => request?.status === "FAILED_FINAL");
        for (const { request } of others) assert.equal(changeOf(request?.requestId as string), undefined);
      }),
    );
  });

  test("numbers places on, and tells the registry of just these", () => {
    fc.assert(
      fc.property(cases, (each) => {
        const { changeOf, told } = play(each);
        const { placesGiven, capacityRemaining } = each.capacity;
        const winners = waitingIn(each.standing).slice(0, capacityRemaining);
        const places = winners.map(({ request }, index) => ({
          place: placesGiven + index + 1,
          requestId: request?.requestId,
          userId: request?.userId,
        }));
        assert.deepEqual(told, places.length > 0 ? [{ type: "places.given", eventId: EVENT_ID, places }] : []);
        for (const { requestId, place } of places) assert.equal(changeOf(requestId as string)?.set?.place, place);
      }),
    );
  });

  test("moves the line past everybody, and its numbers add up", () => {
    fc.assert(
      fc.property(cases, (each) => {
        const { lineChange } = play(each);
        const before = each.capacity;
        const set = lineChange.set as unknown as CapacityItem;
        const waiting = waitingIn(each.standing);
        const winners = Math.min(waiting.length, before.capacityRemaining);
        assert.equal(set.head, each.end);
        assert.equal(set.capacityRemaining, before.capacityRemaining - winners);
        assert.equal(set.placesGiven - before.placesGiven, winners);
        assert.equal(set.rejected - before.rejected, waiting.length - winners);
        assert.equal(set.failed - before.failed, each.standing.length - waiting.length);
        const firstLoser = waiting[winners]?.position ?? each.end;
        assert.equal(set.reserveFrom, before.reserveFrom < before.head ? before.reserveFrom : firstLoser);
      }),
    );
  });

  test("depends on the line and every request being as they were read, and fits into one transaction", () => {
    fc.assert(
      fc.property(cases, (each) => {
        const { started, actions, lineChange } = play(each);
        checkActions(started.actions);
        checkActions(actions);
        const condition = (attribute: string, value: string | number) => ({ op: "=", attribute, value });
        assert.deepEqual((started.actions[0] as Update).if, condition("version", 7));
        assert.deepEqual(lineChange.if, condition("version", 8));
        assert.equal(lineChange.set?.version, 9);
        const updates = (of: Action[]) => of.slice(1).filter((action) => "update" in action);
        for (const update of updates(started.actions)) assert.deepEqual(update.if, condition("status", "QUEUED"));
        for (const update of updates(actions)) assert.deepEqual(update.if, condition("status", "PROCESSING"));
      }),
    );
  });

  test("leaves a log item for every step, at the step's own time and never before the last one's", () => {
    fc.assert(
      fc.property(cases, (each) => {
        const { started, actions } = play(each);
        for (const [of, timeName] of [
          [started.actions, "startedAt"],
          [actions, "finishedAt"],
        ] as const) {
          for (const action of of.slice(1)) {
            if (!("update" in action)) continue;
            const { PK } = action.update;
            const logs = of.flatMap((other) => ("put" in other && other.put.PK === PK ? [other.put] : []));
            assert.equal(logs.length, 1);
            assert.equal(logs[0]?.toStatus, action.set?.status);
            assert.equal(logs[0]?.occurredAt, action.set?.[timeName]);
            const request = each.standing.find((one) => one.request?.PK === PK)?.request;
            assert.ok((logs[0]?.occurredAt as number) >= Math.max(NOW, request?.startedAt ?? request?.queuedAt ?? 0));
          }
        }
      }),
    );
  });

  test("says of a lottery's ranks what it says of tickets in their own words", () => {
    const capacity = capacityOf({ head: 1, capacityRemaining: 1, taken: 0, cancelled: 0, reserveFrom: 1 });
    const standing = [1, 2].map((position) => ({ position, request: requestAt(position, "QUEUED") }));
    const { changeOf, actions } = play({
      capacity,
      standing,
      end: 3,
      line: { table, eventId: EVENT_ID, kind: "RANK" },
    });
    const seen = [1, 2].map((position) => {
      const set = changeOf(`request-${position}`)?.set;
      return [set?.resultCode, set?.uiPhase, set?.rank];
    });
    assert.deepEqual(seen, [
      ["SUCCESS", "ANNOUNCED", 1],
      ["REJECTED_LOTTERY_LOSE", "ANNOUNCED", 2],
    ]);
    const messages = actions.flatMap((action) => ("put" in action && action.put.toStatus ? [action.put.message] : []));
    assert.deepEqual(messages, ["Drawn at rank 1: got a place.", "Drawn at rank 2: in reserve."]);
  });
});

test("what comes after a result is later than it, whatever the clock says", () => {
  const times = fc.record({ startedAt: fc.nat(), finishedAt: fc.nat() });
  fc.assert(
    fc.property(times, fc.nat(), ({ startedAt, finishedAt }, now) => {
      const request = requestAt(1, "SUCCEEDED");
      assert.ok(after({ ...request, startedAt, finishedAt }, now) > finishedAt);
      assert.ok(after({ ...request, startedAt, finishedAt }, now) >= now);
      assert.ok(after({ ...request, startedAt }, now) >= startedAt);
    }),
  );
});
