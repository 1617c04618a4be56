/** A request that is right in everything but perhaps who sends it, for every route. */

import { randomBytes } from "node:crypto";
import { selfieOf, THREE } from "../../src/platform/contracts/recognition-samples.ts";
import type { Route } from "../../src/platform/http/route.ts";
import { newEmail, requestCode } from "../harness/people.ts";
import type { TestProgram } from "../harness/program.ts";
import { type AccessCaller, newOrganization, sessionHeaders, type Things } from "./world.ts";

export type Example = {
  /** Instead of what belongs to the things. */
  params?: { [name: string]: string };
  query?: string;
  json?: unknown;
  csv?: string;
  /** A picture, or what is sent for one. */
  jpeg?: Uint8Array;
  /** Instead of the caller's own. */
  headers?: { [name: string]: string };
};

type Scene = { program: TestProgram; things: Things; caller: AccessCaller };

const fresh = (what: string) => `${what}-${randomBytes(4).toString("hex")}`;
const event = { name: "New", date: "2099-05-01", timeZone: "Asia/Seoul" };

function ofLottery({ things }: Scene): Example {
  return { params: { eventId: things.lotteryId } };
}

/** Those that need more than what their path says. What has an effect must be possible once for every caller. */
const EXAMPLES: { [route: string]: (scene: Scene) => Example | Promise<Example> } = {
  "POST /auth/codes": () => ({ json: { email: newEmail() } }),
  "POST /auth/sessions": async ({ program }) => {
    const email = newEmail();
    return { json: { email, code: await requestCode(program, email) } };
  },
  "DELETE /auth/sessions/current": async ({ program, caller: { email } }) =>
    email === undefined ? {} : { headers: await sessionHeaders(program, email) },
  "POST /me/tokens": () => ({ json: { name: "a script" } }),
  "DELETE /me/tokens/{tokenId}": async ({ program, caller }) => ({
    params: { tokenId: await ownToken(program, caller) },
  }),
  "POST /admin/organizations": ({ things }) => ({ json: { orgId: newOrganization(things), name: "New" } }),
  "PATCH /admin/organizations/{orgId}": () => ({ json: { name: "Changed" } }),
  "DELETE /admin/organizations/{orgId}": ({ things }) => ({ query: `?confirm=${things.orgId}` }),
  "PUT /admin/organizations/{orgId}/organizers/{email}": () => ({ params: { email: newEmail() } }),
  "POST /admin/organizations/{orgId}/events": () => ({ json: { ...event, eventId: fresh("new") } }),
  "PATCH /admin/events/{eventId}": () => ({ json: { name: "Changed", published: true } }),
  "DELETE /admin/events/{eventId}": ({ things }) => ({ query: `?confirm=${things.eventId}` }),
  "PATCH /photographers/{photographerId}": () => ({ json: { bio: "Changed" } }),
  "POST /admin/organizations/{orgId}/photographers": () => ({ json: { photographerId: fresh("new"), name: "New" } }),
  "PATCH /admin/organizations/{orgId}/photographers/{photographerId}": () => ({ json: { bio: "Changed" } }),
  "PUT /admin/events/{eventId}/photographers/{photographerId}": () => ({ json: { role: "finish line" } }),
  "POST /admin/events/{eventId}/runners": () => ({ json: { bib: "999", name: "New" } }),
  "POST /admin/events/{eventId}/runners/import": () => ({ csv: "bib,name\n998,New\n" }),
  "PATCH /admin/events/{eventId}/runners/{bib}": () => ({ json: { name: "Changed" } }),
  "GET /events/{eventId}/photos.zip": ({ things }) => ({ query: `?ulids=${things.ulid}` }),
  "POST /events/{eventId}/selfie-search": async () => ({ jpeg: await selfieOf(THREE) }),
  "POST /admin/events/{eventId}/photos/reprocess": () => ({ json: { which: "failed" } }),
  "POST /events/{eventId}/uploads": () => ({ json: { files: [{ name: "IMG_1.jpg", sizeBytes: 1000 }] } }),
  "POST /events/{eventId}/uploads/parts": async (scene) => ({ json: await beginParts(scene) }),
  "POST /events/{eventId}/uploads/complete": async (scene) => {
    const { sizeBytes: _, ...upload } = await beginParts(scene);
    return { json: { ...upload, parts: 1 } };
  },
  "GET /events/{eventId}/draw": ofLottery,
  "GET /events/{eventId}/draw/entrants.txt": ofLottery,
  "GET /events/{eventId}/draw/proof.json": ofLottery,
  "POST /admin/events/{eventId}/entry/draw": (scene) => ({ ...ofLottery(scene), json: {} }),
  "POST /admin/events/{eventId}/entry/announce": ofLottery,
  "POST /admin/events/{eventId}/dead-letters/redrive": () => ({ json: {} }),
  "POST /admin/dead-letters/redrive": () => ({ json: {} }),
  "GET /admin/events/{eventId}/photos/dead-letters/{letterId}": ({ things }) => ({
    params: { letterId: things.photoLetterId },
  }),
  "POST /admin/events/{eventId}/photos/dead-letters/redrive": () => ({ json: {} }),
  "POST /admin/photos/dead-letters/redrive": () => ({ json: {} }),
};

