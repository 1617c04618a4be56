/** What must hold for an event's whole line after every write: places, order, tickets. */

import type { BlockItem, CapacityItem, ConfigItem, DrawItem, RequestItem, TicketsItem } from "../../src/entry/items.ts";
import { demand } from "./broken.ts";
import type { Change } from "./item-store.ts";

const SETTLED = new Set(["SUCCEEDED", "REJECTED"]);

export class LineRules {
  capacity: CapacityItem | undefined;
  config: ConfigItem | undefined;
  readonly voided = new Set<number>();
  /** Who stands at which rank, once a lottery is drawn. */
  readonly ranks = new Map<string, number>();
  readonly #requests: Map<string, RequestItem>;
  readonly #owners = new Map<number, string>();
  #tickets: TicketsItem | undefined;
  #draw: DrawItem | undefined;
  #rankCount = 0;

  constructor(requests: Map<string, RequestItem>) {
    this.#requests = requests;
  }

  see(changes: Change[]): void {
    for (const change of changes) {
      const SK = (change.after ?? change.before)?.SK ?? "";
      if (SK === "CAPACITY") this.capacity = change.after as CapacityItem | undefined;
      if (SK === "CONFIG") this.config = change.after as ConfigItem | undefined;
      if (SK === "TICKETS") this.#seeCounter(change);
      if (SK === "DRAW") this.#seeDraw(change);
    }
    for (const change of changes) {
      const SK = (change.after ?? change.before)?.SK ?? "";
      if (SK.startsWith("TICKET#")) this.#seeTickets(change);
      if (SK.startsWith("RANK#")) this.#seeRanks(change);
    }
    this.#checkTickets(changes);
    this.#checkPlaces();
    if (this.config?.eventType === "LOTTERY") this.#checkLottery();
    else this.#checkOrder("inversions", ({ ticket }) => ticket);
  }

