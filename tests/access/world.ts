/** The world the access table is tried on: organizations A and B with all that belongs to them, and people of every role. */

import { randomBytes } from "node:crypto";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { newEmail, signIn } from "../harness/people.ts";
import { type Caller, openDatabases, type Reply, type TestProgram } from "../harness/program.ts";
import type { CallerName } from "./rules.ts";

const OPERATOR = "operator@example.com";

/** An organization with two events, each with runners, and photographers assigned to them. */
export type Things = {
  /** Stands in every text and id of theirs, and nowhere else. */
  label: string;
  orgId: string;
  eventId: string;
  /** An event that is not published. */
  draftId: string;
  bib: string;
  photographerId: string;
  /** An organizer who does nothing but be one. */
  email: string;
  /** Texts that only those who may act for the organization ever see. */
  secrets: string[];
};

/** `email` is absent for those who never signed in. */
export type AccessCaller = { name: CallerName; email?: string; headers: { [name: string]: string } };

export type World = {
  program: TestProgram;
  a: Things;
  b: Things;
  callers: AccessCaller[];
  /** As A, made anew and gone afterwards. */
  withCopyOfA<T>(work: (copy: Things) => Promise<T>): Promise<T>;
};

/** On PGlite: the rules stand above the database. */
export async function openWorld(): Promise<World> {
  const { open } = await openDatabases("PGlite");
  const program = await open({ SNAPRACE_OPERATORS: OPERATOR, SNAPRACE_RATE_LIMIT: "100000" });
  const emails = {
    "a runner": newEmail(),
    "a photographer of A's event": newEmail(),
    "a photographer of nothing": newEmail(),
    "an organizer of A": newEmail(),
    "an organizer of B": newEmail(),
    "an operator": OPERATOR,
  };
  const ofA = { organizer: emails["an organizer of A"], photographer: emails["a photographer of A's event"] };
  const operator = program.as({ userId: "world", operator: true });
  const a = await makeThings(operator, ofA);
  const b = await makeThings(operator, { organizer: emails["an organizer of B"], photographer: newEmail() });
  const idle = { name: "Idle", email: emails["a photographer of nothing"] };
  await must(operator("POST", `/admin/organizations/${b.orgId}/photographers`, idle));
  const callers: AccessCaller[] = [{ name: "nobody", headers: {} }];
  for (const [name, email] of Object.entries(emails) as [CallerName, string][]) {
    callers.push({ name, email, headers: await sessionHeaders(program, email) });
  }
  const withCopyOfA = async <T>(work: (copy: Things) => Promise<T>): Promise<T> => {
    const copy = await makeThings(operator, ofA);
    const done = await work(copy);
    // Who made an organization would be an organizer from then on.
    for (const orgId of [copy.orgId, newOrganization(copy)]) {
      await operator("DELETE", `/admin/organizations/${orgId}?confirm=${orgId}`);
    }
    return done;
  };
  return { program, a, b, callers: [...callers, ...badTokens(program, a)], withCopyOfA };
}

/** The id of an organization that is made beside these things, and goes with them. */
export const newOrganization = ({ label }: Things) => `new-${label}`;

/** The session's cookie alone, so that each request finds out anew what its person may do. */
export async function sessionHeaders(program: TestProgram, email: string) {
  const { cookies } = await signIn(program, email);
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { cookie, origin: "http://127.0.0.1:8080" };
}

/** They claim everything there is to claim. */
function badTokens(program: TestProgram, a: Things): AccessCaller[] {
  const tokens = (secret: Uint8Array, now: number) =>
    createAccessTokens(secret, { now: () => now, revokedBefore: () => 0 });
  const holder = {
    userId: "u_forger",
    operator: true,
    organizations: [a.orgId],
    photographers: [a.photographerId],
    session: true,
    tokenId: "t_forger",
  };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const expired = tokens(program.opened.secret, Date.now() - 7_200_000).issue(holder, 3_600_000);
  const forged = tokens(randomBytes(32), Date.now()).issue(holder, 3_600_000);
  return [
    { name: "an expired token", headers: bearer(expired) },
    { name: "a token signed with another secret", headers: bearer(forged) },
  ];
}

async function makeThings(operator: Caller, people: { organizer: string; photographer: string }): Promise<Things> {
  const number = randomBytes(4).toString("hex");
  const label = `quartz${number}`;
  const things: Things = {
    label,
    orgId: `org-${label}`,
    eventId: `open-${label}`,
    draftId: `draft-${label}`,
    bib: `${number.toUpperCase()}1`,
    photographerId: `photo-${label}`,
    email: `spare-${label}@example.com`,
    secrets: [`draft-${label}`, `Runner ${label}`, `Real ${label}`, `spare-${label}`],
  };
  const { orgId, eventId, draftId, photographerId } = things;
  const organizers = [people.organizer, things.email];
  await must(operator("POST", "/admin/organizations", { orgId, name: `Org ${label}`, organizers }));
  const place = { date: "2099-04-18", timeZone: "Asia/Seoul", location: `Park ${label}` };
  for (const [id, published] of [
    [eventId, true],
    [draftId, false],
  ] as const) {
    const event = { eventId: id, name: `Event ${id}`, published, ...place };
    await must(operator("POST", `/admin/organizations/${orgId}/events`, event));
    const csv = `bib,name\n${things.bib},Runner ${label} one\n102,Runner ${label} two\n`;
    await must(operator("POST", `/admin/events/${id}/runners/import`, csv));
  }
  for (const [id, email] of [
    [photographerId, people.photographer],
    [`second-${label}`, null],
  ]) {
    const photographer = { photographerId: id, name: `Real ${label}`, displayName: `Credit ${label}`, email };
    await must(operator("POST", `/admin/organizations/${orgId}/photographers`, photographer));
    for (const each of [eventId, draftId]) await must(operator("PUT", `/admin/events/${each}/photographers/${id}`, {}));
  }
  return things;
}

async function must(answer: Promise<Reply>): Promise<void> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`The world can't be made: ${JSON.stringify(body)}`);
}
