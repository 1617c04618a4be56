/** Items as the specification has them: keys, attributes, index keys and times to live, read as they are stored. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type OpenScene, onEachEngine, type Scene } from "../../tests/harness/entry.ts";
import { ANNOUNCED_MS, CUTOFF_MS, LOTTERY } from "../../tests/harness/entry-lottery.ts";
import { DAY_MS, queueWith } from "../../tests/harness/entry-parts.ts";
import type { Item } from "../platform/ports.ts";
import { cancelParticipation } from "./cancel.ts";
import { ACTIVE_EVENTS, logPut, padded, requestTtl } from "./items.ts";
import { tick } from "./schedule.ts";

const DAY_SECONDS = 86_400;
const seconds = (atMs: number) => Math.floor(atMs / 1000);

onEachEngine("an item", (open) => {
  describe("of a request", () => ofRequest(open));
  describe("beside a request", () => beside(open));
  describe("that expires", () => expiring(open));
});

function ofRequest(open: OpenScene): void {
  const indexKeys = ({ GSI1PK, GSI1SK, GSI2PK, GSI2SK }: Item) => [GSI1PK, GSI1SK, GSI2PK, GSI2SK];

  test("has these keys and attributes and no others, when it is RECEIVED", async () => {
    const scene = await open();
    let stored: Item | undefined;
    const send = async (bodies: string[]) => {
      const requestId = await scene.requestIdOf("ann");
      stored = await scene.item({ PK: `REQ#${requestId}`, SK: "META" });
      await scene.entry.requests.send(bodies);
    };
    const { request } = await scene.ask("ann", scene.open({ requests: queueWith(scene.entry.requests, send) }));
    const { requestId } = request;
    assert.match(requestId, /^[0-9A-HJKMNP-TV-Z]{26}$/);
    assert.deepEqual(stored, {
      PK: `REQ#${requestId}`,
      SK: "META",
      entityType: "REQUEST",
      requestId,
      eventId: scene.eventId,
      userId: "ann",
      eventType: "FIRST_COME",
      status: "RECEIVED",
      uiResult: "PENDING",
      requestedAt: scene.beganAt,
      idempotencyKey: `IDEMP#${scene.eventId}#ann`,
      ttl: seconds(scene.beganAt) + 90 * DAY_SECONDS,
    });
  });

  test("has its ticket and its index keys from QUEUED on, and its result with its place", async () => {
    const scene = await open();
    const [{ requestId }] = await scene.enter("ann");
    const key = { PK: `REQ#${requestId}`, SK: "META" };
    const { beganAt, eventId } = scene;
    const queued = (await scene.item(key)) as Item;
    const sort = `QAT#${beganAt}#REQ#${requestId}`;
    assert.deepEqual([queued.status, queued.ticket, queued.queuedAt], ["QUEUED", 1, beganAt]);
    assert.deepEqual(indexKeys(queued), ["USER#ann", sort, `EVENT#${eventId}`, sort]);
    scene.clock.move(40);
    await scene.settle();
    assert.deepEqual(await scene.item(key), {
      ...queued,
      status: "SUCCEEDED",
      uiResult: "SUCCESS",
      resultCode: "SUCCESS",
      place: 1,
      startedAt: beganAt + 40,
      finishedAt: beganAt + 40,
    });
  });

  test("of a lottery knows its times and its phase", async () => {
    const scene = await open(LOTTERY);
    const [{ requestId }] = await scene.enter("ann");
    const { eventType, lotteryCutoffAt, announcedAt, uiPhase } = await scene.request(requestId);
    const times = [scene.beganAt + CUTOFF_MS, scene.beganAt + ANNOUNCED_MS];
    assert.deepEqual([eventType, uiPhase, lotteryCutoffAt, announcedAt], ["LOTTERY", "COLLECTING", ...times]);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    assert.equal((await scene.request(requestId)).uiPhase, "ANNOUNCED");
  });

  test("keeps ticket, time and index keys whatever happens to it", async () => {
    const scene = await open({ capacityTotal: 1 });
    const [ann, bob] = await scene.enter("ann", "bob");
    const lasting = async () =>
      (await scene.requests()).map((request) => [request.ticket, request.queuedAt, ...indexKeys(request)]);
    const before = await lasting();
    scene.clock.move(1000);
    await scene.settle();
    assert.deepEqual(await lasting(), before);
    scene.clock.move(1000);
    await cancelParticipation(scene.entry, ann);
    assert.equal((await scene.request(bob.requestId)).status, "SUCCEEDED");
    assert.deepEqual(await lasting(), before);
  });
}

function beside(open: OpenScene): void {
  test("a lock names the person and the request", async () => {
    const scene = await open();
    const [{ requestId }] = await scene.enter("ann");
    const { eventId, beganAt } = scene;
    assert.deepEqual(await scene.item({ PK: `IDEMP#${eventId}#ann`, SK: "LOCK" }), {
      PK: `IDEMP#${eventId}#ann`,
      SK: "LOCK",
      entityType: "IDEMPOTENCY",
      requestId,
      createdAt: beganAt,
      ttl: seconds(beganAt + 31 * DAY_MS) + 7 * DAY_SECONDS,
    });
  });

  test("capacity and config have what the specification names", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 3 });
    await scene.enter("ann");
    const PK = `EVENT#${scene.eventId}`;
    const capacity = await scene.item({ PK, SK: "CAPACITY" });
    assert.deepEqual(
      [capacity?.entityType, capacity?.capacityTotal, capacity?.capacityRemaining, capacity?.updatedAt],
      ["CAPACITY", 3, 3, scene.beganAt],
    );
    const statuses: unknown[] = [];
    for (const inMs of [0, CUTOFF_MS, ANNOUNCED_MS]) {
      scene.clock.goTo(inMs);
      await tick(scene.entry);
      const config = await scene.item({ PK, SK: "CONFIG" });
      const { beganAt } = scene;
      assert.deepEqual(
        [config?.eventType, config?.capacityTotal, config?.opensAt, config?.lotteryCutoffAt, config?.announcedAt],
        ["LOTTERY", 3, beganAt - 3_600_000, beganAt + CUTOFF_MS, beganAt + ANNOUNCED_MS],
      );
      statuses.push(config?.status);
    }
    assert.deepEqual(statuses, ["Open", "Closed", "Announced"]);
  });

  test("a log item tells one step, and those of one millisecond stay in their order", async () => {
    const scene = await open();
    const [{ requestId }] = await scene.enter("ann");
    await scene.settle();
    const log = await scene.items(`REQ#${requestId}`, "LOG#");
    const step = (fromStatus: string, toStatus: string, message: string, index: number) => ({
      PK: `REQ#${requestId}`,
      SK: `LOG#${scene.beganAt}#${index}`,
      entityType: "STATUS_LOG",
      fromStatus,
      toStatus,
      occurredAt: scene.beganAt,
      message,
      ttl: seconds(scene.beganAt) + 30 * DAY_SECONDS,
    });
    assert.deepEqual(log, [
      step("RECEIVED", "QUEUED", "Stands in line with ticket 1.", 1),
      step("QUEUED", "PROCESSING", "Its turn has come.", 2),
      step("PROCESSING", "SUCCEEDED", "Ticket 1 got a place.", 3),
    ]);
  });

  test("only requests are in the indexes", async () => {
    const scene = await open({ ...LOTTERY, capacityTotal: 1 });
    const [ann] = await scene.enter("ann", "bob");
    await scene.loseTickets(1);
    scene.clock.goTo(ANNOUNCED_MS);
    await tick(scene.entry);
    const all = [
      ...(await scene.items(`EVENT#${scene.eventId}`)),
      ...(await scene.items(ACTIVE_EVENTS)),
      ...(await scene.items(`IDEMP#${scene.eventId}#ann`)),
      ...(await scene.items(`REQ#${ann.requestId}`)),
    ];
    const kinds = new Set(all.map(({ SK }) => SK.replace(/#.*/, "")));
    assert.deepEqual([...kinds].toSorted(), KINDS);
    const indexed = all.filter((item) => Object.keys(item).some((name) => name.startsWith("GSI")));
    assert.deepEqual(indexed, [await scene.request(ann.requestId)]);
  });
}

