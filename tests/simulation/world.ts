/** One seed's world: its processes live, crash and live again, while all that must hold is watched. */

import { EntryMessage } from "../../src/entry/events.ts";
import type { RequestItem } from "../../src/entry/items.ts";
import type { EventForEntry } from "../../src/registry/events.ts";
import { demand } from "./broken.ts";
import type { EntryModule } from "./entry-module.ts";
import type { Change } from "./item-store.ts";
import { begin, type Life } from "./life.ts";
import { LineRules } from "./line-rules.ts";
import { EVENT_ID, makePlan, type Plan } from "./plan.ts";
import { Random } from "./random.ts";
import { RequestRules } from "./request-rules.ts";
import { type Process, Scheduler } from "./scheduler.ts";
import { Services } from "./services.ts";
import { Weather } from "./weather.ts";

const RESTARTS_MS = [0, 300, 3000, 20_000];

/** What a person was told with a 202. */
export type Acknowledged = { requestId: string; ticket: number | undefined };

export class World {
  readonly plan: Plan;
  readonly random: Random;
  readonly scheduler: Scheduler;
  readonly weather: Weather;
  readonly services: Services;
  readonly requestRules: RequestRules;
  readonly lineRules: LineRules;
  /** By person. */
  readonly acknowledged = new Map<number, Acknowledged>();
  /** For each person, the last ticket that anybody had been told of when they first clicked. */
  readonly #cameBehind = new Map<number, number>();
  /** What the registry says of the event. */
  readonly event: EventForEntry;
  isRemoved = false;
  /** Every message to the registry, in the order in which they were sent. */
  readonly told: EntryMessage[] = [];
  lastWriteMs = 0;
  /** Set by whatever goes wrong outside of a step. */
  failure: unknown;
  readonly counts: { [what: string]: number } = {};
  readonly module: EntryModule;
  readonly #lives: Life[] = [];
  readonly #sent = new Set<string>();
  /** Whose message is in the queue since its request was last RECEIVED. */
  readonly #waiting = new Set<string>();
  readonly #startedBy = new Map<string, Process | undefined>();
  /** Who the effect at this moment is from. */
  #atWork: Process | undefined;
  #lastTold = 0;

  constructor(seed: number, module: EntryModule) {
    this.module = module;
    this.random = new Random(seed);
    this.scheduler = new Scheduler(this.random.fork());
    this.weather = new Weather(this.random.fork());
    this.plan = makePlan(this.random.fork(), this.scheduler.nowMs);
    this.services = new Services(this.scheduler, this.weather, this.plan.requestQueue, (process) => {
      this.#atWork = process;
      this.#maybeCrash(process);
    });
    const { nowMs } = this.scheduler;
    const day = { startsAt: nowMs + 86_400_000, endsAt: nowMs + 2 * 86_400_000 };
    this.event = {
      eventId: EVENT_ID,
      orgId: "simulated",
      published: true,
      revision: 1,
      ...day,
      entry: this.plan.entry,
    };
    const acknowledgedIds = () => [...this.acknowledged.values()].map(({ requestId }) => requestId);
    this.requestRules = new RequestRules({
      isSent: (requestId) => this.#sent.has(requestId),
      isAcknowledged: (requestId) => acknowledgedIds().includes(requestId),
      isEventGone: () => this.isRemoved,
    });
    this.lineRules = new LineRules(this.requestRules.requests);
    this.#watch();
    for (const index of this.plan.roles.keys()) this.#start(index);
  }

  /** A process of the kind that lives at this moment, if there is one. */
  someLife(kind: "isApi" | "isWorker"): Life | undefined {
    const living = this.#lives.filter(({ process, role }) => process.alive && role[kind]);
    return living.length > 0 ? this.random.pick(living) : undefined;
  }

  happened(what: string, times = 1): void {
    this.counts[what] = (this.counts[what] ?? 0) + times;
  }

  /** Whether a message brings it on from RECEIVED; else it waits for its entrant to ask again. */
  isUnderWay(requestId: string): boolean {
    return this.#waiting.has(requestId);
  }

