/** The services that all processes of a simulation share: one table, two queues, one bucket. */

import type { EntryFacts } from "../../src/entry/entry.ts";
import { entryQueue } from "../../src/entry/events.ts";
import type { QueueSettings } from "../../src/platform/ports.ts";
import type { EventForEntry } from "../../src/registry/events.ts";
import { type BlobStore, blobsOf } from "./blobs.ts";
import { ItemStore } from "./item-store.ts";
import { MessageStore } from "./message-store.ts";
import { queueOf } from "./queue.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import { tableOf } from "./table.ts";
import type { Weather } from "./weather.ts";
import { Wire } from "./wire.ts";

const LONGEST_LAG_MS = 3000;

export class Services {
  readonly items: ItemStore;
  readonly requests: MessageStore;
  readonly messages: MessageStore;
  readonly blobs: BlobStore = new Map();
  readonly #scheduler: Scheduler;
  readonly #weather: Weather;
  readonly #requestSettings: QueueSettings;
  readonly #wires: { table: Wire; queue: Wire; blobs: Wire; registry: Wire };

  constructor(
    scheduler: Scheduler,
    weather: Weather,
    requestSettings: QueueSettings,
    onEffect: (process: Process) => void,
  ) {
    this.#scheduler = scheduler;
    this.#weather = weather;
    const wire = (name: string) => new Wire(scheduler, weather, name, onEffect);
    this.#wires = { table: wire("table"), queue: wire("queue"), blobs: wire("blobs"), registry: wire("registry") };
    this.items = new ItemStore(() =>
      weather.strikes("stale-index") ? scheduler.random.between(1, LONGEST_LAG_MS) : 0,
    );
    this.#requestSettings = requestSettings;
    this.requests = new MessageStore("requests", requestSettings, scheduler, weather);
    this.messages = new MessageStore("messages", entryQueue.settings, scheduler, weather);
  }

  /** What a process asks the registry, which answers in its own time. */
  factsOf(process: Process, event: () => EventForEntry | undefined): EntryFacts {
    return {
      eventForEntry: (eventId) => {
        const effect = () => (eventId === event()?.eventId ? event() : undefined);
        return this.#wires.registry.ask(process, { label: () => `event ${eventId}`, effect });
      },
    };
  }

  portsOf(process: Process) {
    const [scheduler, weather] = [this.#scheduler, this.#weather];
    const queue = (store: MessageStore, settings: QueueSettings) =>
      queueOf(process, { store, settings, scheduler, weather, wire: this.#wires.queue });
    return {
      table: tableOf(process, this.items, scheduler, this.#wires.table),
      requests: queue(this.requests, this.#requestSettings),
      messages: queue(this.messages, entryQueue.settings),
      draws: blobsOf(process, this.blobs, scheduler, this.#wires.blobs),
      clock: scheduler.clockOf(process),
    };
  }
}