const KINDS = ["CAPACITY", "CONFIG", "DRAW", "EVENT", "LOCK", "LOG", "META", "RANK", "TICKET", "TICKETS"];

function expiring(open: OpenScene): void {
  const ttls = async (scene: Scene) => {
    const [{ requestId }] = await scene.enter("ann");
    const lock = await scene.item({ PK: `IDEMP#${scene.eventId}#ann`, SK: "LOCK" });
    const [log] = await scene.log(requestId);
    return { request: (await scene.request(requestId)).ttl, lock: lock?.ttl, log: log?.ttl };
  };

  test("goes 90 days after the click, 7 days after the event, 30 days after the step", async () => {
    const scene = await open({ endsInMs: 10 * DAY_MS });
    const now = seconds(scene.beganAt);
    const day = (count: number) => now + count * DAY_SECONDS;
    assert.deepEqual(await ttls(scene), { request: day(90), lock: day(17), log: day(30) });
  });

  test("of a request never goes before its lock, however far away the event is", async () => {
    const scene = await open({ endsInMs: 200 * DAY_MS });
    const now = seconds(scene.beganAt);
    const day = (count: number) => now + count * DAY_SECONDS;
    assert.deepEqual(await ttls(scene), { request: day(207), lock: day(207), log: day(30) });
  });

  test("does not go at all while the event is to come, if it is the event's own", async () => {
    const scene = await open({ endsInMs: 200 * DAY_MS });
    await scene.enter("ann");
    const items = await scene.items(`EVENT#${scene.eventId}`);
    const end = seconds(scene.beganAt + 200 * DAY_MS) + 90 * DAY_SECONDS;
    assert.ok(items.every(({ ttl }) => ttl === undefined || (ttl as number) >= end));
  });
}

describe("keys and times", () => {
  const positions = fc.integer({ min: 1, max: 9_999_999_999 });

  test("positions sort as numbers do", () => {
    fc.assert(
      fc.property(positions, positions, (a, b) => {
        assert.equal(padded(a) < padded(b), a < b);
        assert.equal(padded(a).length, 10);
      }),
    );
  });

  test("log items sort by time, then by step", () => {
    const times = fc.integer({ min: 1_700_000_000_000, max: 9_000_000_000_000 });
    const step = (toStatus: "QUEUED" | "PROCESSING", occurredAt: number) =>
      logPut("id", { fromStatus: "QUEUED", toStatus, occurredAt, message: "" }).put.SK;
    fc.assert(
      fc.property(times, times, (a, b) => {
        assert.equal(step("PROCESSING", a) < step("QUEUED", b), a < b);
        assert.ok(step("QUEUED", a) < step("PROCESSING", a));
      }),
    );
  });

  test("a request stays 90 days at least, and as long as its lock", () => {
    const times = fc.integer({ min: 0, max: 10_000 * DAY_MS });
    fc.assert(
      fc.property(times, times, (endsAt, requestedAt) => {
        const ttl = requestTtl({ endsAt }, requestedAt);
        assert.equal(ttl, Math.max(seconds(requestedAt) + 90 * DAY_SECONDS, seconds(endsAt) + 7 * DAY_SECONDS));
      }),
    );
  });
});
