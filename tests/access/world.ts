/** The world the access table is tried on: organizations A and B with all that belongs to them, and people of every role. */

import { randomBytes } from "node:crypto";
import { fanOut } from "../../src/photos/fan-out.ts";
import { beginUpload } from "../../src/photos/uploads.ts";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { until } from "../harness/entry-event.ts";
import { newEmail, signIn } from "../harness/people.ts";
import { analyzedOf } from "../harness/photo-samples.ts";
import { type Caller, openDatabases, type Reply, type TestProgram } from "../harness/program.ts";
import type { CallerName } from "./rules.ts";

const OPERATOR = "operator@example.com";

/** An organization with events, two of them with runners and with photographers assigned to them. */
export type Things = {
  /** Stands in every text and id of theirs, and nowhere else. */
  label: string;
  orgId: string;
  eventId: string;
  /** An event that is not published. */
  draftId: string;
  /** An event whose draw is over. */
  lotteryId: string;
  /** The runner's request for the event's only place, which they have. */
  requestId: string;
  /** A message of the event's entry that was given up on. */
  letterId: string;
  /** And one about a photo of it. */
  photoLetterId: string;
  bib: string;
  photographerId: string;
  /** A photo of the runner with the bib, by the photographer. */
  ulid: string;
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
  routes: Route[];
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
  const runner = await sessionHeaders(program, emails["a runner"]);
  const makers: Makers = {
    operator,
    runner: (method, path) => program.as()(method, path, undefined, runner),
    photograph: (things) => photograph(program, things),
  };
  const make = async (people: People) => withLetter(program, await makeThings(makers, people));
  const a = await make(ofA);
  const b = await make({ organizer: emails["an organizer of B"], photographer: newEmail() });
  const idle = { name: "Idle", email: emails["a photographer of nothing"] };
  await must(operator("POST", `/admin/organizations/${b.orgId}/photographers`, idle));
  const callers: AccessCaller[] = [{ name: "nobody", headers: {} }];
  for (const [name, email] of Object.entries(emails) as [CallerName, string][]) {
    callers.push({ name, email, headers: name === "a runner" ? runner : await sessionHeaders(program, email) });
  }
  const withCopyOfA = async <T>(work: (copy: Things) => Promise<T>): Promise<T> => {
    const copy = await makeThings(makers, ofA);
    const done = await work(copy);
    // Who made an organization would be an organizer from then on.
    for (const orgId of [copy.orgId, newOrganization(copy)]) {
      await operator("DELETE", `/admin/organizations/${orgId}?confirm=${orgId}`);
    }
    return done;
  };
  const routes = [...program.registry.routes, ...program.entry.routes, ...program.photos.routes];
  return { program, a, b, callers: [...callers, ...badTokens(program, a)], routes, withCopyOfA };
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

type Makers = { operator: Caller; runner: Caller; photograph(things: Things): Promise<string> };
type People = { organizer: string; photographer: string };

async function makeThings(makers: Makers, people: People): Promise<Things> {
  const { operator } = makers;
  const number = randomBytes(4).toString("hex");
  const label = `quartz${number}`;
  const things: Things = {
    label,
    orgId: `org-${label}`,
    eventId: `open-${label}`,
    draftId: `draft-${label}`,
    lotteryId: `lottery-${label}`,
    requestId: "",
    letterId: "0",
    photoLetterId: "0",
    bib: `${number.toUpperCase()}1`,
    photographerId: `photo-${label}`,
    ulid: "",
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
    const event = { eventId: id, name: `Event ${id}`, published, entry: FIRST_COME, ...place };
    await must(operator("POST", `/admin/organizations/${orgId}/events`, event));
    const csv = `bib,name\n${things.bib},Runner ${label} one\n102,Runner ${label} two\n`;
    await must(operator("POST", `/admin/events/${id}/runners/import`, csv));
  }
  const lottery = { eventId: things.lotteryId, name: `Lottery ${label}`, entry: LOTTERY, ...place };
  await must(operator("POST", `/admin/organizations/${orgId}/events`, lottery));
  for (const [id, email] of [
    [photographerId, people.photographer],
    [`second-${label}`, null],
  ]) {
    const photographer = { photographerId: id, name: `Real ${label}`, displayName: `Credit ${label}`, email };
    await must(operator("POST", `/admin/organizations/${orgId}/photographers`, photographer));
    for (const each of [eventId, draftId]) await must(operator("PUT", `/admin/events/${each}/photographers/${id}`, {}));
  }
  const [requestId, ulid] = [await enter(makers, eventId), await makers.photograph(things)];
  return { ...things, requestId, ulid };
}

const FIRST_COME = { eventType: "FIRST_COME", capacityTotal: 1, opensAt: "2026-01-01T00:00:00Z" };
const LOTTERY = {
  ...FIRST_COME,
  eventType: "LOTTERY",
  lotteryCutoffAt: "2026-02-01T00:00:00Z",
  announcedAt: "2026-02-02T00:00:00Z",
};

async function enter({ operator, runner }: Pick<Makers, "operator" | "runner">, eventId: string): Promise<string> {
  const { requestId } = await must(runner("POST", `/events/${eventId}/participations`));
  await until(async () => (await operator("GET", `/admin/requests/${requestId}`)).body.status === "SUCCEEDED");
  return requestId;
}

/** As the workflow leaves it, without having looked at anything. */
async function photograph(program: TestProgram, { orgId, eventId, photographerId, bib, label }: Things) {
  const { photos } = program.photos;
  const about = { event: { orgId, eventId }, bibs: [bib], photographerId, fileName: `IMG_${label}.jpg` };
  const photo = analyzedOf(photos.bucket, { createdAt: Date.now(), ...about });
  for (const key of [photo.processedKey, photo.thumbnailKey]) {
    await photos.blobs.put(key, Buffer.from("picture"), { contentType: "image/jpeg" });
  }
  const { ulid, rawKey, createdAt: uploadedAt } = photo;
  await photos.table.write(beginUpload({ orgId, eventId, ulid, rawKey, uploadedAt }, uploadedAt));
  await fanOut(photos, photo);
  return ulid;
}

/** Messages that nobody can handle. */
async function withLetter(program: TestProgram, things: Things): Promise<Things> {
  const { orgId, eventId, label } = things;
  const operator = program.as({ userId: "world", operator: true });
  const object = { key: `${orgId}/${eventId}/raw/broken-${label}.jpg` };
  await program.entry.entry.requests.send([JSON.stringify({ type: `broken ${label}`, eventId })]);
  await program.photos.photos.uploads.send([JSON.stringify({ detail: { object } })]);
  const letterIn = async (path: string) => {
    let id: string | undefined;
    await until(async () => {
      id = (await must(operator("GET", path))).items[0]?.id;
      return id !== undefined;
    });
    return id ?? "";
  };
  const letterId = await letterIn(`/admin/events/${eventId}/dead-letters`);
  const photoLetterId = await letterIn(`/admin/events/${eventId}/photos/dead-letters`);
  await must(operator("POST", `/admin/events/${things.lotteryId}/entry/announce`));
  return { ...things, letterId, photoLetterId };
}

async function must(answer: Promise<Reply>): Promise<Reply["body"]> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`The world can't be made: ${JSON.stringify(body)}`);
  return body;
}
