/** Every route tried by every kind of caller, against the table of who may what; and that the trial notices mistakes. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { Hono } from "hono";
import { z } from "zod";
import { createLog } from "../../src/apps/log.ts";
import { problemAnswer } from "../../src/apps/server/problem-answer.ts";
import type { Access } from "../../src/platform/http/access.ts";
import { createApi } from "../../src/platform/http/api.ts";
import { apiOnHono } from "../../src/platform/http/on-hono.ts";
import { apiDocument } from "../../src/platform/http/openapi.ts";
import { createRateLimit } from "../../src/platform/http/rate-limit.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { checkOpenApi, operationsOf } from "../harness/openapi-rules.ts";
import type { TestProgram } from "../harness/program.ts";
import { checkCall, routesBelowApi, sendRequest } from "./checks.ts";
import { compareWithExamples, exampleRequest, nameOf } from "./examples.ts";
import { CALLERS, compareWithRules, DESCRIPTION_PATHS, RULES } from "./rules.ts";
import { openWorld, type World } from "./world.ts";

function fieldsOf(schema: z.ZodType | undefined): object {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

describe("access", () => {
  let program: TestProgram;
  let world: World;
  before(async () => {
    world = await openWorld();
    program = world.program;
  });
  after(() => program.close());

  const routeNamed = (name: string): Route => {
    const found = world.routes.find((route) => nameOf(route) === name);
    assert.ok(found, `there is no ${name}`);
    return found;
  };

  describe("the table", () => {
    test("has a rule for every route, and no other", () => {
      assert.deepEqual(compareWithRules(world.routes.map(nameOf)), []);
    });

    test("has an example for every route that takes a body", () => {
      assert.deepEqual(compareWithExamples(world.routes), []);
    });

    test("has everything that answers below /api", () => {
      assert.deepEqual(routesBelowApi(program.app, DESCRIPTION_PATHS).sort(), Object.keys(RULES).sort());
    });

    test("notices a new route without a rule or an example, and a rule without a route", () => {
      const extra = { ...routeNamed("POST /me/tokens"), path: "/admin/secrets" };
      assert.deepEqual(compareWithRules([...Object.keys(RULES), nameOf(extra)]), [
        "POST /admin/secrets has no rule in tests/access/rules.ts",
      ]);
      assert.deepEqual(compareWithExamples([...world.routes, extra]), [
        "POST /admin/secrets takes a body and has no example in tests/access/examples.ts",
      ]);
      assert.deepEqual(compareWithRules(Object.keys(RULES).filter((name) => name !== "GET /me")), [
        "tests/access/rules.ts has a rule for GET /me, which is no route",
      ]);
    });

    test("notices what is put below /api past the routes", () => {
      const app = new Hono().route("/", program.app).post("/api/debug/:name", (c) => c.text(""));
      const found = routesBelowApi(app, DESCRIPTION_PATHS);
      assert.deepEqual(compareWithRules(found), ["POST /debug/{name} has no rule in tests/access/rules.ts"]);
    });

    test("has no list that is not paged", () => {
      const lists = world.routes.filter(
        // What is answered to a list that was sent is as long as that.
        (route) => route.method === "get" && "items" in fieldsOf(route.answers[200]?.schema),
      );
      assert.ok(lists.length > 5);
      for (const route of lists) {
        assert.ok("cursor" in fieldsOf(route.answers[200]?.schema), nameOf(route));
        assert.ok("cursor" in fieldsOf(route.query) && "limit" in fieldsOf(route.query), nameOf(route));
      }
    });

    test("says the same as the API's description", async () => {
      const document = await (await program.app.request("/api/openapi.json")).json();
      assert.deepEqual(checkOpenApi(document), []);
      const described = operationsOf(document).map(({ name, operation }) => {
        return [name.replace(" /api", " "), operation.security === undefined];
      });
      const ruled = Object.entries(RULES).map(([name, rule]) => [name, rule === "public"]);
      assert.deepEqual(described.sort(), ruled.sort());
    });
  });

  describe("every route answers as the table says", () => {
    for (const [name, rule] of Object.entries(RULES)) {
      test(`${name}: ${rule}`, async () => {
        const complaints: string[] = [];
        assert.deepEqual(world.callers.map((caller) => caller.name).sort(), [...CALLERS].sort());
        for (const caller of world.callers) {
          complaints.push(...(await checkCall(program.app, world, routeNamed(name), caller)));
        }
        assert.deepEqual(complaints, []);
      });
    }

    test("asking for the head alone is no way around it", async () => {
      for (const route of world.routes.filter(({ method }) => method === "get")) {
        for (const caller of world.callers) {
          const request = await exampleRequest(route, { program, things: world.a, caller });
          const [whole, head] = [
            await sendRequest(program.app, request),
            await sendRequest(program.app, asHead(request)),
          ];
          assert.equal(head.status, whole.status, `${nameOf(route)} by ${caller.name}`);
          assert.equal(head.text, "");
        }
      }
    });

    test("nor is writing the path in another way", async () => {
      const { orgId, eventId } = world.a;
      const [nobody] = world.callers;
      for (const path of [
        `/api/admin/organizations/${orgId}/`,
        `/api//admin/organizations/${orgId}`,
        `/api/ADMIN/organizations/${orgId}`,
        `/api/%61dmin/organizations/${orgId}`,
        `/api/events/../admin/organizations/${orgId}`,
        `/api/events/..%2Fadmin%2Fevents%2F${eventId}`,
        `/api/admin/organizations/${orgId}%00`,
        `/api/admin/organizations/${orgId};a=b`,
      ]) {
        const answer = await sendRequest(program.app, new Request(`http://127.0.0.1:8080${path}`, nobody));
        assert.ok([400, 401, 404].includes(answer.status), `${path}: ${answer.status}`);
        assert.ok(!answer.text.includes(`Org ${world.a.label}`), path);
      }
    });
  });

  describe("the trial notices", () => {
    /** The program's own API, but for who may call one route. */
    function openWith(name: string, access: Access): Hono {
      const routes = world.routes.map((route) => (nameOf(route) === name ? { ...route, access } : route));
      const limit = createRateLimit({ requests: 100_000, windowMs: 10_000, now: Date.now });
      const log = createLog({ level: "silent" });
      const api = createApi({
        routes,
        caller: program.registry.caller,
        facts: { ...program.registry.facts, eventOfRequest: program.entry.eventOfRequest },
        userLimit: limit,
        addressLimit: limit,
        addressOf: () => "test",
        refuse: (error) => problemAnswer(error, log),
      });
      const document = apiDocument(routes, { version: "0", publicUrl: "http://127.0.0.1:8080" });
      return apiOnHono(api, { document, corsOrigins: [] });
    }

    /** By whom the route was called as it should not have been. */
    async function noticed(name: string, access: Access): Promise<string[]> {
      const app = openWith(name, access);
      const wrong: string[] = [];
      for (const caller of world.callers) {
        const complaints = await checkCall(app, world, routeNamed(name), caller);
        if (complaints.length > 0) wrong.push(caller.name);
      }
      return wrong;
    }

    const people = ["a runner", "a photographer of A's event", "a photographer of nothing"];
    const [route, own] = ["GET /admin/events/{eventId}/runners", "GET /admin/organizations/{orgId}"];

    test("a route that was opened to anyone", async () => {
      assert.deepEqual(await noticed(route, "anyone"), ["nobody", ...people, "an organizer of B"]);
    });

    test("one that was opened to whoever is signed in", async () => {
      assert.deepEqual(await noticed(own, "signedIn"), [...people, "an organizer of B"]);
    });

    test("one of a request that was opened to whoever is signed in", async () => {
      const ofRequest = "GET /admin/requests/{requestId}/logs";
      assert.deepEqual(await noticed(ofRequest, "signedIn"), [...people, "an organizer of B"]);
      assert.deepEqual(await noticed(ofRequest, "organizerOfRequest"), []);
    });

    test("one that was opened to photographers", async () => {
      assert.deepEqual(await noticed(route, "photographerOfEvent"), ["a photographer of A's event"]);
    });

    test("one that was closed to those who may", async () => {
      assert.deepEqual(await noticed(own, "operator"), ["an organizer of A", "an organizer of B"]);
    });

    test("and nothing where nothing was changed", async () => {
      assert.deepEqual(await noticed(route, "organizerOfEvent"), []);
    });

    test("an answer with a field that its route does not declare", async () => {
      const answers = {
        200: { description: "Less.", schema: routeNamed("GET /photographers/{photographerId}").answers[200]?.schema },
      };
      const shown = {
        ...routeNamed("GET /admin/organizations/{orgId}/photographers/{photographerId}"),
        answers,
      } as Route;
      const operator = world.callers.find(({ name }) => name === "an operator");
      assert.ok(operator);
      const complaints = await checkCall(program.app, world, shown, operator);
      assert.match(complaints.join(), /has more than is declared/);
    });
  });
});

function asHead(request: Request): Request {
  return new Request(request.url, { method: "HEAD", headers: request.headers });
}
