/** The rules of access one by one, for every kind of caller; tests/access has every route. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Actor } from "../actor.ts";
import { Problem } from "../problem.ts";
import { type Access, type AccessFacts, accessSentence, checkAccess } from "./access.ts";

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

/** The organization han has the event han-10k, which minji photographs. */
const facts: AccessFacts = {
  organizationOf: async (eventId) => (eventId === "han-10k" ? "han" : undefined),
  isAssigned: async (eventId, photographerIds) => eventId === "han-10k" && photographerIds.includes("minji"),
};

type Outcome = "may" | number;

async function outcomeOf(access: Access, actor: Actor | undefined, params = { orgId: "han", eventId: "han-10k" }) {
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

describe("what is not there", () => {
  const nowhere = { orgId: "gone", eventId: "gone" };

  test("looks the same to organizers as what belongs to others", async () => {
    for (const access of ["organizerOfOrganization", "organizerOfEvent", "photographerOfEvent"] as const) {
      assert.equal(await outcomeOf(access, callers.otherOrganizer, nowhere), 404, access);
      assert.equal(await outcomeOf(access, callers.otherOrganizer), 404, access);
    }
  });

  test("is told to an operator only for events: of an organization the route itself finds out", async () => {
    assert.equal(await outcomeOf("organizerOfEvent", callers.operator, nowhere), 404);
    assert.equal(await outcomeOf("organizerOfOrganization", callers.operator, nowhere), may);
  });
});

test("a route that forgot its parameter lets no organizer in", async () => {
  for (const access of ["organizerOfOrganization", "organizerOfEvent", "photographerOfEvent"] as const) {
    await assert.rejects(checkAccess(access, callers.organizer, {}, facts), { kind: "missing" });
  }
});