  acknowledge(person: number, told: Acknowledged): void {
    const before = this.acknowledged.get(person);
    const isSame = !before || before.requestId === told.requestId || this.isRemoved;
    demand(isSame, "one-request-each", () => `person ${person} was told ${before?.requestId}, then ${told.requestId}`);
    const stored = this.requestRules.requests.get(told.requestId);
    demand(stored !== undefined, "acknowledged-is-kept", () => `${told.requestId} was acknowledged and is not there`);
    demand(
      stored.ticket === told.ticket,
      "ticket-changed",
      () => `${told.requestId} was told ${told.ticket}, has ${stored.ticket}`,
    );
    this.acknowledged.set(person, told);
    const { ticket } = told;
    if (ticket === undefined) return;
    const ahead = this.#cameBehind.get(person) ?? 0;
    demand(ticket > ahead, "later-is-behind", () => `person ${person} came when ${ahead} was given, and got ${ticket}`);
    this.#lastTold = Math.max(this.#lastTold, ticket);
  }

  /** Somebody asks for a place, for the first time or again. */
  arrives(person: number): void {
    if (!this.#cameBehind.has(person)) this.#cameBehind.set(person, this.#lastTold);
  }

  /** The faults stop, and everything that is down comes up again. */
  calmDown(): void {
    this.weather.clear();
    for (const [index, { process }] of this.#lives.entries()) if (!process.alive) this.#start(index);
  }

  /** Everything dies at once and starts anew. */
  restartAll(): void {
    for (const [index, { process }] of this.#lives.entries()) {
      process.alive = false;
      this.#start(index);
    }
  }

  #watch(): void {
    this.services.items.onChanges = (changes) => {
      this.lastWriteMs = this.scheduler.nowMs;
      this.requestRules.see(changes);
      // With the event its line is gone, and with it what held for it.
      if (!this.isRemoved) this.lineRules.see(changes);
      for (const change of changes) this.#count(change);
    };
    this.services.requests.onSent = (body) => {
      const requestId = /"requestId":"(\w+)"/.exec(body)?.[1];
      if (!requestId) return;
      this.#sent.add(requestId);
      this.#waiting.add(requestId);
    };
    this.services.messages.onSent = (body) => this.told.push(EntryMessage.parse(JSON.parse(body)));
  }

  #count({ before, after }: Change): void {
    if (after?.entityType !== "REQUEST" || before?.status === after.status) return;
    const { requestId, status } = after as RequestItem;
    const role = this.#lives.find(({ process }) => process === this.#atWork)?.role;
    if (status === "RECEIVED") this.#waiting.delete(requestId);
    if (status === "QUEUED" && role && !role.isApi) this.happened("adopted");
    if (status === "PROCESSING") this.#startedBy.set(requestId, this.#atWork);
    if (before?.status === "PROCESSING" && this.#startedBy.get(requestId) !== this.#atWork) this.happened("resumed");
  }

  #start(index: number): void {
    const role = this.plan.roles[index] as Plan["roles"][number];
    const kind = role.isApi ? (role.isWorker ? "both" : "api") : "worker";
    this.#lives[index] = begin({
      name: `${kind}${index}`,
      role,
      skewMs: this.random.between(-this.plan.skewsMs, this.plan.skewsMs),
      module: this.module,
      services: this.services,
      scheduler: this.scheduler,
      event: () => (this.isRemoved ? undefined : { ...this.event }),
      onDefect: (error) => {
        this.failure ??= error;
      },
    });
  }

  #maybeCrash(process: Process): void {
    if (!process.alive || !this.weather.strikes("crash")) return;
    this.scheduler.onStep?.(`${process.name} crashes`);
    process.alive = false;
    const index = this.#lives.findIndex((life) => life.process === process);
    const restart = () => {
      if (this.#lives[index]?.process === process) this.#start(index);
    };
    this.scheduler.plan(this.random.pick(RESTARTS_MS), () => `${process.name} starts again`, restart);
  }
}