  #seeCounter({ before, after }: Change): void {
    const [old, counter] = [before as TicketsItem | undefined, after as TicketsItem];
    const grows = !old || (counter.next >= old.next && counter.queuedAt >= old.queuedAt);
    demand(
      grows,
      "tickets-grow",
      () => `the counter went from ${old?.next}/${old?.queuedAt} to ${counter.next}/${counter.queuedAt}`,
    );
    this.#tickets = counter;
  }

  /** What was promised stays as it was. */
  #seeDraw({ before, after }: Change): void {
    for (const name of ["seed", "commitment", "beaconSource", "beaconValue", "frozenAt", "entrantsSha256", "drawnAt"]) {
      const isKept = before?.[name] === undefined || before[name] === after?.[name];
      demand(isKept, "draw-is-kept", () => `${name} of the draw changed from ${before?.[name]} to ${after?.[name]}`);
    }
    this.#draw = after as DrawItem;
  }

  #seeTickets({ before, after }: Change): void {
    demand(!before && after !== undefined, "ticket-given-once", () => `${before?.SK} was written again`);
    const { first, count, requestIds, voided } = after as BlockItem;
    demand(this.#draw?.frozenAt === undefined, "frozen-is-frozen", () => `${after.SK} came after the freeze`);
    const next = this.#tickets?.next ?? 1;
    demand(
      first >= 1 && first + count <= next,
      "ticket-given-once",
      () => `${after.SK} is beyond the counter's ${next}`,
    );
    demand(voided === true || requestIds?.length === count, "ticket-given-once", () => `${after.SK} is nobody's`);
    for (let ticket = first; ticket < first + count; ticket++) {
      const owner = voided ? "void" : (requestIds?.[ticket - first] as string);
      const other = this.#owners.get(ticket);
      demand(other === undefined, "ticket-given-once", () => `ticket ${ticket} was ${other}, and now is ${owner}`);
      this.#owners.set(ticket, owner);
      if (voided) this.voided.add(ticket);
    }
  }

  #seeRanks({ before, after }: Change): void {
    const block = after as BlockItem | undefined;
    demand(block !== undefined, "ranks-kept", () => `${before?.SK} was deleted`);
    const isSame = !before || JSON.stringify(before.requestIds) === JSON.stringify(block.requestIds);
    demand(isSame, "ranks-kept", () => `${block.SK} was written again with others`);
    if (before) return;
    for (const [index, requestId] of (block.requestIds ?? []).entries()) {
      demand(!this.ranks.has(requestId), "ranks-kept", () => `${requestId} has two ranks`);
      this.ranks.set(requestId, block.first + index);
    }
    this.#rankCount += block.count;
    demand(this.#rankCount === this.ranks.size, "ranks-kept", () => `${block.SK} has fewer requests than positions`);
  }

  /** A request's ticket is the one its claim says; later tickets were queued later, also in the index. */
  #checkTickets(changes: Change[]): void {
    for (const { before, after } of changes) {
      if (after?.entityType !== "REQUEST" || before?.ticket === after.ticket) continue;
      const { requestId, ticket, queuedAt = 0, GSI2SK } = after as RequestItem;
      const owner = this.#owners.get(ticket as number);
      demand(owner === requestId, "ticket-given-once", () => `${requestId} has ticket ${ticket}, which is ${owner}`);
      for (const other of this.#requests.values()) {
        if (other.ticket === undefined || other.requestId === requestId) continue;
        demand(
          other.ticket !== ticket,
          "ticket-given-once",
          () => `${requestId} and ${other.requestId} have ${ticket}`,
        );
        const [early, late] = other.ticket < (ticket as number) ? [other, after] : [after, other];
        const inOrder = (early.queuedAt as number) <= (late.queuedAt as number);
        demand(
          inOrder,
          "queued-in-ticket-order",
          () => `ticket ${early.ticket} was queued after ${late.ticket} (${queuedAt})`,
        );
        const inIndexOrder = (early.GSI2SK as string) < (late.GSI2SK as string);
        demand(
          inIndexOrder,
          "queued-in-ticket-order",
          () => `the index has ${late.ticket} before ${early.ticket} (${GSI2SK})`,
        );
      }
    }
  }

  #checkPlaces(): void {
    let taken = 0;
    for (const { status } of this.#requests.values()) if (status === "SUCCEEDED") taken += 1;
    const { capacityTotal = 0, capacityRemaining = 0 } = this.capacity ?? {};
    demand(taken <= capacityTotal, "never-too-many", () => `${taken} places of ${capacityTotal} are taken`);
    demand(
      capacityRemaining >= 0 && capacityTotal - capacityRemaining === taken,
      "places-add-up",
      () => `${capacityTotal} - ${capacityRemaining} places, but ${taken} SUCCEEDED`,
    );
  }

  /** Nobody is decided before somebody further ahead, and nobody has a place while somebody further ahead was turned away. */
  #checkOrder(invariant: string, positionOf: (request: RequestItem) => number | undefined): void {
    let firstOpen = Number.POSITIVE_INFINITY;
    let firstTurnedAway = Number.POSITIVE_INFINITY;
    let lastSettled = 0;
    let lastWinner = 0;
    for (const request of this.#requests.values()) {
      const position = positionOf(request);
      if (position === undefined) continue;
      const { status, resultCode } = request;
      if (status === "QUEUED" || status === "PROCESSING") firstOpen = Math.min(firstOpen, position);
      if (SETTLED.has(status)) lastSettled = Math.max(lastSettled, position);
      if (status === "SUCCEEDED") lastWinner = Math.max(lastWinner, position);
      if (status === "REJECTED" && resultCode !== "CANCELLED") firstTurnedAway = Math.min(firstTurnedAway, position);
    }
    demand(
      lastWinner < firstTurnedAway,
      invariant,
      () => `${lastWinner} has a place, ${firstTurnedAway} was turned away`,
    );
    demand(lastSettled < firstOpen, invariant, () => `${lastSettled} was settled, ${firstOpen} still waits`);
  }

  #checkLottery(): void {
    const isAnnounced = this.config?.status === "Announced";
    if (isAnnounced) this.#checkOrder("inversions", ({ requestId }) => this.ranks.get(requestId));
    if (isAnnounced) return;
    for (const { requestId, status } of this.#requests.values()) {
      const isOpen = status === "RECEIVED" || status === "QUEUED" || status === "FAILED_FINAL";
      demand(isOpen, "secret-until-announced", () => `${requestId} is ${status} before the announcement`);
    }
  }
}
