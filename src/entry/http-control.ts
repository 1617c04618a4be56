/** The organizers' routes that steer an event's entry: open, pause, close, draw, announce. */

import { z } from "zod";
import { type Route, route } from "../platform/http/route.ts";
import { EventId } from "../platform/ids.ts";
import { announceNow, closeEntry, drawNow, openEntry, pauseEntry } from "./control.ts";
import type { EntryHttp } from "./http.ts";
import { DrawFacts, showDraw } from "./http-draw.ts";
import { findDraw } from "./lottery.ts";
import { EntryState, showEntry } from "./view.ts";

const tag = "Entry of an event";
const access = "organizerOfEvent" as const;
const params = z.object({ eventId: EventId });
const noEntry = { status: 404, code: "event.not-found", when: "The event takes no entries." };
const changed = { status: 409, code: "entry.changed", when: "Somebody else changed it at the same moment." };
const firstCome = { status: 409, code: "draw.first-come", when: "Places go first-come." };
const needsBeacon = { status: 409, code: "draw.needs-beacon", when: "The beacon's value is missing." };

const SteeredEntry = EntryState.extend({
  status: z.enum(["Open", "Closed", "Announced"]).meta({ description: "As it is stored; `phase` looks at times too." }),
  paused: z.boolean(),
  draw: DrawFacts.nullable().meta({ description: "In a lottery." }),
}).meta({ id: "SteeredEntry" });
export type SteeredEntry = z.infer<typeof SteeredEntry>;

const DrawAsk = z.strictObject({
  beaconValue: z
    .string()
    .normalize("NFC")
    .trim()
    .min(1, "It must not be empty.")
    .max(500, "It has at most 500 characters.")
    .regex(/^\P{Cc}*$/u, "It must be one line.")
    .optional()
    .meta({ description: "The public value named in advance, exactly as it was published." }),
});

export function controlRoutes(parts: EntryHttp): Route[] {
  return [showSteered(parts), ...simpleControls(parts), draw(parts)];
}

async function stateNow({ entry, states }: EntryHttp, eventId: string) {
  states.forget(eventId);
  return showEntry(eventId, await states.read(eventId), entry.clock.now());
}

function showSteered({ entry, states }: EntryHttp): Route {
  return route(
    {
      method: "get",
      path: "/admin/events/{eventId}/entry",
      access,
      tag,
      summary: "Show how the event's entry stands, also of a draft",
      params,
      answers: { 200: { description: "Its state, and what is public of its draw.", schema: SteeredEntry } },
      problems: [noEntry],
    },
    async ({ params: { eventId } }) => {
      const now = entry.clock.now();
      const state = await states.read(eventId);
      const { config } = state;
      const found = config.eventType === "LOTTERY" ? await findDraw(entry, eventId) : undefined;
      return {
        body: {
          ...showEntry(eventId, state, now),
          status: config.status,
          paused: config.paused === true,
          draw: found ? showDraw(eventId, config, found, now) : null,
        },
      };
    },
  );
}

const CONTROLS = [
  {
    name: "open",
    summary: "Open entries now",
    description: "Also before their time; ends a pause; opens again what was closed. Asking twice is no error.",
    work: openEntry,
    problems: [
      { status: 409, code: "entry.past-closing", when: "The closing time has passed." },
      { status: 409, code: "entry.frozen", when: "A lottery's cutoff has passed." },
    ],
  },
  {
    name: "pause",
    summary: "Pause entries",
    description: "Nobody can enter until they are opened again; who stands in line is settled.",
    work: pauseEntry,
    problems: [{ status: 409, code: "entry.closed", when: "Entries are closed." }],
  },
  {
    name: "close",
    summary: "Close entries now",
    description: "Who stands in line is settled. A lottery is still drawn at its cutoff.",
    work: (entry: EntryHttp["entry"], eventId: string) => closeEntry(entry, eventId),
    problems: [],
  },
  {
    name: "announce",
    summary: "Announce a lottery's results now",
    description:
      "They announce themselves when their time comes; this does not wait for it to be noticed. Never before.",
    work: announceNow,
    problems: [firstCome, { status: 409, code: "draw.not-due", when: "It is not yet time." }, needsBeacon],
  },
];

function simpleControls(parts: EntryHttp): Route[] {
  return CONTROLS.map(({ name, summary, description, work, problems }) =>
    route(
      {
        method: "post",
        path: `/admin/events/{eventId}/entry/${name}`,
        access,
        tag,
        summary,
        description,
        params,
        answers: { 200: { description: "The entry as it is now.", schema: EntryState } },
        problems: [noEntry, changed, ...problems],
      },
      async ({ params: { eventId } }) => {
        await work(parts.entry, eventId);
        return { body: await stateNow(parts, eventId) };
      },
    ),
  );
}

function draw(parts: EntryHttp): Route {
  return route(
    {
      method: "post",
      path: "/admin/events/{eventId}/entry/draw",
      access,
      tag,
      summary: "Draw a lottery, with its beacon's value",
      description:
        "After the cutoff. Without a beacon the draw makes itself; send `{}` to have it now. Results stay secret.",
      params,
      body: DrawAsk,
      answers: { 200: { description: "The entry as it is now.", schema: EntryState } },
      problems: [
        noEntry,
        changed,
        firstCome,
        needsBeacon,
        { status: 409, code: "draw.too-early", when: "The cutoff is still to come." },
        { status: 409, code: "draw.no-beacon", when: "A value was given, but no beacon named in advance." },
        { status: 409, code: "draw.beacon-given", when: "Another value was given before." },
      ],
    },
    async ({ params: { eventId }, body }) => {
      await drawNow(parts.entry, eventId, body.beaconValue);
      return { body: await stateNow(parts, eventId) };
    },
  );
}
