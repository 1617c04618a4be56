/** `snaprace demo`: an organization with three events to look at and try things on, always brought back to the same state. */

import type { Command } from "commander";
import { Problem } from "../../platform/problem.ts";
import type { Event } from "../../registry/events/event.ts";
import { runnerCsv } from "../../registry/runners/runner-csv-export.ts";
import type { ListedRunner } from "../../registry/runners/runners.ts";
import { describe, onApi, type Result } from "./command.ts";
import type { Connection } from "./connection.ts";
import {
  DEMO_ORG,
  DEMO_ORGANIZER,
  DEMO_PHOTOGRAPHER,
  demoEvents,
  demoOrganization,
  demoPhotographers,
  PHOTO_EVENT,
} from "./demo-plan.ts";
import { demoRunners } from "./demo-runners.ts";
import { createProgress, type Progress } from "./progress.ts";
import { inColumns } from "./table.ts";
import { counted } from "./wording.ts";

const ORG_PATH = `/admin/organizations/${DEMO_ORG}`;
const eventPath = (eventId: string) => `/admin/events/${eventId}`;

export function addDemo(commands: Command): void {
  const demo = describe(commands.command("demo"), "Make a demo organization with events, or bring it back as it was.", [
    "demo",
    "demo --remove",
  ]).option("--remove", "remove it with all that belongs to it");
  onApi<[], { remove?: boolean }>(demo, async ({ api, options }) => {
    if (options.remove) return removeDemo(api);
    const progress = createProgress({ silent: options.json === true, stream: process.stderr });
    return makeDemo(api, progress).finally(() => progress.end());
  });
}

async function removeDemo(api: Connection): Promise<Result> {
  try {
    await api.call("DELETE", `${ORG_PATH}?confirm=${DEMO_ORG}`);
    return { json: { removed: DEMO_ORG }, text: "Removed the demo." };
  } catch (error) {
    if (!isMissing(error)) throw error;
    return { json: { removed: null }, text: "There is no demo to remove." };
  }
}

async function makeDemo(api: Connection, progress: Progress): Promise<Result> {
  await createOrChange(api, ORG_PATH, "/admin/organizations", { orgId: DEMO_ORG }, demoOrganization);
  await api.call("PUT", `${ORG_PATH}/organizers/${DEMO_ORGANIZER}`);
  const events = demoEvents(Date.now());
  const steps = events.length + demoPhotographers.length + 1;
  let done = 0;
  const next = () => progress.show("Making the demo", ++done, steps);
  for (const { eventId, fields } of events) {
    await createOrChange(api, eventPath(eventId), `${ORG_PATH}/events`, { eventId }, fields);
    next();
  }
  for (const { photographerId, role, fields } of demoPhotographers) {
    const all = `${ORG_PATH}/photographers`;
    await createOrChange(api, `${all}/${photographerId}`, all, { photographerId }, fields);
    await api.call("PUT", `${eventPath(PHOTO_EVENT)}/photographers/${photographerId}`, { role });
    next();
  }
  const runners = await bringRunners(api);
  next();
  return describeDemo(api, runners);
}

async function createOrChange(api: Connection, path: string, listPath: string, id: object, fields: object) {
  const there = await api.call<{ orgId: string }>("GET", path).catch((error) => {
    if (!isMissing(error)) throw error;
  });
  if (!there) await api.call("POST", listPath, { ...id, ...fields });
  else if (there.orgId === DEMO_ORG) await api.call("PATCH", path, fields);
  else
    throw new Problem("conflict", "demo.id-taken", `${path} belongs to ${there.orgId}: the demo can't be made here.`);
}

/** The file has every column, so that what people changed is as before; whom they added goes. */
async function bringRunners(api: Connection): Promise<number> {
  const runners = demoRunners();
  const path = `${eventPath(PHOTO_EVENT)}/runners`;
  await api.sendCsv(`${path}/import`, encoded(runnerCsv(ReadableStream.from(runners))));
  const bibs = new Set(runners.map(({ bib }) => bib));
  for (const { bib } of await api.list<ListedRunner>(path)) {
    if (!bibs.has(bib)) await api.call("DELETE", `${path}/${encodeURIComponent(bib)}`);
  }
  return runners.length;
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}

async function describeDemo(api: Connection, runners: number): Promise<Result> {
  const events = await api.list<Event>(`${ORG_PATH}/events`);
  const made = events.map(({ eventId, date, name }) => ["", eventId, date, name]);
  const first = `The organization ${DEMO_ORG} is there, with ${counted(runners, "runner")} in ${PHOTO_EVENT}:`;
  const json = {
    orgId: DEMO_ORG,
    events,
    photographers: demoPhotographers.map((each) => each.photographerId),
    runners,
  };
  const look = addresses(api.serverUrl);
  const text = [first, inColumns(made), "", "Look at:", ...look.map((line) => `  ${line}`), "", "Try:", ...NEXT].join(
    "\n",
  );
  return { json: { ...json, serverUrl: api.serverUrl ?? null }, text };
}

function addresses(serverUrl: string | undefined): string[] {
  if (serverUrl === undefined) return ["npx snaprace serve    and then the address it prints"];
  return [
    `${serverUrl}/    the races, as a runner sees them`,
    `${serverUrl}/organizer    sign in as ${DEMO_ORGANIZER}; the code is in the server's terminal and at ${serverUrl}/inbox`,
    `${serverUrl}/photographer    sign in as ${DEMO_PHOTOGRAPHER}`,
    `${serverUrl}/api    every call there is`,
  ];
}

const NEXT = [
  `  npx snaprace event show ${PHOTO_EVENT}`,
  `  npx snaprace runners list --event ${PHOTO_EVENT} --limit 10`,
  `  npx snaprace token --role organizer --org ${DEMO_ORG} --user kim`,
  "  npx snaprace demo --remove",
];

function isMissing(error: unknown): boolean {
  return error instanceof Problem && error.kind === "missing";
}
