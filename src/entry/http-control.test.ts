/** Steering an event's entry: open, pause and close, before their time and after, and what is refused. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { done, type EntryEvent, FIRST_COME, LOTTERY, makeEntryEvent } from "../../tests/harness/entry-event.ts";
import { openDatabases, type Reply, type TestProgram } from "../../tests/harness/program.ts";

const LATER = "2090-01-01T00:00:00Z";
const PAST = "2026-02-01T00:00:00Z";

describe("steering entry", () => {
  let program: TestProgram;
  let close = async () => {};
  before(async () => {
    const databases = await openDatabases("PGlite");
    close = databases.close;
    program = await databases.open({ SNAPRACE_RATE_LIMIT: "100000" });
  });
  after(() => close());

  const codeOf = ({ status, body }: Reply) => [status, body.code];
  const tryToEnter = async ({ eventId }: EntryEvent, userId: string) =>
    codeOf(await program.as({ userId })("POST", `/events/${eventId}/participations`));

  test("opens before its time, pauses, opens again, closes and opens once more", async () => {
    const event = await makeEntryEvent(program, { ...FIRST_COME, opensAt: LATER });
    const steps = [
      ["", "NOT_OPEN", [409, "participation.not-open"]],
      ["open", "OPEN", [202, undefined]],
      ["pause", "PAUSED", [409, "participation.paused"]],
      ["open", "OPEN", [202, undefined]],
      ["close", "CLOSED", [409, "participation.closed"]],
      ["open", "OPEN", [202, undefined]],
    ] as const;
    for (const [index, [step, phase, outcome]] of steps.entries()) {
      if (step) assert.equal((await done(event.post(`/entry/${step}`))).body.phase, phase, `${index} ${step}`);
      assert.deepEqual(await tryToEnter(event, `runner-${index}`), outcome, `${index} ${step}`);
    }
    for (const again of [1, 2]) assert.equal((await event.post("/entry/open")).body.phase, "OPEN", `${again}`);
  });

  test("shows organizers the state with what is stored, also of a draft", async () => {
    const event = await makeEntryEvent(program, FIRST_COME, { published: false });
    const { body } = await done(event.get("/entry"));
    const { serverTime, cancelUntil, ...state } = body;
    assert.deepEqual(state, {
      eventId: event.eventId,
      eventType: "FIRST_COME",
      phase: "OPEN",
      capacityTotal: 3,
      placesLeft: 3,
      tickets: 0,
      waiting: 0,
      opensAt: Date.parse(FIRST_COME.opensAt),
      closesAt: null,
      lotteryCutoffAt: null,
      announcedAt: null,
      status: "Open",
      paused: false,
      draw: null,
    });
    await done(event.post("/entry/pause"));
    const paused = (await event.get("/entry")).body;
    assert.deepEqual([paused.status, paused.paused, paused.phase], ["Open", true, "PAUSED"]);
    assert.deepEqual(await tryToEnter(event, "ann"), [404, "event.not-found"]);
  });

  test("refuses what makes no sense, with a sentence on what to do", async () => {
    const closed = await makeEntryEvent(program, { ...FIRST_COME, closesAt: PAST });
    const open = await makeEntryEvent(program, FIRST_COME);
    const lottery = await makeEntryEvent(program, LOTTERY);
    await done(lottery.post("/entry/close"));
    const refusals = [
      [await closed.post("/entry/open"), "entry.past-closing"],
      [await lottery.post("/entry/pause"), "entry.closed"],
      [await open.post("/entry/draw", {}), "draw.first-come"],
      [await open.post("/entry/announce"), "draw.first-come"],
      [await lottery.post("/entry/draw", {}), "draw.too-early"],
      [await lottery.post("/entry/announce"), "draw.not-due"],
    ] as const;
    for (const [answer, code] of refusals) assert.deepEqual(codeOf(answer), [409, code]);
  });

  test("takes a beacon's value that is one line of at most 500 characters, and nothing else", async () => {
    const event = await makeEntryEvent(program, LOTTERY);
    for (const body of [
      { beaconValue: "" },
      { beaconValue: "a\nb" },
      { beaconValue: "x".repeat(501) },
      { value: "x" },
    ]) {
      assert.deepEqual(codeOf(await event.post("/entry/draw", body)), [400, "input.invalid"], JSON.stringify(body));
    }
  });
});
