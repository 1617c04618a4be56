/** Dead letters over HTTP: whose they are, what they tell, and that a request sent back keeps its ticket. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { done, type EntryEvent, FIRST_COME, makeEntryEvent, until } from "../../tests/harness/entry-event.ts";
import { type Caller, openDatabases, type TestProgram } from "../../tests/harness/program.ts";
import { readPages } from "../../tests/harness/registry.ts";
import type { Handler } from "../platform/ports.ts";
import { registryQueues } from "../registry/events.ts";
import type { ShownLetter } from "./dead-letters.ts";
import { settleParticipations } from "./worker.ts";

describe("dead letters", () => {
  let program: TestProgram;
  let operator: Caller;
  let close = async () => {};
  before(async () => {
    const databases = await openDatabases("PGlite");
    close = databases.close;
    // Nothing but what a test starts handles messages here.
    program = await databases.open({ SNAPRACE_RATE_LIMIT: "100000", SNAPRACE_WORKERS: "off" });
    operator = program.as({ userId: "operator", operator: true });
  });
  after(() => close());

  const failing: Handler = async (messages) =>
    messages.map(({ id }) => ({ id, reason: "The worker was out of order.", retryInMs: 0 }));

  /** Lets a handler work until no message is waiting. */
  async function handle(handler: Handler): Promise<void> {
    const { requests } = program.entry.entry;
    const consumer = requests.consume(handler);
    await until(async () => {
      const { waiting, inFlight } = await requests.depth();
      return waiting + inFlight === 0;
    });
    await consumer.stop();
  }

  const lettersOf = async ({ get }: EntryEvent): Promise<ShownLetter[]> =>
    (await done(get("/dead-letters"))).body.items;
  const nobodys = async (): Promise<ShownLetter[]> => (await done(operator("GET", "/admin/dead-letters"))).body.items;

  test("of an event are its organizers' to see and to send back, and the request keeps its ticket", async () => {
    const [event, other] = [await makeEntryEvent(program, FIRST_COME), await makeEntryEvent(program, FIRST_COME)];
    const [first = "", second = ""] = await event.enter("ann", "bob");
    await other.enter("cho");
    await handle(failing);
    const letters = await lettersOf(event);
    assert.deepEqual(
      letters.map(({ requestId, status, ticket, reason, receives, eventId }) => {
        return [requestId, status, ticket, reason, receives, eventId];
      }),
      [
        [first, "QUEUED", 1, "The worker was out of order.", 10, event.eventId],
        [second, "QUEUED", 2, "The worker was out of order.", 10, event.eventId],
      ],
    );
    assert.deepEqual(JSON.parse(letters[0]?.body ?? ""), {
      type: "participation.requested",
      requestId: first,
      eventId: event.eventId,
    });
    const one = await done(event.get(`/dead-letters/${letters[1]?.id}`));
    assert.deepEqual(one.body, letters[1]);
    assert.deepEqual(await nobodys(), []);

    const none = await other.post("/dead-letters/redrive", { ids: letters.map(({ id }) => id) });
    assert.deepEqual(none.body, { redriven: 0 });
    const foreign = await other.get(`/dead-letters/${letters[0]?.id}`);
    assert.deepEqual([foreign.status, foreign.body.code], [404, "dead-letter.not-found"]);

    assert.deepEqual((await event.post("/dead-letters/redrive", { ids: [letters[0]?.id] })).body, { redriven: 1 });
    assert.deepEqual((await event.post("/dead-letters/redrive", {})).body, { redriven: 1 });
    assert.deepEqual([(await lettersOf(event)).length, (await lettersOf(other)).length], [0, 1]);
    await handle(settleParticipations(program.entry.entry));
    const { items } = (await event.get("/requests")).body;
    assert.deepEqual(
      items.map(({ requestId, ticket, status, place }: { [name: string]: unknown }) => [
        requestId,
        ticket,
        status,
        place,
      ]),
      [
        [first, 1, "SUCCEEDED", 1],
        [second, 2, "SUCCEEDED", 2],
      ],
    );
    assert.deepEqual((await other.post("/dead-letters/redrive", {})).body, { redriven: 1 });
    await handle(settleParticipations(program.entry.entry));
  });

  test("that name no event are the operators'", async () => {
    const bodies = ["This is no JSON.", "[]", '{"type":"participation.requested","eventId":"#"}', "x".repeat(3000)];
    await program.opened.engines.queue("ParticipationRequests", { visibilityMs: 30_000, maxReceives: 10 }).send(bodies);
    await handle(settleParticipations(program.entry.entry));
    const letters = await nobodys();
    assert.deepEqual(
      letters.map(({ body }) => body),
      bodies.map((body) => body.slice(0, 2000)),
    );
    for (const { queue, reason, receives, eventId, requestId, status } of letters) {
      assert.deepEqual([queue, receives, eventId, requestId, status], ["ParticipationRequests", 10, null, null, null]);
      assert.equal(reason, "It is no message about a request for a place.");
    }
    const pages = await readPages<ShownLetter>(operator, "/admin/dead-letters", 3);
    assert.deepEqual(pages, [letters.slice(0, 3), letters.slice(3)]);
    const [{ id = "" } = {}] = letters;
    assert.deepEqual((await operator("POST", "/admin/dead-letters/redrive", { ids: [id] })).body, { redriven: 1 });
    assert.equal((await nobodys()).length, 3);
    assert.deepEqual((await operator("POST", "/admin/dead-letters/redrive", {})).body, { redriven: 3 });
    assert.deepEqual(await nobodys(), []);
    await handle(async () => []);
  });

  test("that are wrong but name an event are its organizers', until it is gone", async () => {
    const event = await makeEntryEvent(program, FIRST_COME);
    const [requestId = ""] = await event.enter("ann");
    const stranger = await makeEntryEvent(program, FIRST_COME);
    await handle(settleParticipations(program.entry.entry));
    const bodies = [
      { eventId: event.eventId, requestId: "nonsense" },
      { eventId: stranger.eventId, requestId },
    ].map((body) => JSON.stringify(body));
    await program.entry.entry.requests.send(bodies);
    await handle(settleParticipations(program.entry.entry));
    const [letter] = await lettersOf(event);
    assert.deepEqual([letter?.eventId, letter?.requestId, letter?.status], [event.eventId, null, null]);
    const [mixed] = await lettersOf(stranger);
    assert.deepEqual([mixed?.requestId, mixed?.status, mixed?.ticket], [requestId, null, null]);
    assert.deepEqual(await nobodys(), []);
    const { eventId } = event;
    await done(event.organizer("DELETE", `/admin/events/${eventId}?confirm=${eventId}`));
    assert.deepEqual(await nobodys(), [letter]);
  });

  test("between entry and the registry are the operators', whatever event they name", async () => {
    const event = await makeEntryEvent(program, FIRST_COME);
    const { eventId } = event;
    const queue = program.opened.engines.queue(registryQueues.entry.name, registryQueues.entry.settings);
    const ofEvent = async () => (await nobodys()).filter((letter) => letter.eventId === eventId);
    const consumer = queue.consume(failing);
    const letter = await until(async () => (await ofEvent())[0]);
    await consumer.stop();
    assert.deepEqual([letter.queue, JSON.parse(letter.body).type], ["RegistryMessagesForEntry", "event.changed"]);
    assert.deepEqual(await lettersOf(event), []);
    assert.deepEqual((await operator("POST", "/admin/dead-letters/redrive", { ids: [letter.id] })).body, {
      redriven: 1,
    });
    assert.deepEqual(await ofEvent(), []);
    assert.ok((await queue.depth()).waiting > 0);
  });

  test("are asked for by ids that could be such", async () => {
    const event = await makeEntryEvent(program, FIRST_COME);
    assert.equal((await event.get("/dead-letters/a%2Fb")).status, 400);
    assert.equal((await event.get("/dead-letters/999999")).status, 404);
    assert.equal((await event.post("/dead-letters/redrive", { ids: ["../"] })).status, 400);
    assert.equal((await event.post("/dead-letters/redrive", { id: "1" })).status, 400);
  });
});
