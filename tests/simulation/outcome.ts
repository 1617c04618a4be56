/** What must hold when the faults are over and everything has come to rest. */

import type { RequestItem } from "../../src/entry/items.ts";
import { activeKey, drawKey, eventPartition } from "../../src/entry/items.ts";
import { entrantsFile, proofFile } from "../../src/entry/lottery.ts";
import { demand } from "./broken.ts";
import { EVENT_ID } from "./plan.ts";
import type { World } from "./world.ts";

const FINAL = new Set(["SUCCEEDED", "REJECTED", "FAILED_FINAL"]);

/** Whether everybody who was put in line has a result, and no message is under way. */
export function isAtRest(world: World): boolean {
  for (const message of world.services.requests.messages.values()) if (!message.dead) return false;
  for (const request of world.requestRules.requests.values()) if (isOpen(world, request)) return false;
  for (const { SK } of world.services.items.partitions.get(eventPartition(EVENT_ID))?.values() ?? []) {
    if (SK.startsWith("OUTGOING#")) return false;
  }
  return true;
}

/** Nobody ever had a 202 for a request that did not even reach the queue: it waits for its entrant to ask again. */
function isOpen(world: World, { requestId, status }: RequestItem): boolean {
  return !FINAL.has(status) && (status !== "RECEIVED" || world.isUnderWay(requestId));
}

export function checkOutcome(world: World): void {
  const requests = [...world.requestRules.requests.values()];
  for (const request of requests) {
    demand(!isOpen(world, request), "everybody-gets-a-result", () => `${request.requestId} is still ${request.status}`);
  }
  for (const { requestId, ticket } of world.acknowledged.values()) {
    const stored = world.requestRules.requests.get(requestId);
    const isKept = stored !== undefined && stored.ticket === ticket && FINAL.has(stored.status);
    demand(
      isKept,
      "everybody-gets-a-result",
      () => `${requestId} was acknowledged with ${ticket} and is ${stored?.status}`,
    );
  }
  checkDeadLetters(world);
  if (world.isRemoved) {
    checkRemoved(world);
    return;
  }
  checkPlaces(world, requests);
  checkCounts(world, requests);
  checkSettings(world);
  checkTold(world, requests);
  if (world.lineRules.config?.eventType === "LOTTERY") checkDraw(world, requests);
}

/** Requests stay with their entrants; the line is gone. */
function checkRemoved({ services: { items } }: World): void {
  const all = [...(items.partitions.get(eventPartition(EVENT_ID))?.values() ?? [])];
  // What has a time to live goes by itself.
  const left = all.filter(({ ttl }) => ttl === undefined).map(({ SK }) => SK);
  demand(left.length === 0, "removed-is-removed", () => `the removed event still has ${left.join(", ")}`);
  demand(
    items.peek(activeKey(EVENT_ID)) === undefined,
    "removed-is-removed",
    () => "the removed event is still active",
  );
}

function checkPlaces({ lineRules }: World, requests: RequestItem[]): void {
  const { capacityTotal = 0 } = lineRules.capacity ?? {};
  const isIn = ({ ticket, status, resultCode }: RequestItem) =>
    ticket !== undefined && status !== "FAILED_FINAL" && resultCode !== "CANCELLED";
  const wanted = Math.min(capacityTotal, requests.filter(isIn).length);
  const taken = requests.filter(({ status }) => status === "SUCCEEDED").length;
  demand(taken === wanted, "exactly-n-places", () => `${taken} SUCCEEDED instead of ${wanted}`);
}

/** What the registry said last is what holds here. */
function checkSettings({ event: { entry }, lineRules: { capacity, config } }: World): void {
  if (!capacity || !config || !entry) return;
  const isEnough = config.capacityTotal === entry.capacityTotal && capacity.capacityTotal >= entry.capacityTotal;
  demand(isEnough, "settings-arrive", () => `${config.capacityTotal} places, the registry says ${entry.capacityTotal}`);
  const here = config.lotteryCutoffAt ?? config.closesAt;
  const there = entry.eventType === "LOTTERY" ? entry.lotteryCutoffAt : entry.closesAt;
  const isSame = here === (there && Date.parse(there));
  demand(isSame, "settings-arrive", () => `entries end at ${here}, the registry says ${there && Date.parse(there)}`);
}

