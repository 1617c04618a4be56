/** `snaprace entry`: an event's sign-ups, from opening them to announcing who got a place. */

import type { Command } from "commander";
import type { Fairness } from "../../entry/fairness.ts";
import type { SteeredEntry } from "../../entry/http-control.ts";
import type { Summary } from "../../entry/summary.ts";
import type { EntryState } from "../../entry/view.ts";
import { EventId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import type { Event } from "../../registry/events/event.ts";
import { describe, onApi, parsedBy, wholeNumber } from "./command.ts";
import { addDeadLetters } from "./entry-dead-letters.ts";
import { addRequests } from "./entry-requests.ts";
import { duration, instant } from "./entry-wording.ts";
import { mergedEntry } from "./event-options.ts";
import { facts, table } from "./table.ts";
import { counted } from "./wording.ts";

const pathOf = (eventId: string) => `/admin/events/${encodeURIComponent(eventId)}`;
const eventArgument = ["<event>", "the event's id", parsedBy(EventId)] as const;

export function addEntry(commands: Command): void {
  const group = commands.command("entry").description("An event's sign-ups: who stands in line and who got a place.");
  addShow(group);
  addControls(group);
  addDraw(group);
  addCapacity(group);
  addSummary(group);
  addFairness(group);
  addRequests(group);
  addDeadLetters(group);
}

function addShow(group: Command): void {
  const show = describe(group.command("show"), "Show how an event's entry stands, and what is public of its draw.", [
    "entry show han-river-10k",
  ]);
  onApi<[string], object>(show.argument(...eventArgument), async ({ api, args: [eventId] }) => {
    const entry = await api.call<SteeredEntry>("GET", `${pathOf(eventId)}/entry`);
    return { json: entry, text: facts({ ...stateFacts(entry), ...drawFacts(entry.draw) }) };
  });
}

const PHASES: { [phase in EntryState["phase"]]: string } = {
  NOT_OPEN: "not open yet",
  OPEN: "open",
  PAUSED: "paused",
  CLOSED: "closed",
  DRAWING: "closed, results to be announced",
  ANNOUNCED: "results announced",
};

function stateFacts(entry: EntryState): { [name: string]: string | undefined } {
  return {
    event: entry.eventId,
    places: `${entry.placesLeft.toLocaleString("en")} of ${entry.capacityTotal.toLocaleString("en")} left, ${entry.eventType === "LOTTERY" ? "by lottery" : "first-come"}`,
    entries: PHASES[entry.phase],
    "in line": `${counted(entry.tickets, "ticket")}, ${entry.waiting.toLocaleString("en")} without a result`,
    opens: instant(entry.opensAt),
    closes: instant(entry.closesAt),
    cutoff: instant(entry.lotteryCutoffAt),
    results: instant(entry.announcedAt),
    "cancel until": instant(entry.cancelUntil),
  };
}

function drawFacts(draw: SteeredEntry["draw"]): { [name: string]: string | undefined } {
  if (!draw) return {};
  return {
    commitment: draw.commitment,
    beacon: draw.beaconSource === null ? "none" : `${draw.beaconSource}: ${draw.beaconValue ?? "not given yet"}`,
    frozen: draw.frozenAt === null ? "not yet" : `${instant(draw.frozenAt)}, ${counted(draw.entrants ?? 0, "entrant")}`,
    drawn: draw.drawnAt === null ? "not yet" : instant(draw.drawnAt),
  };
}

type Control = { name: string; description: string; say(eventId: string): string };

const CONTROLS: Control[] = [
  {
    name: "open",
    description: "Open entries now, also before their time, after a pause, or once more.",
    say: (eventId) => `Entries of ${eventId} are open.`,
  },
  {
    name: "pause",
    description: "Let nobody in for the moment; `entry open` goes on.",
    say: (eventId) => `Entries of ${eventId} are paused. Who stands in line gets their result.`,
  },
  {
    name: "close",
    description: "Close entries now.",
    say: (eventId) => `Entries of ${eventId} are closed. Who stands in line gets their result.`,
  },
  {
    name: "announce",
    description: "Announce a lottery's results, when it is time.",
    say: (eventId) => `The results of ${eventId} are announced.`,
  },
];

function addControls(group: Command): void {
  for (const { name, description, say } of CONTROLS) {
    const control = describe(group.command(name), description, [`entry ${name} han-river-10k`]);
    onApi<[string], object>(control.argument(...eventArgument), async ({ api, args: [eventId] }) => {
      const state = await namingCommands(eventId, api.call<EntryState>("POST", `${pathOf(eventId)}/entry/${name}`));
      return { json: state, text: say(eventId) };
    });
  }
}

function addDraw(group: Command): void {
  const draw = describe(
    group.command("draw"),
    "Draw a lottery after its cutoff; results stay secret until announced.",
    ["entry draw han-river-10k", "entry draw han-river-10k --beacon 8f3c1f6d2b"],
  );
  draw.argument(...eventArgument).option("--beacon <value>", "the value of the beacon that was named in advance");
  onApi<[string], { beacon?: string }>(draw, async ({ api, args: [eventId], options: { beacon } }) => {
    const body = beacon === undefined ? {} : { beaconValue: beacon };
    const state = await namingCommands(eventId, api.call<EntryState>("POST", `${pathOf(eventId)}/entry/draw`, body));
    const then =
      state.phase === "ANNOUNCED" ? "Its results are announced." : `Results come at ${instant(state.announcedAt)}.`;
    return { json: state, text: `The draw of ${eventId} is made. ${then}` };
  });
}

/** People at a terminal have options and know nothing of fields. */
const OPTIONS: { [field: string]: (eventId: string) => string } = {
  beaconValue: () => "--beacon",
  closesAt: (eventId) => `time with \`snaprace event edit ${eventId} --closes\``,
  announcedAt: (eventId) => `time with \`snaprace event edit ${eventId} --announce\``,
};

async function namingCommands<T>(eventId: string, work: Promise<T>): Promise<T> {
  return work.catch((error) => {
    if (!(error instanceof Problem) || error.kind !== "conflict") throw error;
    const { kind, code, details } = error;
    const sentence = error.message.replaceAll(/`(\w+)`/g, (whole, field: string) => OPTIONS[field]?.(eventId) ?? whole);
    throw new Problem(kind, code, sentence, { details });
  });
}

function addCapacity(group: Command): void {
  const capacity = describe(
    group.command("capacity"),
    "Set how many places there are; new ones go to the next in line.",
    ["entry capacity han-river-10k 600"],
  );
  capacity
    .argument(...eventArgument)
    .argument("<places>", "how many places there are in all", wholeNumber(1, 1_000_000));
  onApi<[string, number], object>(capacity, async ({ api, args: [eventId, capacityTotal] }) => {
    const { entry } = await api.call<Event>("GET", pathOf(eventId));
    if (!entry) {
      const sentence = `${eventId} takes no entries. Say how places go with \`snaprace event edit ${eventId}\`.`;
      throw new Problem("missing", "event.no-entry", sentence);
    }
    const body = { entry: mergedEntry(entry, { capacityTotal }) };
    const changed = await api.call<Event>("PATCH", pathOf(eventId), body);
    const more = capacityTotal > entry.capacityTotal ? " Who is next in line gets the new ones." : "";
    return { json: changed, text: `${eventId} has ${counted(capacityTotal, "place")}.${more}` };
  });
}

function addSummary(group: Command): void {
  const summary = describe(group.command("summary"), "Count an event's requests by status and result.", [
    "entry summary han-river-10k",
  ]);
  onApi<[string], object>(summary.argument(...eventArgument), async ({ api, args: [eventId] }) => {
    const found = await api.call<Summary>("GET", `${pathOf(eventId)}/summary`);
    const count = (value: number) => value.toLocaleString("en");
    const head = facts({
      places: `${count(found.capacityRemaining)} of ${count(found.capacityTotal)} left`,
      tickets: `${count(found.tickets)}, ${count(found.voided)} of them void`,
      "last moved": instant(found.updatedAt),
    });
    const { RECEIVED: _, ...byStatus } = found.byStatus;
    const counts = (heading: string, of: { [name: string]: number }) =>
      table(
        [heading, "requests"],
        Object.entries(of).map(([name, value]) => [name, count(value)]),
        "",
      );
    const text = [head, counts("status", byStatus), counts("result", found.byResult)].join("\n\n");
    return { json: found, text };
  });
}

function addFairness(group: Command): void {
  const fairness = describe(group.command("fairness"), "Check along the whole line that places went in its order.", [
    "entry fairness han-river-10k",
  ]);
  onApi<[string], object>(fairness.argument(...eventArgument), async ({ api, args: [eventId] }) => {
    const found = await api.call<Fairness>("GET", `${pathOf(eventId)}/fairness`);
    return { json: found, text: facts(fairnessFacts(found)) };
  });
}

function fairnessFacts(found: Fairness): { [name: string]: string } {
  const { inversions, voidedTickets, voidedCount, oldestUnsettledTicket, oldestUnsettledAgeMs, settleLagMs } = found;
  const more = voidedCount > voidedTickets.length ? ", …" : "";
  return {
    checked: `${counted(found.checkedRequests, "request")}, ${instant(found.checkedAt)}`,
    inversions: inversions === 0 ? "none: places went in the order of the line" : inversions.toLocaleString("en"),
    "void tickets":
      voidedCount === 0 ? "none" : `${voidedCount.toLocaleString("en")} (${voidedTickets.join(", ")}${more})`,
    "oldest unsettled":
      oldestUnsettledTicket === null
        ? "none"
        : `ticket ${oldestUnsettledTicket}, for ${duration(oldestUnsettledAgeMs ?? 0)}`,
    "settle lag": settleLagMs
      ? `${duration(settleLagMs.median)} (median), ${duration(settleLagMs.max)} at most`
      : "none",
  };
}