export const nameOf = (route: Pick<Route, "method" | "path">) => `${route.method.toUpperCase()} ${route.path}`;

/** Says which routes can't be tried for want of an example, and which examples are for no route. */
export function compareWithExamples(routes: Pick<Route, "method" | "path" | "body" | "rawBody">[]): string[] {
  const names = routes.map(nameOf);
  return [
    ...routes
      .filter((route) => (route.body || route.rawBody) && !Object.hasOwn(EXAMPLES, nameOf(route)))
      .map((route) => `${nameOf(route)} takes a body and has no example in tests/access/examples.ts`),
    ...Object.keys(EXAMPLES)
      .filter((name) => !names.includes(name))
      .map((name) => `tests/access/examples.ts has an example for ${name}, which is no route`),
  ];
}

/** `params` instead of the things' own, as somebody would who mixes theirs with others'. */
export async function exampleRequest(route: Route, scene: Scene, params: { [name: string]: string } = {}) {
  const name = nameOf(route);
  const example = (await EXAMPLES[name]?.(scene)) ?? {};
  const known: { [name: string]: unknown } = { ...scene.things, ...example.params, ...params };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = known[parameter];
    if (typeof value !== "string") throw new Error(`${name}: tests/access/world.ts has no ${parameter}`);
    return encodeURIComponent(value);
  });
  const { type, body } = bodyOf(example);
  return new Request(`http://127.0.0.1:8080/api${path}${example.query ?? ""}`, {
    method: route.method.toUpperCase(),
    headers: { ...(example.headers ?? scene.caller.headers), ...(body !== undefined && { "content-type": type }) },
    ...(body !== undefined && { body }),
  });
}

function bodyOf({ csv, jpeg, json }: Example): { type: string; body?: string | Uint8Array<ArrayBuffer> } {
  if (csv !== undefined) return { type: "text/csv", body: csv };
  if (jpeg !== undefined) return { type: "image/jpeg", body: new Uint8Array(jpeg) };
  return { type: "application/json", ...(json !== undefined && { body: JSON.stringify(json) }) };
}

/** Somebody without a session has none, and gets an id that could be one. */
async function ownToken(program: TestProgram, { email, headers }: AccessCaller): Promise<string> {
  if (email === undefined) return `t_${"0".repeat(24)}`;
  const made = await program.as()("POST", "/me/tokens", { name: "to be revoked" }, headers);
  return made.body.tokenId;
}

/** An upload in parts, of which the one part it is to have was sent. */
async function beginParts({ program, things }: Scene) {
  const operator = program.as({ operator: true });
  const path = `/events/${things.eventId}/uploads`;
  const begun = await operator("POST", path, { files: [{ name: "large.tif", sizeBytes: 25_000_000 }] });
  const { key, parts } = begun.body.items[0];
  const upload = { key, uploadId: parts.uploadId, sizeBytes: 5 };
  const { url } = (await operator("POST", `${path}/parts`, upload)).body.parts[0].upload;
  await program.app.request(url, { method: "PUT", headers: { "content-length": "5" }, body: "bytes" });
  return upload;
}