/** The figures that organizers see, which nobody counts anew. */
function checkCounts({ lineRules, requestRules }: World, requests: RequestItem[]): void {
  const { capacity, voided } = lineRules;
  if (!capacity) return;
  const count = (wanted: (request: RequestItem) => boolean) => requests.filter(wanted).length;
  const counted = {
    rejected: count(({ status, resultCode }) => status === "REJECTED" && resultCode !== "CANCELLED"),
    failed: count(({ status, ticket }) => status === "FAILED_FINAL" && ticket !== undefined),
    cancelled: count(({ resultCode }) => resultCode === "CANCELLED"),
    voided: voided.size,
    placesGiven: requestRules.places.size,
  };
  for (const [name, figure] of Object.entries(counted)) {
    demand(capacity[name] === figure, "figures-are-right", () => `${name} is ${capacity[name]}, not ${figure}`);
  }
}

/** The registry heard of every place, by its one number, and of every place given back. */
function checkTold({ told, requestRules }: World, requests: RequestItem[]): void {
  const given = new Map<number, string>();
  const returned = new Set<string>();
  for (const message of told) {
    if (message.type === "place.returned") returned.add(message.requestId);
    else
      for (const { place, requestId } of message.places) {
        const other = given.get(place) ?? requestId;
        demand(
          other === requestId,
          "place-given-once",
          () => `place ${place} was announced for ${other} and ${requestId}`,
        );
        given.set(place, requestId);
      }
  }
  for (const [place, requestId] of requestRules.places) {
    demand(
      given.get(place) === requestId,
      "registry-hears",
      () => `place ${place} of ${requestId} was never announced`,
    );
  }
  demand(given.size === requestRules.places.size, "registry-hears", () => "a place was announced that nobody got");
  for (const { requestId, resultCode } of requests) {
    const isRight = returned.has(requestId) === (resultCode === "CANCELLED");
    demand(
      isRight,
      "registry-hears",
      () => `${requestId} is ${resultCode}, told as returned: ${returned.has(requestId)}`,
    );
  }
}

/** Only what is no message about a request may stay. */
function checkDeadLetters({ services }: World): void {
  for (const { id, body, reason } of services.requests.dead()) {
    demand(!body.includes("requestId"), "dead-letters-heal", () => `${id} is dead again: ${reason}`);
  }
}

function checkDraw({ services, lineRules }: World, requests: RequestItem[]): void {
  const draw = services.items.peek(drawKey(EVENT_ID));
  demand(lineRules.config?.status === "Announced", "draw-is-made", () => `the lottery is ${lineRules.config?.status}`);
  const entrants = requests.filter(({ ticket }) => ticket !== undefined);
  const isWhole = entrants.length === lineRules.ranks.size && draw?.entrants === entrants.length;
  demand(
    isWhole,
    "draw-is-made",
    () => `${entrants.length} entrants, ${lineRules.ranks.size} ranks, ${draw?.entrants} frozen`,
  );
  const list = Buffer.from(services.blobs.get(entrantsFile(EVENT_ID))?.bytes ?? []).toString();
  const isList =
    list.includes(`${draw?.entrantsSha256}`) && list.includes(new Date(draw?.frozenAt as number).toISOString());
  demand(isList, "draw-is-published", () => `the list of entrants is not the frozen one: ${list.slice(0, 200)}`);
  const proof = JSON.parse(Buffer.from(services.blobs.get(proofFile(EVENT_ID))?.bytes ?? []).toString());
  for (const name of ["seed", "commitment", "frozenAt", "drawnAt", "entrantsSha256"]) {
    demand(
      proof[name] === draw?.[name],
      "draw-is-published",
      () => `${name} is ${draw?.[name]}, the proof has ${proof[name]}`,
    );
  }
  const byRank = entrants.toSorted((a, b) => rankOf(a) - rankOf(b)).map(({ ticket }) => ticket);
  const proven = (proof.order as [number, number][]).map(([, ticket]) => ticket);
  demand(`${proven}` === `${byRank}`, "draw-is-published", () => `ranks ${byRank}, the proof has ${proven}`);

  function rankOf({ requestId }: RequestItem): number {
    return lineRules.ranks.get(requestId) ?? 0;
  }
}
