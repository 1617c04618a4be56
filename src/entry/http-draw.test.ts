/** A lottery from its first entry to its proof: what is public when, and that nothing of the result is before its time. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import {
  done,
  type EntryEvent,
  FIRST_COME,
  LOTTERY,
  makeEntryEvent,
  until,
  untilSettled,
} from "../../tests/harness/entry-event.ts";
import { openDatabases, type TestProgram } from "../../tests/harness/program.ts";
import { findDraw } from "./lottery.ts";

const PEOPLE = Array.from({ length: 12 }, (_, index) => `runner-${index}`);
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the draw", () => {
  let program: TestProgram;
  let close = async () => {};
  before(async () => {
    const databases = await openDatabases("PGlite");
    close = databases.close;
    program = await databases.open({ SNAPRACE_RATE_LIMIT: "100000" });
  });
  after(() => close());

  const anyone = (event: EntryEvent, path = "") => program.as()("GET", `/events/${event.eventId}/draw${path}`);
  const passed = () => new Date(Date.now() - 1).toISOString();

  describe("of a lottery with a beacon, step by step", () => {
    const beaconSource = "drand round 4567890";
    let event: EntryEvent;
    let requestIds: string[];
    before(async () => {
      event = await makeEntryEvent(program, { ...LOTTERY, beaconSource });
      requestIds = await event.enter(...PEOPLE);
    });

    /** All that anybody but an operator can get at. */
    async function everythingShown(): Promise<string> {
      const [requestId = "", userId = ""] = [requestIds[0], PEOPLE[0]];
      const answers = await Promise.all([
        ...["", "/entrants.txt", "/proof.json"].map((path) => anyone(event, path)),
        ...["", "/entry"].map((path) => program.as()("GET", `/events/${event.eventId}${path}`)),
        ...[
          "/requests",
          "/requests?order=newest",
          "/requests.csv",
          "/summary",
          "/fairness",
          "/entry",
          "/dead-letters",
        ].map((path) => event.get(path)),
        ...requestIds.flatMap((id) =>
          [`/admin/requests/${id}`, `/admin/requests/${id}/logs`].map((path) => event.organizer("GET", path)),
        ),
        event.organizer("GET", `/admin/events/${event.eventId}/runners`),
        program.as({ userId })("GET", "/me/participations"),
        ...requestIds.map((id, index) => program.as({ userId: PEOPLE[index] ?? "" })("GET", `/requests/${id}`)),
      ]);
      const live = await firstOf(`/requests/${requestId}/live`, userId);
      return [...answers.map(({ headers, body }) => JSON.stringify([[...headers], body])), live].join("\n");
    }

    /** The first event of a stream that goes on. */
    async function firstOf(path: string, userId: string): Promise<string> {
      const headers = { authorization: `Bearer ${program.token({ userId })}` };
      const answer = await program.app.request(`http://127.0.0.1:8080/api${path}`, { headers });
      const reader = answer.body?.getReader();
      const first = await reader?.read();
      await reader?.cancel();
      return new TextDecoder().decode(first?.value as Uint8Array);
    }

    async function checkNothingIsKnown(): Promise<void> {
      const shown = await everythingShown();
      const seed = (await findDraw(program.entry.entry, event.eventId))?.seed ?? "";
      assert.match(seed, /^[0-9a-f]{64}$/);
      assert.ok(!shown.includes(seed));
      for (const sign of ["SUCCEEDED", "REJECTED_LOTTERY_LOSE", "ANNOUNCED", "in reserve"]) {
        const count = shown.split(sign).length - 1;
        // The summary names every status and result, with 0.
        assert.ok(count <= 1, `${sign} is shown ${count} times`);
      }
      const ranks = [...shown.matchAll(/\\?"(?:rank|place)\\?":([^,}]+)/g)].map((match) => match[1]);
      assert.ok(ranks.length >= 2 * PEOPLE.length);
      assert.deepEqual([...new Set(ranks)], ["null"]);
      const { byResult } = (await event.get("/summary")).body;
      assert.deepEqual(new Set(Object.values(byResult)), new Set([0]));
    }

    test("while entries are open there is the promise, and no list and no proof", async () => {
      const { status, body } = await anyone(event);
      assert.equal(status, 200);
      assert.match(body.commitment, /^[0-9a-f]{64}$/);
      assert.deepEqual([body.phase, body.beaconSource, body.beaconValue], ["OPEN", beaconSource, null]);
      for (const name of ["frozenAt", "entrants", "entrantsSha256", "drawnAt"]) assert.equal(body[name], null, name);
      const [list, proof] = [await anyone(event, "/entrants.txt"), await anyone(event, "/proof.json")];
      assert.deepEqual([list.status, list.body.code], [409, "draw.not-frozen"]);
      assert.deepEqual([proof.status, proof.body.code], [409, "draw.not-announced"]);
      await checkNothingIsKnown();
    });

    test("after the cutoff there is the list, in which entrants find themselves", async () => {
      await event.changeEntry({ lotteryCutoffAt: passed() });
      await until(async () => (await anyone(event, "/entrants.txt")).status === 200);
      const { body, headers } = await anyone(event, "/entrants.txt");
      const lines: string[] = body.split("\n").filter((line: string) => line && !line.startsWith("#"));
      assert.deepEqual(
        lines,
        requestIds.map((requestId, index) => `${index + 1} ${sha256(`${event.eventId}\n${requestId}`)}`),
      );
      const facts = (await anyone(event)).body;
      assert.deepEqual([facts.phase, facts.entrants], ["DRAWING", 12]);
      assert.equal(facts.entrantsSha256, sha256(`${lines.join("\n")}\n`));
      assert.match(headers.get("content-type") ?? "", /^text\/plain/);
      assert.match(headers.get("content-disposition") ?? "", /filename="entrants-race-\w+\.txt"/);
      await checkNothingIsKnown();
    });

    test("the draw waits for the beacon's value, which is given once", async () => {
      const without = await event.post("/entry/draw", {});
      assert.deepEqual([without.status, without.body.code], [409, "draw.needs-beacon"]);
      assert.equal((await anyone(event)).body.drawnAt, null);
      const drawn = await done(event.post("/entry/draw", { beaconValue: "0xfeed" }));
      assert.equal(drawn.body.phase, "DRAWING");
      await done(event.post("/entry/draw", { beaconValue: "0xfeed" }));
      const other = await event.post("/entry/draw", { beaconValue: "0xbeef" });
      assert.deepEqual([other.status, other.body.code], [409, "draw.beacon-given"]);
    });

    test("drawn, but not announced: nothing is to be seen of the result", async () => {
      const { drawnAt, beaconValue } = (await anyone(event)).body;
      assert.ok(drawnAt > 0);
      assert.equal(beaconValue, "0xfeed");
      const proof = await anyone(event, "/proof.json");
      assert.deepEqual([proof.status, proof.body.code], [409, "draw.not-announced"]);
      const early = await event.post("/entry/announce");
      assert.deepEqual([early.status, early.body.code], [409, "draw.not-due"]);
      await checkNothingIsKnown();
    });

    test("announced: results, ranks, and a proof that keeps the promise", async () => {
      await event.changeEntry({ announcedAt: passed() });
      assert.equal((await done(event.post("/entry/announce"))).body.phase, "ANNOUNCED");
      await untilSettled(event);
      const { body: proof, headers } = await anyone(event, "/proof.json");
      assert.match(headers.get("content-disposition") ?? "", /filename="proof-race-\w+\.json"/);
      assert.equal(sha256(`${event.eventId}\n${proof.seed}`), (await anyone(event)).body.commitment);
      const { items } = (await event.get("/requests")).body;
      type Drawn = { rank: number; ticket: number; status: string; place: number | null };
      const byRank: Drawn[] = items.toSorted((a: Drawn, b: Drawn) => a.rank - b.rank);
      assert.deepEqual(
        byRank.map(({ rank, ticket }) => [rank, ticket]),
        proof.order,
      );
      assert.deepEqual(
        byRank.map(({ status }) => status),
        PEOPLE.map((_, index) => (index < 3 ? "SUCCEEDED" : "REJECTED")),
      );
      const { byResult, byStatus } = (await event.get("/summary")).body;
      assert.deepEqual([byResult.SUCCESS, byResult.REJECTED_LOTTERY_LOSE, byStatus.QUEUED], [3, 9, 0]);
      const { inversions, checkedRequests, settleLagMs } = (await event.get("/fairness")).body;
      assert.deepEqual([inversions, checkedRequests, settleLagMs], [0, 12, null]);
    });

    test("the search for results before their time would have found these", async () => {
      await assert.rejects(checkNothingIsKnown(), { code: "ERR_ASSERTION" });
    });

    test("the files are sent once to who keeps them", async () => {
      for (const path of ["/entrants.txt", "/proof.json"]) {
        const url = `/events/${event.eventId}/draw${path}`;
        const first = await program.as()("GET", url);
        const etag = first.headers.get("etag") ?? "";
        assert.match(etag, /^"[^"]+"$/);
        assert.match(first.headers.get("cache-control") ?? "", /^public, max-age=\d+$/);
        for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
          const again = await program.as()("GET", url, undefined, { "if-none-match": known });
          assert.deepEqual([again.status, again.body, again.headers.get("etag")], [304, "", etag], known);
        }
        assert.equal((await program.as()("GET", url, undefined, { "if-none-match": '"other"' })).status, 200);
        const head = await program.app.request(`http://127.0.0.1:8080/api${url}`, { method: "HEAD" });
        assert.deepEqual([head.status, head.headers.get("etag"), await head.text()], [200, etag, ""]);
      }
    });
  });

  test("is not there for first-come events, drafts and events that are not there", async () => {
    const firstCome = await makeEntryEvent(program, FIRST_COME);
    const draft = await makeEntryEvent(program, LOTTERY, { published: false });
    assert.match((await done(draft.get("/entry"))).body.draw.commitment, /^[0-9a-f]{64}$/);
    for (const path of ["", "/entrants.txt", "/proof.json"]) {
      const none = await anyone(firstCome, path);
      assert.deepEqual([none.status, none.body.code], [404, "draw.not-found"], path);
      const hidden = await anyone(draft, path);
      assert.deepEqual([hidden.status, hidden.body.code], [404, "event.not-found"], path);
      assert.equal((await program.as()("GET", `/events/nowhere/draw${path}`)).status, 404, path);
    }
  });
});
