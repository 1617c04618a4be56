/** `snaprace entry requests` and `entry request`: who stands in an event's line, and what happened to one of them. */

import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { z } from "zod";
import type { RequestLogEntry } from "../../entry/http-organizer.ts";
import type { RequestStatus } from "../../entry/items.ts";
import { RequestId } from "../../entry/request-id.ts";
import type { AdminRequest } from "../../entry/view.ts";
import { EventId } from "../../platform/ids.ts";
import { type Call, describe, limitOption, onApi, parsedBy, type Result } from "./command.ts";
import { instant } from "./entry-wording.ts";
import { writeWhole } from "./output-file.ts";
import { createProgress } from "./progress.ts";
import { facts, table } from "./table.ts";
import { mebibytes } from "./wording.ts";

type Request = z.infer<typeof AdminRequest>;
type ListOptions = { status?: string; newest?: boolean; limit?: number; csv?: string };

/** Those that a request with a ticket can have. */
const STATUSES: RequestStatus[] = ["QUEUED", "PROCESSING", "SUCCEEDED", "REJECTED", "FAILED_FINAL"];

export function addRequests(group: Command): void {
  addList(group);
  addOne(group);
}

function addList(group: Command): void {
  const list = describe(group.command("requests"), "List an event's requests in the order of the line.", [
    "entry requests han-river-10k --limit 20",
    "entry requests han-river-10k --status rejected --newest",
    "entry requests han-river-10k --csv requests.csv",
  ]);
  list
    .argument("<event>", "the event's id", parsedBy(EventId))
    .addOption(new Option("--status <status>", `only those: ${STATUSES.join(", ")}`).argParser(statusNamed))
    .option("--newest", "newest first")
    .addOption(limitOption())
    .addOption(
      new Option("--csv <file>", "write all of them to a CSV file; - for standard output").conflicts([
        "status",
        "newest",
        "limit",
      ]),
    );
  onApi<[string], ListOptions>(list, (call) => (call.options.csv === undefined ? listAll(call) : exportAll(call)));
}

function statusNamed(text: string): string {
  const status = text.toUpperCase().replaceAll("-", "_");
  if (STATUSES.some((each) => each === status)) return status;
  throw new InvalidArgumentError(`Give one of ${STATUSES.join(", ")}.`);
}

async function listAll({ api, args: [eventId], options }: Call<[string], ListOptions>): Promise<Result> {
  const { status, newest, limit } = options;
  const query = new URLSearchParams({ order: newest ? "newest" : "queue", ...(status !== undefined && { status }) });
  const items = await api.list<Request>(`${pathOf(eventId)}?${query}`, limit);
  const rows = items.map((request) => [
    String(request.ticket ?? ""),
    request.requestId,
    request.userId,
    request.status,
    request.resultCode ?? "",
    String(request.rank ?? ""),
    String(request.place ?? ""),
    request.queuedAt === null ? "" : instant(request.queuedAt),
  ]);
  const headings = ["ticket", "request", "user", "status", "result", "rank", "place", "queued"];
  const none =
    status === undefined ? `${eventId} has no requests yet.` : `${eventId} has no requests that are ${status}.`;
  return { json: { items }, text: table(headings, rows, none) };
}

const pathOf = (eventId: string) => `/admin/events/${encodeURIComponent(eventId)}/requests`;

async function exportAll({ api, args: [eventId], options }: Call<[string], ListOptions>): Promise<Result | undefined> {
  const { csv: output = "-", json } = options;
  const csv = await api.download(`${pathOf(eventId)}.csv`);
  if (output === "-") {
    await pipeline(csv, process.stdout, { end: false });
    return undefined;
  }
  const progress = createProgress({ silent: json === true, stream: process.stderr, amount: mebibytes });
  async function* counted() {
    let sizeBytes = 0;
    for await (const piece of csv) {
      sizeBytes += piece.byteLength;
      progress.show("Writing", sizeBytes);
      yield piece;
    }
  }
  await writeWhole(output, counted()).finally(() => progress.end());
  const { size: sizeBytes } = await stat(output);
  return { json: { output, sizeBytes }, text: `Wrote the requests of ${eventId} to ${output}.` };
}

function addOne(group: Command): void {
  const show = describe(group.command("request"), "Show a request and all that happened to it.", [
    "entry request 01JD2QX5Y8V6M3T9K7R4W1ZP0N",
  ]);
  show.argument("<request>", "the request's id", parsedBy(RequestId));
  onApi<[string], object>(show, async ({ api, args: [requestId] }) => {
    const path = `/admin/requests/${encodeURIComponent(requestId)}`;
    const request = await api.call<Request>("GET", path);
    const log = await api.list<RequestLogEntry>(`${path}/logs`);
    const steps = log.map(({ occurredAt, toStatus, message }) => [
      new Date(occurredAt).toISOString(),
      toStatus,
      message,
    ]);
    const text = `${facts(requestFacts(request))}\n\n${table(["at", "status", "why"], steps, "Its log has expired.")}`;
    return { json: { ...request, log }, text };
  });
}

function requestFacts(request: Request): { [name: string]: string | undefined } {
  const { failureClass, errorCode, errorMessage } = request;
  return {
    request: request.requestId,
    event: `${request.eventId} (${request.eventType === "LOTTERY" ? "lottery" : "first-come"})`,
    user: request.userId,
    status: request.status,
    result: request.resultCode ?? undefined,
    ticket: request.ticket?.toLocaleString("en"),
    rank: request.rank?.toLocaleString("en"),
    place: request.place?.toLocaleString("en"),
    requested: instant(request.requestedAt),
    queued: instant(request.queuedAt),
    finished: instant(request.finishedAt),
    failure: errorCode === null ? undefined : `${errorCode} (${failureClass}): ${errorMessage}`,
  };
}
