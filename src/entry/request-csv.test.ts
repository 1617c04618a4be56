/** Requests as a CSV file: a line for each, nothing that a spreadsheet would run, and no more read than is taken. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { type RequestItem, requestKey } from "./items.ts";
import { requestCsv } from "./request-csv.ts";

const request: RequestItem = {
  ...requestKey("R1"),
  entityType: "REQUEST",
  requestId: "R1",
  eventId: "race",
  userId: "kim",
  eventType: "FIRST_COME",
  status: "QUEUED",
  uiResult: "PENDING",
  requestedAt: Date.UTC(2027, 0, 1),
  idempotencyKey: "IDEMP#race#kim",
  ttl: 0,
};

async function* each<T>(values: T[]) {
  yield* values;
}

async function textOf(requests: RequestItem[]): Promise<string> {
  return (await Array.fromAsync(requestCsv(each(requests)))).join("");
}

test("the file has a mark for Excel, the names of the columns and a line for each request", async () => {
  const finished = {
    ticket: 2,
    place: 1,
    status: "SUCCEEDED" as const,
    resultCode: "SUCCESS" as const,
    queuedAt: Date.UTC(2027, 0, 1, 0, 0, 1),
    finishedAt: Date.UTC(2027, 0, 1, 0, 0, 2, 5),
  };
  assert.equal(
    await textOf([request, { ...request, ...finished }]),
    "\ufeffticket,request_id,user_id,status,result_code,rank,place,requested_at,queued_at,started_at,finished_at,promoted_at,cancelled_at,failure_class,error_code,error_message\r\n" +
      ",R1,kim,QUEUED,,,,2027-01-01T00:00:00.000Z,,,,,,,,\r\n" +
      "2,R1,kim,SUCCEEDED,SUCCESS,,1,2027-01-01T00:00:00.000Z,2027-01-01T00:00:01.000Z,,2027-01-01T00:00:02.005Z,,,,,\r\n",
  );
});

test("without requests there is a header", async () => {
  assert.match(await textOf([]), /^\ufeffticket,[^\n]*error_message\r\n$/);
});

test("no cell starts a formula, and whatever a message is, it is one cell", async () => {
  for (const start of ["=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠", "'="]) {
    const [row] = parse(await textOf([{ ...request, errorMessage: `${start}1+1` }]), { columns: true, bom: true }) as [
      { error_message: string },
    ];
    assert.equal(row.error_message, `'${start}1+1`);
  }
  const anything = fc.string({ unit: "binary", maxLength: 256 });
  await fc.assert(
    fc.asyncProperty(anything, async (errorMessage) => {
      const rows: { error_message: string }[] = parse(await textOf([{ ...request, errorMessage }, request]), {
        columns: true,
        bom: true,
      });
      assert.deepEqual(
        rows.map((row) => row.error_message.replace(/^'(?='*[=+\-@\t\r＝＋－＠])/, "")),
        [errorMessage, ""],
      );
    }),
  );
});

test("requests are read only as the file is taken, and no longer than it is", async () => {
  let readCount = 0;
  let isClosed = false;
  async function* endless(): AsyncGenerator<RequestItem> {
    try {
      for (;;) yield { ...request, ticket: ++readCount };
    } finally {
      isClosed = true;
    }
  }
  const csv = requestCsv(endless());
  await csv.next();
  assert.equal(readCount, 0);
  const first = await csv.next();
  assert.equal(first.value?.split("\r\n").length, readCount + 1);
  await csv.return(undefined);
  assert.equal(isClosed, true);
});
