/** What organizers see of their event's requests: lists, files, counts, single requests and their logs. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parse } from "csv-parse/sync";
import { type EntryEvent, FIRST_COME, LOTTERY, makeEntryEvent, untilSettled } from "../../tests/harness/entry-event.ts";
import { openDatabases, type TestProgram } from "../../tests/harness/program.ts";
import { readPages } from "../../tests/harness/registry.ts";

type Request = { requestId: string; userId: string; status: string; ticket: number };

describe("an organizer's view of entry", () => {
  let program: TestProgram;
  let close = async () => {};
  before(async () => {
    const databases = await openDatabases("PGlite");
    close = databases.close;
    program = await databases.open({ SNAPRACE_RATE_LIMIT: "100000" });
  });
  after(() => close());

  describe("of a first-come event with three places, after five entries and one cancellation", () => {
    let event: EntryEvent;
    let requestIds: string[];
    before(async () => {
      event = await makeEntryEvent(program, FIRST_COME);
      requestIds = await event.enter("ann", "bob", "cho", "dan", "eve");
      await untilSettled(event);
      await program.as({ userId: "bob" })("POST", `/requests/${requestIds[1]}/cancellation`);
      await untilSettled(event);
    });

    const listed = async (query: string) => {
      const { status, body } = await event.get(`/requests${query}`);
      assert.equal(status, 200, JSON.stringify(body));
      return body.items.map(({ userId, status, resultCode }: { [name: string]: string }) => [
        userId,
        status,
        resultCode,
      ]);
    };
    const all = [
      ["ann", "SUCCEEDED", "SUCCESS"],
      ["bob", "REJECTED", "CANCELLED"],
      ["cho", "SUCCEEDED", "SUCCESS"],
      ["dan", "SUCCEEDED", "SUCCESS"],
      ["eve", "REJECTED", "REJECTED_CAPACITY"],
    ];

    test("requests come in the order of the line, or newest first", async () => {
      assert.deepEqual(await listed(""), all);
      assert.deepEqual(await listed("?order=queue"), all);
      assert.deepEqual(await listed("?order=newest"), all.toReversed());
    });

    test("or only those of one status", async () => {
      assert.deepEqual(await listed("?status=REJECTED"), [all[1], all[4]]);
      assert.deepEqual(await listed("?status=SUCCEEDED&order=newest"), [all[3], all[2], all[0]]);
      assert.deepEqual(await listed("?status=QUEUED"), []);
      assert.equal((await event.get("/requests?status=Lost")).status, 400);
      assert.equal((await event.get("/requests?order=oldest")).status, 400);
    });

    test("in pages, each request once", async () => {
      for (const [query, expected] of [
        ["", all],
        ["?order=newest", all.toReversed()],
        ["?status=REJECTED", [all[1], all[4]]],
      ] as const) {
        const pages = await readPages<Request>(event.organizer, `/admin/events/${event.eventId}/requests${query}`, 2);
        assert.deepEqual(
          pages.flat().map(({ userId }) => userId),
          expected.map((row) => row?.[0]),
          query,
        );
      }
    });

    test("each with what only organizers see", async () => {
      const { body } = await event.get("/requests?limit=1");
      const [first] = body.items;
      assert.deepEqual(first, {
        requestId: requestIds[0],
        eventId: event.eventId,
        eventType: "FIRST_COME",
        status: "SUCCEEDED",
        uiResult: "SUCCESS",
        resultCode: "SUCCESS",
        uiPhase: null,
        ticket: 1,
        rank: null,
        place: 1,
        requestedAt: first.requestedAt,
        queuedAt: first.queuedAt,
        startedAt: first.startedAt,
        finishedAt: first.finishedAt,
        promotedAt: null,
        cancelledAt: null,
        userId: "ann",
        failureClass: null,
        errorCode: null,
        errorMessage: null,
      });
      assert.ok(first.requestedAt <= first.queuedAt && first.queuedAt <= first.finishedAt);
      assert.deepEqual((await event.organizer("GET", `/admin/requests/${requestIds[0]}`)).body, first);
    });

    test("a request's log tells in order what happened, and why", async () => {
      const path = `/admin/requests/${requestIds[3]}/logs`;
      const { body } = await event.organizer("GET", path);
      assert.deepEqual(
        body.items.map(({ fromStatus, toStatus, message }: { [name: string]: string }) => [
          fromStatus,
          toStatus,
          message,
        ]),
        [
          ["RECEIVED", "QUEUED", "Stands in line with ticket 4."],
          ["QUEUED", "PROCESSING", "Its turn has come."],
          ["PROCESSING", "REJECTED", "All places had gone to tickets before 4."],
          ["REJECTED", "SUCCEEDED", "Ticket 2 gave its place back. Ticket 4 was next in line."],
        ],
      );
      const times = body.items.map(({ occurredAt }: { occurredAt: number }) => occurredAt);
      assert.deepEqual(times, times.toSorted());
      assert.deepEqual((await readPages(event.organizer, path, 3)).flat(), body.items);
    });

    test("the summary counts what the list shows", async () => {
      const { body } = await event.get("/summary");
      assert.deepEqual(body, {
        eventId: event.eventId,
        capacityTotal: 3,
        capacityRemaining: 0,
        tickets: 5,
        voided: 0,
        byStatus: { RECEIVED: 0, QUEUED: 0, PROCESSING: 0, SUCCEEDED: 3, REJECTED: 2, FAILED_FINAL: 0 },
        byResult: {
          SUCCESS: 3,
          REJECTED_CAPACITY: 1,
          REJECTED_LOTTERY_LOSE: 0,
          CANCELLED: 1,
          FAILED_VALIDATION: 0,
        },
        updatedAt: body.updatedAt,
      });
    });

    test("the CSV file has the same as the list", async () => {
      const { status, headers, body: csv } = await event.get("/requests.csv");
      assert.equal(status, 200);
      assert.match(headers.get("content-type") ?? "", /^text\/csv/);
      assert.equal(headers.get("content-disposition"), `attachment; filename="requests-${event.eventId}.csv"`);
      const rows: { [column: string]: string }[] = parse(csv, { columns: true, bom: true });
      const { items } = (await event.get("/requests")).body;
      const time = (text: string | undefined) => (text ? Date.parse(text) : null);
      const read = rows.map((row) => ({
        requestId: row.request_id,
        userId: row.user_id,
        status: row.status,
        resultCode: row.result_code,
        ticket: Number(row.ticket),
        place: row.place ? Number(row.place) : null,
        queuedAt: time(row.queued_at),
        finishedAt: time(row.finished_at),
        cancelledAt: time(row.cancelled_at),
      }));
      type Read = (typeof read)[number];
      assert.deepEqual(
        read,
        items.map(
          ({ requestId, userId, status, resultCode, ticket, place, queuedAt, finishedAt, cancelledAt }: Read) => {
            return { requestId, userId, status, resultCode, ticket, place, queuedAt, finishedAt, cancelledAt };
          },
        ),
      );
    });

    test("all went fairly", async () => {
      const { body } = await event.get("/fairness");
      const { settleLagMs, checkedAt, ...rest } = body;
      assert.deepEqual(rest, {
        eventId: event.eventId,
        inversions: 0,
        voidedTickets: [],
        voidedCount: 0,
        oldestUnsettledTicket: null,
        oldestUnsettledAgeMs: null,
        checkedRequests: 5,
      });
      assert.ok(settleLagMs.median >= 0 && settleLagMs.max >= settleLagMs.median);
    });
  });

  test("counts stay right during a burst: everybody who has a ticket is somewhere", async () => {
    const event = await makeEntryEvent(program, { ...FIRST_COME, capacityTotal: 40 });
    const entering = Promise.all(Array.from({ length: 120 }, (_, index) => event.enter(`burst-${index}`)));
    let isOver = false;
    void entering.then(() => {
      isOver = true;
    });
    while (!isOver) {
      const { byStatus, byResult, tickets, voided, capacityTotal, capacityRemaining } = (await event.get("/summary"))
        .body;
      const standing = byStatus.QUEUED + byStatus.PROCESSING + byStatus.SUCCEEDED + byStatus.REJECTED;
      assert.equal(standing + voided, tickets);
      assert.equal(byResult.SUCCESS, capacityTotal - capacityRemaining);
      assert.equal(byResult.REJECTED_CAPACITY, byStatus.REJECTED);
    }
    await entering;
    await untilSettled(event);
    const { byStatus } = (await event.get("/summary")).body;
    assert.deepEqual([byStatus.SUCCEEDED, byStatus.REJECTED], [40, 80]);
    const { body } = await event.get("/fairness");
    assert.deepEqual([body.inversions, body.checkedRequests], [0, 120]);
  });

  test("raising the capacity gives the new places to the next in line", async () => {
    const event = await makeEntryEvent(program, { ...FIRST_COME, capacityTotal: 1 });
    const [, second = ""] = await event.enter("ann", "bob", "cho");
    await untilSettled(event);
    await event.changeEntry({ capacityTotal: 2 });
    const statuses = async () => (await event.get("/requests")).body.items.map(({ status }: Request) => status);
    assert.deepEqual(await statuses(), ["SUCCEEDED", "SUCCEEDED", "REJECTED"]);
    const log = (await event.organizer("GET", `/admin/requests/${second}/logs`)).body.items;
    assert.equal(log.at(-1).message, "The capacity was raised to 2. Ticket 2 was next in line.");
  });

  test("an event that takes no entries has none of it", async () => {
    const { orgId, organizer } = await program.makeOrganization();
    const event = { name: "Walk", eventId: `walk-${orgId}`, date: "2090-04-18", timeZone: "Asia/Seoul" };
    await organizer("POST", `/admin/organizations/${orgId}/events`, event);
    for (const path of ["/summary", "/fairness", "/entry"]) {
      const { status, body } = await organizer("GET", `/admin/events/${event.eventId}${path}`);
      assert.deepEqual([status, body.code], [404, "event.not-found"], path);
    }
    assert.deepEqual((await organizer("GET", `/admin/events/${event.eventId}/requests`)).body, { items: [] });
  });

  test("a request of another organization is not there", async () => {
    const [mine, theirs] = [await makeEntryEvent(program, FIRST_COME), await makeEntryEvent(program, LOTTERY)];
    const [requestId = ""] = await theirs.enter("ann");
    for (const path of [`/admin/requests/${requestId}`, `/admin/requests/${requestId}/logs`]) {
      assert.equal((await theirs.organizer("GET", path)).status, 200, path);
      const refused = await mine.organizer("GET", path);
      assert.deepEqual([refused.status, refused.body.code], [404, "request.not-found"], path);
    }
    const nowhere = await mine.organizer("GET", "/admin/requests/01JD2QX5Y8V6M3T9K7R4W1ZP0N");
    assert.deepEqual([nowhere.status, nowhere.body.code], [404, "request.not-found"]);
  });
});
