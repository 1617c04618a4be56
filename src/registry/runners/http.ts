/** The routes of an event's runners, one by one and as files. */

import { z } from "zod";
import { attachment } from "../../platform/content-disposition.ts";
import { readBytes } from "../../platform/http/body.ts";
import { PageQuery, pageOf } from "../../platform/http/paging.ts";
import { type Route, route } from "../../platform/http/route.ts";
import { Bib, EventId } from "../../platform/ids.ts";
import type { Registry } from "../registry.ts";
import { ImportReport, importRunners } from "./import-runners.ts";
import { listMyBibs, MyBib } from "./my-bibs.ts";
import { runnerCsv } from "./runner-csv-export.ts";
import {
  addRunner,
  changeRunner,
  ListedRunner,
  listRunners,
  NewRunner,
  RunnerChange,
  readAllRunners,
  readRunner,
  removeRunner,
} from "./runners.ts";

const tag = "Runners";
const access = "organizerOfEvent" as const;
const params = z.object({ eventId: EventId });
const oneRunner = params.extend({ bib: Bib });
const missing = { status: 404, code: "runner.not-found", when: "The event has no runner with this bib." };
const MAX_CSV_BYTES = 64 * 1024 * 1024;

export function runnerRoutes(registry: Registry): Route[] {
  return [...ownRoutes(registry), ...listRoutes(registry), ...fileRoutes(registry), ...singleRoutes(registry)];
}

function ownRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/me/bibs",
        access: "signedIn",
        tag,
        summary: "List my bibs",
        description: "In published events, once a place was given or the organizer said that a runner is you.",
        query: PageQuery,
        answers: { 200: { description: "A page, latest day first.", schema: pageOf(MyBib) } },
      },
      async ({ actor, query }) => ({ body: await listMyBibs(registry, actor.userId, query) }),
    ),
  ];
}

function listRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/runners",
        access,
        tag,
        summary: "List the event's runners",
        params,
        query: PageQuery,
        answers: { 200: { description: "A page, in the order of bibs.", schema: pageOf(ListedRunner) } },
      },
      async ({ params: { eventId }, query }) => ({ body: await listRunners(registry, eventId, query) }),
    ),
    route(
      {
        method: "post",
        path: "/admin/events/{eventId}/runners",
        access,
        tag,
        summary: "Add a runner",
        params,
        body: NewRunner,
        answers: { 201: { description: "The runner.", schema: ListedRunner } },
        problems: [{ status: 409, code: "runner.duplicate-bib", when: "The bib belongs to another runner." }],
      },
      async ({ params: { eventId }, body }) => ({ status: 201, body: await addRunner(registry, eventId, body) }),
    ),
  ];
}

function fileRoutes(registry: Registry): Route[] {
  return [
    route(
      {
        method: "post",
        path: "/admin/events/{eventId}/runners/import",
        access,
        tag,
        summary: "Import runners from a CSV file",
        description:
          "All rows or none. Runners who are there already get the file's values; columns the file lacks stay as they are.",
        params,
        query: z.strictObject({
          dryRun: z.enum(["true", "false"]).default("false").meta({ description: "Only says what would happen." }),
        }),
        rawBody: {
          contentType: "text/csv",
          description: "UTF-8; a header line with at least `bib`; up to 200,000 rows.",
          maxBytes: MAX_CSV_BYTES,
        },
        answers: { 200: { description: "What was done.", schema: ImportReport } },
        problems: [
          {
            status: 400,
            code: "runners.bad-rows",
            when: "Some rows are wrong: `errors` has line, code and reason of each.",
          },
          { status: 400, code: "csv.encoding", when: "The file is not UTF-8." },
          { status: 400, code: "csv.unknown-column", when: "The header has a column we don't know." },
          { status: 400, code: "csv.no-bib-column", when: "The header has no bib." },
          { status: 413, code: "csv.too-many-rows", when: "There are more than 200,000 rows." },
        ],
      },
      async ({ params: { eventId }, query, request }) => {
        const bytes = readBytes(request, MAX_CSV_BYTES);
        return { body: await importRunners(registry, eventId, bytes, { dryRun: query.dryRun === "true" }) };
      },
    ),
    route(
      {
        method: "get",
        path: "/admin/events/{eventId}/runners.csv",
        access,
        tag,
        summary: "Export the runners as a CSV file",
        description: "In the order of bibs; can be imported again as it is.",
        params,
        answers: { 200: { description: "The file.", contentType: "text/csv" } },
      },
      ({ params: { eventId } }) => {
        const text = ReadableStream.from(runnerCsv(readAllRunners(registry, eventId)));
        const name = `runners-${eventId}.csv`;
        return {
          stream: text.pipeThrough(new TextEncoderStream()),
          headers: {
            "content-type": "text/csv; charset=utf-8",
            "content-disposition": attachment(name),
          },
        };
      },
    ),
  ];
}

function singleRoutes(registry: Registry): Route[] {
  const path = "/admin/events/{eventId}/runners/{bib}";
  return [
    route(
      {
        method: "get",
        path,
        access,
        tag,
        summary: "Show a runner",
        params: oneRunner,
        answers: { 200: { description: "The runner.", schema: ListedRunner } },
        problems: [missing],
      },
      async ({ params: { eventId, bib } }) => ({ body: await readRunner(registry, eventId, bib) }),
    ),
    route(
      {
        method: "patch",
        path,
        access,
        tag,
        summary: "Change a runner",
        description: "Fields that are left out stay as they are.",
        params: oneRunner,
        body: RunnerChange,
        answers: { 200: { description: "The runner as they are now.", schema: ListedRunner } },
        problems: [missing],
      },
      async ({ params: which, body }) => ({ body: await changeRunner(registry, which, body) }),
    ),
    route(
      {
        method: "delete",
        path,
        access,
        tag,
        summary: "Remove a runner",
        params: oneRunner,
        answers: { 204: { description: "The bib is free." } },
        problems: [missing],
      },
      async ({ params: { eventId, bib } }) => {
        await removeRunner(registry, eventId, bib);
        return {};
      },
    ),
  ];
}
