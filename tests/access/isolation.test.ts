/** An organizer of B, whatever they try, sees nothing of A and changes nothing of it. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { z } from "zod";
import { configKey, drawKey, requestKey } from "../../src/entry/items.ts";
import type { Route } from "../../src/platform/http/route.ts";
import type { Caller, TestProgram } from "../harness/program.ts";
import { type Answer, sendRequest } from "./checks.ts";
import { exampleRequest, nameOf } from "./examples.ts";
import { type CallerName, RULES } from "./rules.ts";
import { type AccessCaller, openWorld, type Things, type World } from "./world.ts";

/** By table; each row as the text of its JSON. */
type Snapshot = { [table: string]: string[] };

describe("organizers of B and what belongs to A", () => {
  let program: TestProgram;
  let world: World;
  before(async () => {
    world = await openWorld();
    program = world.program;
  });
  after(() => program.close());

  const callerNamed = (name: CallerName): AccessCaller => {
    const caller = world.callers.find((each) => each.name === name);
    assert.ok(caller);
    return caller;
  };
  const ofB = (): Caller => {
    const { headers } = callerNamed("an organizer of B");
    return (method, path, send, more) => program.as()(method, path, send, { ...headers, ...more });
  };

  async function send(route: Route, things: Things, name: CallerName, params = {}, query = ""): Promise<Answer> {
    const request = await exampleRequest(route, { program, things, caller: callerNamed(name) }, params);
    return sendRequest(program.app, query ? new Request(`${request.url}${query}`, request) : request);
  }

  async function takeSnapshot(): Promise<Snapshot> {
    const { tables, rows } = await program.registry.openRows();
    const snapshot: Snapshot = {};
    for (const table of tables) {
      snapshot[table] = [];
      for await (const row of rows(table)) snapshot[table].push(JSON.stringify(row));
    }
    // Without what moves when somebody enters, which anybody may.
    const { eventId, draftId, lotteryId, requestId } = world.a;
    const events = [eventId, draftId, lotteryId];
    const keys = [...events.map(configKey), ...events.map(drawKey), requestKey(requestId)];
    const items = await program.entry.entry.table.batchGet(keys);
    snapshot.entry = items.flatMap((item) => (item ? [JSON.stringify(item)] : []));
    return snapshot;
  }

  /** What was there and is not any more, or not as it was; and what is new and names A, but for its photographer. */
  function differences(before: Snapshot, after: Snapshot, { orgId, eventId, draftId }: Things): string[] {
    return Object.keys(before).flatMap((table) => {
      const [old = [], now = []] = [before[table], after[table]];
      const added = now.filter((row) => !old.includes(row));
      return [
        ...old.filter((row) => !now.includes(row) && row.includes(world.a.label)).map((row) => `${table} lost ${row}`),
        ...added
          .filter((row) => [orgId, eventId, draftId].some((id) => row.includes(id)))
          .map((row) => `${table} got ${row}`),
      ];
    });
  }

  /** A's ids in all places, and for paths with two, B's own in the first and A's in the second. */
  function mixtures(route: Route): { [name: string]: string }[] {
    const names = [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as keyof Things);
    const [first, second] = names;
    if (!first || !second) return [{}];
    return [{}, { [first]: String(world.b[first]), [second]: String(world.a[second]) }];
  }

  const isList = (route: Route) => {
    const schema = route.answers[200]?.schema;
    return schema instanceof z.ZodObject && "items" in schema.shape;
  };
  const leaked = (text: string, rule: string | undefined) =>
    (rule === "public" ? world.a.secrets : [world.a.label]).filter((secret) => text.includes(secret));

  test("there are lists to look at, and they would show A to an organizer of A", async () => {
    const lists = world.routes.filter(isList);
    assert.ok(lists.length >= 8, lists.map(nameOf).join());
    const shown = await send(
      lists.find((route) => route.path.endsWith("/runners")) as Route,
      world.a,
      "an organizer of A",
    );
    assert.deepEqual([shown.status, leaked(shown.text, "organizer-of-event")], [200, [world.a.label]]);
  });

  test("whatever they read of their own has nothing of A in it", async () => {
    for (const route of world.routes.filter(({ method }) => method === "get")) {
      const { status, text } = await send(route, world.b, "an organizer of B");
      const rule = RULES[nameOf(route)];
      // They are no photographer and no operator, and the requests are the runner's.
      const refused = { photographer: 403, operator: 403, "the-entrant-themself": 404 }[rule as string];
      // A download leads elsewhere.
      const wanted = refused ?? (route.answers[302] ? 302 : 200);
      assert.equal(status, wanted, `${nameOf(route)}: ${text}`);
      assert.deepEqual(leaked(text, rule), [], nameOf(route));
    }
  });

  test("nor what a photographer of nothing finds in their own lists", async () => {
    for (const route of world.routes.filter(({ path }) => path.startsWith("/me"))) {
      if (route.method !== "get") continue;
      const { status, text } = await send(route, world.b, "a photographer of nothing");
      assert.deepEqual([status, leaked(text, "photographer")], [200, []], nameOf(route));
    }
  });

  test("a place in A's list leads nowhere in B's", async () => {
    for (const route of world.routes.filter(isList)) {
      const first = await send(route, world.a, "an operator", {}, "?limit=1");
      const cursor = first.status === 200 ? JSON.parse(first.text).cursor : undefined;
      if (cursor === undefined) continue;
      const { status, text } = await send(route, world.b, "an organizer of B", {}, `?cursor=${cursor}`);
      assert.ok(status === 200 || status === 400, `${nameOf(route)}: ${status} ${text}`);
      assert.deepEqual(leaked(text, RULES[nameOf(route)]), [], nameOf(route));
    }
  });

  test("an event of A that is not published is nobody else's to see", async () => {
    const { draftId, orgId } = world.a;
    for (const below of ["", "/runners.csv", "/entry", "/requests", "/requests.csv", "/summary"]) {
      assert.equal((await ofB()("GET", `/admin/events/${draftId}${below}`)).status, 404, below);
    }
    for (const below of ["", "/entry", "/draw", "/draw/proof.json"]) {
      assert.equal((await ofB()("GET", `/events/${draftId}${below}`)).status, 404, below);
    }
    assert.equal((await ofB()("POST", `/events/${draftId}/participations`)).status, 404);
    for (const organization of [orgId, draftId, "%25", "_"]) {
      const { body } = await ofB()("GET", `/events?organization=${organization}`);
      assert.deepEqual(leaked(JSON.stringify(body), "public"), []);
    }
  });

  test("whatever they try, nothing of A changes", async () => {
    const before = await takeSnapshot();
    const allowed: string[] = [];
    for (const route of world.routes) {
      if (RULES[nameOf(route)] === "public") continue;
      for (const params of mixtures(route)) {
        const { status, text } = await send(route, world.a, "an organizer of B", params);
        const isMixed = Object.keys(params).length > 0;
        if (status < 300) allowed.push(`${nameOf(route)}${isMixed ? " (mixed)" : ""}`);
        else assert.ok([403, 404].includes(status), `${nameOf(route)} ${JSON.stringify(params)}: ${status} ${text}`);
        if (route.path.includes("{") && !isMixed) assert.deepEqual(leaked(text, "public"), [], nameOf(route));
      }
    }
    assert.deepEqual(differences(before, await takeSnapshot(), world.a), []);
    // What is theirs alone, and what anybody may do with people of A: ask them to their own events and organization.
    assert.deepEqual(allowed.sort(), [
      "DELETE /admin/events/{eventId}/photographers/{photographerId} (mixed)",
      "DELETE /admin/organizations/{orgId}/organizers/{email} (mixed)",
      "DELETE /auth/sessions/current",
      "DELETE /me/tokens/{tokenId}",
      "GET /admin/organizations",
      "GET /me",
      "GET /me/bibs",
      "GET /me/participations",
      "GET /me/tokens",
      "POST /admin/organizations",
      "POST /events/{eventId}/participations",
      "POST /me/tokens",
      "PUT /admin/events/{eventId}/photographers/{photographerId} (mixed)",
      "PUT /admin/organizations/{orgId}/organizers/{email} (mixed)",
    ]);
  });

  test("nor when they name A's ids in what they send", async () => {
    const before = await takeSnapshot();
    const { a, b } = world;
    const event = { name: "Mine", date: "2099-05-01", timeZone: "Asia/Seoul" };
    const attempts: [string, string, object][] = [
      ["POST", "/admin/organizations", { orgId: a.orgId, name: "Mine" }],
      ["POST", "/admin/organizations", { name: "Mine", subdomain: a.orgId }],
      ["PATCH", `/admin/organizations/${b.orgId}`, { subdomain: a.orgId }],
      ["POST", `/admin/organizations/${b.orgId}/events`, { ...event, eventId: a.eventId }],
      ["POST", `/admin/organizations/${b.orgId}/events`, { ...event, eventId: a.draftId }],
      ["POST", `/admin/organizations/${b.orgId}/photographers`, { photographerId: a.photographerId, name: "Mine" }],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await ofB()(method, path, body);
      assert.equal(answer.status, 409, `${method} ${path}: ${JSON.stringify(answer.body)}`);
      assert.deepEqual(
        a.secrets.filter((secret) => JSON.stringify(answer.body).includes(secret) && secret !== a.draftId),
        [],
      );
    }
    const moved = [
      ["PATCH", `/admin/events/${b.eventId}`, { orgId: a.orgId }],
      ["PATCH", `/admin/organizations/${b.orgId}/photographers/${b.photographerId}`, { orgId: a.orgId }],
      ["PATCH", `/admin/organizations/${b.orgId}`, { orgId: a.orgId }],
      ["PATCH", `/admin/events/${b.eventId}/runners/${b.bib}`, { eventId: a.eventId }],
    ] as const;
    for (const [method, path, body] of moved) assert.equal((await ofB()(method, path, body)).status, 400, path);
    assert.deepEqual(differences(before, await takeSnapshot(), a), []);
  });

  test("and the comparison would notice", async () => {
    const before = await takeSnapshot();
    const { orgId, eventId } = world.a;
    const operator = program.as({ operator: true });
    await operator("PATCH", `/admin/events/${eventId}`, { name: "Taken over" });
    await operator("PUT", `/admin/organizations/${orgId}/organizers/intruder@example.com`);
    await operator("POST", `/admin/events/${eventId}/entry/pause`);
    const noticed = differences(before, await takeSnapshot(), world.a);
    assert.deepEqual(noticed.map((each) => each.split(" ", 2).join(" ")).sort(), [
      "entry got",
      "entry lost",
      "events got",
      "events lost",
      "organizer_members got",
    ]);
  });
});
