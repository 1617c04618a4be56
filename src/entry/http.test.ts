/** The runners' routes over HTTP: asking, asking again, waiting, following live, giving a place back. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type EntryEvent, FIRST_COME, LOTTERY, makeEntryEvent, until } from "../../tests/harness/entry-event.ts";
import { openDatabases, type TestProgram } from "../../tests/harness/program.ts";

let program: TestProgram;
let close: () => Promise<void>;

before(async () => {
  const databases = await openDatabases("PGlite");
  close = databases.close;
  program = await databases.open({ SNAPRACE_RATE_LIMIT: "100000" });
});
after(() => close());

const runner = (userId: string) => program.as({ userId });
const ask = (event: EntryEvent, userId: string) => runner(userId)("POST", `/events/${event.eventId}/participations`);

async function settled(event: EntryEvent, entrants: number): Promise<void> {
  await until(async () => {
    const { body } = await runner("anybody")("GET", `/events/${event.eventId}/entry`);
    return body.tickets === entrants && body.waiting === 0;
  });
}

test("asking is answered with 202, a ticket and where to look; asking again with the same request", async () => {
  const event = await makeEntryEvent(program, FIRST_COME);
  const first = await ask(event, "kim");
  assert.equal(first.status, 202);
  assert.deepEqual(Object.keys(first.body).sort(), ["eventId", "queuedAt", "requestId", "status", "ticket"]);
  assert.equal(first.body.ticket, 1);
  assert.equal(first.headers.get("location"), `/api/requests/${first.body.requestId}`);
  const again = await ask(event, "kim");
  assert.equal(again.status, 202);
  assert.equal(again.body.requestId, first.body.requestId);
  assert.equal(again.body.ticket, 1);
  assert.equal(again.body.duplicate, true);
});

test("a triple click is one request", async () => {
  const event = await makeEntryEvent(program, FIRST_COME);
  const answers = await Promise.all([ask(event, "lee"), ask(event, "lee"), ask(event, "lee")]);
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]));
  assert.equal(new Set(answers.map(({ body }) => body.requestId)).size, 1);
  assert.equal(answers.filter(({ body }) => body.duplicate).length, 2);
});

test("before it opens, after it closes and where there is nothing, the answer says so", async () => {
  const later = await makeEntryEvent(program, { ...FIRST_COME, opensAt: "2090-01-01T00:00:00Z" });
  const early = await ask(later, "kim");
  assert.equal(early.status, 409);
  assert.equal(early.body.code, "participation.not-open");
  assert.equal(early.body.opensAt, Date.parse("2090-01-01T00:00:00Z"));
  const past = await makeEntryEvent(program, { ...FIRST_COME, closesAt: "2026-02-01T00:00:00Z" });
  assert.equal((await ask(past, "kim")).body.code, "participation.closed");
  const none = await makeEntryEvent(program, null as unknown as object);
  assert.equal((await ask(none, "kim")).body.code, "event.not-found");
  const draft = await makeEntryEvent(program, FIRST_COME, { published: false });
  assert.equal((await ask(draft, "kim")).status, 404);
  assert.equal((await runner("kim")("GET", `/events/${draft.eventId}/entry`)).status, 404);
  const missing = await runner("kim")("POST", "/events/no-such-race/participations");
  assert.equal(missing.status, 404);
});

test("one's own request says where it stands, and 304 while that is the same", async () => {
  const event = await makeEntryEvent(program, FIRST_COME);
  const ids = await event.enter("a", "b", "c", "d", "e");
  await settled(event, 5);
  const path = `/requests/${ids[4]}`;
  const shown = await until(async () => {
    const answer = await runner("e")("GET", path);
    return answer.body.line?.placesLeft === 0 ? answer : undefined;
  });
  assert.equal(shown.body.status, "REJECTED");
  assert.equal(shown.body.resultCode, "REJECTED_CAPACITY");
  assert.deepEqual(shown.body.line, { kind: "RESERVE", ahead: 1, placesLeft: 0, capacityTotal: 3, waiting: 0 });
  assert.equal(shown.body.askAgainInMs, null);
  assert.match(shown.headers.get("cache-control") ?? "", /private, max-age=1/);
  const etag = shown.headers.get("etag") ?? "";
  const same = await runner("e")("GET", path, undefined, { "if-none-match": etag });
  assert.equal(same.status, 304);
  assert.equal(same.body, "");
  await runner("a")("POST", `/requests/${ids[0]}/cancellation`);
  const changed = await until(async () => {
    const answer = await runner("e")("GET", path, undefined, { "if-none-match": etag });
    return answer.status === 200 ? answer : undefined;
  });
  assert.equal(changed.body.line.ahead, 0);
  assert.equal((await runner("b")("GET", path)).status, 404);
});

test("a place given back goes to the next in line, who is told why; giving it back twice is no error", async () => {
  const event = await makeEntryEvent(program, { ...FIRST_COME, capacityTotal: 1 });
  const ids = await event.enter("one", "two", "three");
  await settled(event, 3);
  assert.equal((await runner("two")("POST", `/requests/${ids[1]}/cancellation`)).body.code, "participation.no-place");
  const given = await runner("one")("POST", `/requests/${ids[0]}/cancellation`);
  assert.equal(given.status, 200);
  assert.equal(given.body.resultCode, "CANCELLED");
  assert.equal(given.body.place, null);
  assert.equal((await runner("one")("POST", `/requests/${ids[0]}/cancellation`)).status, 200);
  const next = await runner("two")("GET", `/requests/${ids[1]}`);
  assert.equal(next.body.status, "SUCCEEDED");
  assert.equal(next.body.place, 2);
  assert.ok(next.body.promotedAt >= given.body.cancelledAt);
  const log = await event.organizer("GET", `/admin/requests/${ids[1]}/logs`);
  assert.match(log.body.items.at(-1).message, /Ticket 1 gave its place back\. Ticket 2 was next in line\./);
  assert.equal((await runner("three")("GET", `/requests/${ids[2]}`)).body.status, "REJECTED");
  const runners = await until(async () => {
    const { body } = await event.organizer("GET", `/admin/events/${event.eventId}/runners`);
    return body.items[0]?.userId === "two" ? body.items : undefined;
  });
  assert.deepEqual(
    runners.map(({ bib, userId, source }: { bib: string; userId: string; source: string }) => [bib, userId, source]),
    [["0002", "two", "ENTRY"]],
  );
});

test("my requests, newest first, page by page", async () => {
  const events = [await makeEntryEvent(program, FIRST_COME), await makeEntryEvent(program, LOTTERY)];
  const ids: string[] = [];
  for (const event of events) ids.push(...(await event.enter("collector")));
  const first = await runner("collector")("GET", "/me/participations?limit=1");
  assert.equal(first.body.items[0].requestId, ids[1]);
  assert.equal(first.body.items[0].uiPhase, "COLLECTING");
  const second = await runner("collector")("GET", `/me/participations?limit=1&cursor=${first.body.cursor}`);
  assert.equal(second.body.items[0].requestId, ids[0]);
  assert.equal((await runner("nobody-else")("GET", "/me/participations")).body.items.length, 0);
});

test("the entry's state is one answer for everybody, and its own clock is no change", async () => {
  const event = await makeEntryEvent(program, FIRST_COME);
  const path = `/events/${event.eventId}/entry`;
  const shown = await program.as()("GET", path);
  assert.equal(shown.body.phase, "OPEN");
  assert.equal(shown.body.placesLeft, 3);
  assert.ok(Math.abs(shown.body.serverTime - Date.now()) < 60_000);
  const same = await program.as()("GET", path, undefined, { "if-none-match": shown.headers.get("etag") ?? "" });
  assert.equal(same.status, 304);
});

async function readStream(userId: string, requestId: string): Promise<{ status: number; events: string[] }> {
  const url = `http://127.0.0.1:8080/api/requests/${requestId}/live`;
  const headers = { authorization: `Bearer ${program.token({ userId })}` };
  const answer = await program.app.request(url, { headers });
  const text = await answer.text();
  return { status: answer.status, events: text.split("\n\n").filter((part) => part.startsWith("event: request")) };
}

test("followed live, a request says its state at once and ends with its result", async () => {
  const event = await makeEntryEvent(program, LOTTERY);
  const [requestId = ""] = await event.enter("follower");
  const stream = readStream("follower", requestId);
  const soon = new Date(Date.now() + 1000).toISOString();
  await event.changeEntry({ lotteryCutoffAt: soon, announcedAt: soon });
  const { status, events } = await stream;
  assert.equal(status, 200);
  const views = events.map((part) => JSON.parse(part.slice(part.indexOf("data: ") + 6)));
  assert.equal(views[0].status, "QUEUED");
  assert.equal(views[0].line.kind, "DRAW");
  assert.equal(views.at(-1).status, "SUCCEEDED");
  assert.equal(views.at(-1).rank, 1);
  assert.equal((await readStream("stranger", requestId)).status, 404);
});

test("where the workers are elsewhere, there is no stream, and the answer says what to do", async () => {
  const databases = await openDatabases("PGlite");
  try {
    const apart = await databases.open({ SNAPRACE_WORKERS: "off" });
    const event = await makeEntryEvent(apart, FIRST_COME);
    const [requestId] = await event.enter("kim");
    const answer = await apart.as({ userId: "kim" })("GET", `/requests/${requestId}/live`);
    assert.equal(answer.status, 404);
    assert.equal(answer.body.code, "live.not-here");
    const waiting = await apart.as({ userId: "kim" })("GET", `/requests/${requestId}`);
    assert.deepEqual(waiting.body.line, { kind: "QUEUE", ahead: 0, placesLeft: 3, capacityTotal: 3, waiting: 1 });
    assert.equal(waiting.body.askAgainInMs, 1000);
  } finally {
    await databases.close();
  }
});
