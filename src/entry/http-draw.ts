/** The draw of a lottery as everybody may see and check it: what was promised, who was frozen in, and the proof. */

import { z } from "zod";
import { attachment } from "../platform/content-disposition.ts";
import type { Incoming } from "../platform/http/exchange.ts";
import { type Answer, type Route, route } from "../platform/http/route.ts";
import { EventId } from "../platform/ids.ts";
import type { Blobs } from "../platform/ports.ts";
import { Problem } from "../platform/problem.ts";
import { noEvent } from "./config.ts";
import type { EntryHttp } from "./http.ts";
import type { ConfigItem, DrawItem } from "./items.ts";
import { PHASES, phaseOf } from "./line-state.ts";
import { entrantsFile, findDraw, proofFile } from "./lottery.ts";

const tag = "Draw";
const params = z.object({ eventId: EventId });
const Time = z.int().meta({ description: "Milliseconds since 1970." });
const Sha256 = z.string().meta({ description: "64 hex digits." });

export const DrawFacts = z
  .object({
    eventId: EventId,
    phase: z.enum(PHASES),
    commitment: Sha256.meta({ description: "The promise: SHA-256 of eventId, a line break and the secret seed." }),
    committedAt: Time,
    beaconSource: z.string().nullable().meta({ description: "The public value named in advance, if there is one." }),
    beaconValue: z.string().nullable().meta({ description: "That value, once it is given." }),
    frozenAt: Time.nullable().meta({ description: "Since when nobody can enter any more." }),
    entrants: z.int().nullable(),
    entrantsSha256: Sha256.nullable().meta({ description: "Of the frozen list, published before the seed." }),
    drawnAt: Time.nullable(),
    announcedAt: Time.nullable().meta({ description: "When results and proof become public." }),
  })
  .meta({ id: "Draw" });

const noDraw = { status: 404, code: "draw.not-found", when: "Places of this event go first-come." };
const noSuchEvent = {
  status: 404,
  code: "event.not-found",
  when: "There is none that takes entries, or it is not published.",
};

/** Never the seed: with it, everybody could compute the results before they are announced. */
export function showDraw(eventId: string, config: ConfigItem, draw: DrawItem, now: number): z.infer<typeof DrawFacts> {
  return {
    eventId,
    phase: phaseOf(config, now),
    commitment: draw.commitment,
    committedAt: draw.committedAt,
    beaconSource: draw.beaconSource ?? null,
    beaconValue: draw.beaconValue ?? null,
    frozenAt: draw.frozenAt ?? null,
    entrants: draw.entrants ?? null,
    entrantsSha256: draw.entrantsSha256 ?? null,
    drawnAt: draw.drawnAt ?? null,
    announcedAt: config.announcedAt ?? null,
  };
}

export function drawRoutes(parts: EntryHttp): Route[] {
  return [drawFacts(parts), entrants(parts), proof(parts)];
}

function drawFacts(parts: EntryHttp): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/draw",
      access: "anyone",
      tag,
      summary: "Show what is public of a lottery's draw",
      params,
      answers: { 200: { description: "What is known so far; null what is not.", schema: DrawFacts } },
      problems: [noSuchEvent, noDraw],
    },
    async ({ params: { eventId } }) => {
      const { config, draw } = await readPublicDraw(parts, eventId);
      const body = showDraw(eventId, config, draw, parts.entry.clock.now());
      return { body, headers: { "cache-control": "public, max-age=1" } };
    },
  );
}

function entrants(parts: EntryHttp): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/draw/entrants.txt",
      access: "anyone",
      tag,
      summary: "Download the frozen list of entrants",
      description: "A line for each: ticket and hash. Entrants find themselves by their request's id.",
      params,
      answers: { 200: { description: "The file. With its `ETag`, 304.", contentType: "text/plain" } },
      problems: [noSuchEvent, noDraw, { status: 409, code: "draw.not-frozen", when: "Entries have not ended." }],
    },
    async ({ params: { eventId }, request }) => {
      const { draw } = await readPublicDraw(parts, eventId);
      if (!draw.isListed) throw notFrozen();
      return serveFile(parts.entry.draws, request, { key: entrantsFile(eventId), name: `entrants-${eventId}.txt` });
    },
  );
}

function proof(parts: EntryHttp): Route {
  return route(
    {
      method: "get",
      path: "/events/{eventId}/draw/proof.json",
      access: "anyone",
      tag,
      summary: "Download the proof of the draw",
      description: "Everything needed to compute the draw again: `snaprace verify-draw proof.json`.",
      params,
      answers: { 200: { description: "The file. With its `ETag`, 304.", contentType: "application/json" } },
      problems: [noSuchEvent, noDraw, { status: 409, code: "draw.not-announced", when: "There are no results yet." }],
    },
    async ({ params: { eventId }, request }) => {
      const { config } = await readPublicDraw(parts, eventId);
      if (config.status !== "Announced") throw notAnnounced(config, parts.entry.clock.now());
      return serveFile(parts.entry.draws, request, { key: proofFile(eventId), name: `proof-${eventId}.json` });
    },
  );
}

async function readPublicDraw({ entry, states }: EntryHttp, eventId: string) {
  const { config } = await states.read(eventId);
  if (!config.published) throw noEvent(eventId);
  const draw = config.eventType === "LOTTERY" ? await findDraw(entry, eventId) : undefined;
  if (draw) return { config, draw };
  throw new Problem("missing", "draw.not-found", "Places of this event go first-come: there is no draw.");
}

function notFrozen(): Problem {
  const sentence = "The list of entrants comes when entries have ended. Look at `lotteryCutoffAt`, and come back then.";
  return new Problem("conflict", "draw.not-frozen", sentence);
}

function notAnnounced({ announcedAt = 0 }: ConfigItem, now: number): Problem {
  const sentence =
    now < announcedAt
      ? `The proof comes with the results, at ${new Date(announcedAt).toISOString()}. Come back then.`
      : "The proof comes with the results, which are late: the draw is not made yet. Come back in a while.";
  return new Problem("conflict", "draw.not-announced", sentence, { details: { announcedAt } });
}

/** Such a file never changes; an event that is made anew under the same id has another. */
const CACHE_CONTROL = "public, max-age=60";

async function serveFile(
  draws: Blobs,
  request: Incoming,
  { key, name }: { key: string; name: string },
): Promise<Answer> {
  const head = await draws.head(key);
  if (!head) throw new Problem("missing", "draw.no-file", "The file is not there any more.");
  const headers = { etag: `"${head.etag}"`, "cache-control": CACHE_CONTROL };
  if (isKnown(request, headers.etag)) return { status: 304, headers };
  const about = {
    ...headers,
    "content-type": head.contentType,
    "content-length": String(head.sizeBytes),
    "content-disposition": attachment(name),
  };
  // Reading begins with opening the file, and nobody would close it.
  const file = request.method === "HEAD" ? undefined : await draws.get(key);
  return { status: 200, headers: about, ...(file && { stream: ReadableStream.from(file.body) }) };
}

/** Proxies that compress make an ETag weak. */
function isKnown(request: Incoming, etag: string): boolean {
  const known = request.header("if-none-match")?.split(",") ?? [];
  return known.some((each) => each.trim().replace(/^W\//, "") === etag);
}
