/** One event under load, from the first click until everything is settled, and then checked from outside. */

import { setTimeout as delay } from "node:timers/promises";
import { type Breach, countInversions, findBreaches, type ListedRequest, type Summary } from "./invariants.ts";
import { type Answer, type Load, runLoad } from "./load.ts";
import type { LoadPlan } from "./load-plan.ts";
import type { Organizer } from "./organizer.ts";

const GIVE_UP_MS = 180_000;
const SETTLED_WITHIN_MS = 180_000;
const RUNNERS_WITHIN_MS = 60_000;
/** Longer than the API keeps a summary. */
const WATCH_EVERY_MS = 250;
const LOOK_EVERY_MS = 50;

export type Subject = { port: number; secret: string; organizer: Organizer };

/** `ratePerSecond` counts all requests, repeats too; without it the connections send back to back. */
export type Ask = { people: number; places: number; connections?: number; ratePerSecond?: number };

export type Kill = { killedAt: number; upAgainAt: number };

export type Scene = {
  eventId: string;
  load: Load;
  /** When the API first showed that everybody had their result; nothing if it never did. */
  settledAt: number | undefined;
  requests: ListedRequest[];
  breaches: Breach[];
  inversions: number;
  voided: number;
  kills: Kill[];
};

let scenes = 0;

/** `disturb` runs beside the load, from its first click on. */
export async function playScene(
  subject: Subject,
  ask: Ask,
  disturb: () => Promise<Kill[]> = async () => [],
): Promise<Scene> {
  scenes += 1;
  const eventId = `scene-${scenes}`;
  const { people, places } = ask;
  await subject.organizer.createEvent(eventId, places);
  const watching = watchPlaces(subject.organizer, eventId, places);
  let disturbing: Promise<Kill[]> | undefined;
  const load = await runLoad(planOf(subject, eventId, ask, "runner-"), () => {
    disturbing = disturb();
  });
  const [settledAt, kills = []] = await Promise.all([untilSettled(subject.organizer, eventId, people), disturbing]);
  const watched = await watching.stop();
  const checked = await checkEvent(subject.organizer, { eventId, places, answers: load.answers });
  return { eventId, load, settledAt, kills, ...checked, breaches: [...checked.breaches, ...watched] };
}

export function planOf(
  { port, secret }: Omit<Subject, "organizer">,
  eventId: string,
  ask: Ask,
  userPrefix: string,
): LoadPlan {
  return {
    port,
    secret,
    path: `/api/events/${eventId}/participations`,
    userPrefix,
    people: ask.people,
    seed: 1,
    connections: ask.connections ?? 256,
    ...(ask.ratePerSecond !== undefined && { ratePerSecond: ask.ratePerSecond }),
    giveUpAfterMs: GIVE_UP_MS,
  };
}

/** The event as the organizer's API shows it now, checked against what people were told. */
export async function checkEvent(
  organizer: Organizer,
  { eventId, places, answers }: { eventId: string; places: number; answers: Answer[] },
): Promise<Pick<Scene, "requests" | "breaches" | "inversions" | "voided">> {
  const requests = await organizer.requests(eventId);
  const runners = await untilRunners(organizer, eventId, countWinners(requests));
  const [summary, deadLetters] = await Promise.all([organizer.summary(eventId), organizer.deadLetters(eventId)]);
  const breaches = findBreaches({ places, answers, requests, summary, runners, deadLetters });
  return { requests, breaches, inversions: countInversions(requests), voided: summary.voided };
}

function settledOf({ byStatus }: Summary): number {
  return (byStatus.SUCCEEDED ?? 0) + (byStatus.REJECTED ?? 0) + (byStatus.FAILED_FINAL ?? 0);
}

export async function untilSettled(organizer: Organizer, eventId: string, people: number): Promise<number | undefined> {
  const deadline = Date.now() + SETTLED_WITHIN_MS;
  while (Date.now() < deadline) {
    const summary = await organizer.summary(eventId);
    if (settledOf(summary) >= people) return Date.now();
    await delay(LOOK_EVERY_MS);
  }
  return undefined;
}

/** The registry hears of winners a little later. */
async function untilRunners(organizer: Organizer, eventId: string, winners: number) {
  const deadline = Date.now() + RUNNERS_WITHIN_MS;
  for (;;) {
    const runners = await organizer.runners(eventId);
    if (runners.length >= winners || Date.now() > deadline) return runners;
    await delay(WATCH_EVERY_MS);
  }
}

/**
 * Places taken and requests that succeeded must be as many at every instant, not only at the end. Both only grow, so that
 * whoever is listed as a winner in between must be at least as many as were counted before, and at most as many as after.
 */
function watchPlaces(organizer: Organizer, eventId: string, places: number): { stop(): Promise<Breach[]> } {
  const over = new AbortController();
  const breaches: Breach[] = [];
  const takenNow = async () => {
    const { capacityTotal, capacityRemaining } = await organizer.summary(eventId);
    return capacityTotal - capacityRemaining;
  };
  const watch = async () => {
    for (let before = 0; before < places && !over.signal.aborted; ) {
      before = await takenNow();
      const listed = countWinners(await organizer.requests(eventId, places));
      await delay(WATCH_EVERY_MS);
      const after = await takenNow();
      if (before <= listed && listed <= after) continue;
      const example = `${listed} had succeeded when ${before} to ${after} places were taken.`;
      breaches.push({ rule: "places taken are requests that succeeded, at every instant", count: 1, example });
    }
  };
  const watched = watch();
  // Whoever stops it hears of a failure.
  watched.catch(() => {});
  return {
    stop: async () => {
      over.abort();
      await watched;
      return breaches;
    },
  };
}

function countWinners(requests: ListedRequest[]): number {
  return requests.filter(({ status }) => status === "SUCCEEDED").length;
}
