/** The rules of access one by one, for every kind of caller; tests/access has every route. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Actor } from "../actor.ts";
import { Problem } from "../problem.ts";
import { type Access, type AccessFacts, type AccessParams, accessSentence, checkAccess } from "./access.ts";

const person: Actor = {
  userId: "u_1",
  operator: false,
  organizations: [],
  photographers: [],
  session: true,
  tokenId: "t_1",
  expiresAt: 0,
};

const callers = {
  nobody: undefined,
  runner: person,
  organizer: { ...person, organizations: ["han"] },
  otherOrganizer: { ...person, organizations: ["busan", "jeju"] },
  assigned: { ...person, photographers: ["lee", "minji"] },
  photographer: { ...person, photographers: ["lee"] },
  otherOrganizerAssigned: { ...person, organizations: ["busan"], photographers: ["minji"] },
  operator: { ...person, operator: true },
} satisfies { [name: string]: Actor | undefined };

/** The organization han has the event han-10k, which minji photographs and for which there is the request R1. */
const facts: AccessFacts = {
  organizationOf: async (eventId) => (eventId === "han-10k" ? "han" : undefined),
  isAssigned: async (eventId, photographerIds) => eventId === "han-10k" && photographerIds.includes("minji"),
  eventOfRequest: async (requestId) => ({ R1: "han-10k", "R-OF-A-GONE-EVENT": "gone" })[requestId],
};

type Outcome = "may" | number;

const own = { orgId: "han", eventId: "han-10k", requestId: "R1" };

async function outcomeOf(access: Access, actor: Actor | undefined, params: AccessParams = own): Promise<Outcome> {
  try {
    await checkAccess(access, actor, params, facts);
    return "may";
  } catch (error) {
    assert.ok(error instanceof Problem, `not a problem but ${error}`);
    return error.httpStatus;
  }
}

const may = "may" as const;
const table: { [A in Access]: { [name in keyof typeof callers]: Outcome } } = {
  anyone: row([may, may, may, may, may, may, may, may]),
  signedIn: row([401, may, may, may, may, may, may, may]),
  photographer: row([401, 403, 403, 403, may, may, may, 403]),
  photographerOfEvent: row([401, 403, may, 404, may, 403, may, may]),
  organizerOfOrganization: row([401, 403, may, 404, 403, 403, 404, may]),
  organizerOfEvent: row([401, 403, may, 404, 403, 403, 404, may]),
  organizerOfRequest: row([401, 403, may, 404, 403, 403, 404, may]),
  operator: row([401, 403, 403, 403, 403, 403, 403, may]),
};

function row(outcomes: Outcome[]) {
  const names = Object.keys(callers) as (keyof typeof callers)[];
  return Object.fromEntries(names.map((name, index) => [name, outcomes[index]])) as Record<
    keyof typeof callers,
    Outcome
  >;
}

for (const [access, expected] of Object.entries(table) as [Access, ReturnType<typeof row>][]) {
  test(`${access}: ${accessSentence(access)}`, async () => {
    const outcomes: { [name: string]: Outcome } = {};
    for (const [name, actor] of Object.entries(callers)) outcomes[name] = await outcomeOf(access, actor);
    assert.deepEqual(outcomes, expected);
  });
}

const OF_SOMETHING = [
  "organizerOfOrganization",
  "organizerOfEvent",
  "organizerOfRequest",
  "photographerOfEvent",
] as const satisfies Access[];

describe("what is not there", () => {
  const nowhere = { orgId: "gone", eventId: "gone", requestId: "GONE" };

  test("looks the same to organizers as what belongs to others", async () => {
    for (const access of OF_SOMETHING) {
      assert.equal(await outcomeOf(access, callers.otherOrganizer, nowhere), 404, access);
      assert.equal(await outcomeOf(access, callers.otherOrganizer), 404, access);
    }
  });

  test("is told to an operator only for events and requests: of an organization the route itself finds out", async () => {
    assert.equal(await outcomeOf("organizerOfEvent", callers.operator, nowhere), 404);
    assert.equal(await outcomeOf("organizerOfRequest", callers.operator, nowhere), 404);
    assert.equal(await outcomeOf("organizerOfOrganization", callers.operator, nowhere), may);
  });

  test("and a request whose event is gone is left to operators", async () => {
    const left = { requestId: "R-OF-A-GONE-EVENT" };
    assert.equal(await outcomeOf("organizerOfRequest", callers.organizer, left), 404);
    assert.equal(await outcomeOf("organizerOfRequest", callers.operator, left), may);
  });

  test("has the same code and sentence, so that a request of others can't be told from none", async () => {
    const refusal = (requestId: string) =>
      checkAccess("organizerOfRequest", callers.otherOrganizer, { requestId }, facts).catch((error) => error);
    for (const requestId of ["R1", "GONE"]) {
      const { code, message } = await refusal(requestId);
      assert.deepEqual([code, message], ["request.not-found", `You have no request ${requestId}.`]);
    }
  });
});

test("a route that forgot its parameter lets no organizer in", async () => {
  for (const access of OF_SOMETHING) {
    await assert.rejects(checkAccess(access, callers.organizer, {}, facts), { kind: "missing" });
  }
});
