/** The simulated table and queue are honest: without faults they pass the suites that define the ports. */

import assert from "node:assert/strict";
import { testQueue } from "../../src/platform/contracts/queue.contract.ts";
import type { Subject } from "../../src/platform/contracts/subject.ts";
import { testTable } from "../../src/platform/contracts/table.contract.ts";
import { ItemStore } from "./item-store.ts";
import { MessageStore } from "./message-store.ts";
import { queueOf } from "./queue.ts";
import { Random } from "./random.ts";
import { type Process, Scheduler } from "./scheduler.ts";
import { tableOf } from "./table.ts";
import { Weather } from "./weather.ts";
import { Wire } from "./wire.ts";

async function openSimulatedSubject(): Promise<Subject> {
  const random = new Random(1);
  const scheduler = new Scheduler(random);
  const weather = new Weather(random, "calm");
  const process: Process = { name: "suite", skewMs: 0, alive: true };
  const wire = new Wire(scheduler, weather, "simulation");
  const end = followRealTime(scheduler);
  let made = 0;
  return {
    table: async () => tableOf(process, new ItemStore(), scheduler, wire),
    queue: async (settings) => {
      made += 1;
      const store = new MessageStore(`queue-${made}`, settings, scheduler, weather);
      return queueOf(process, { store, settings, scheduler, weather, wire });
    },
    blobs: () => assert.fail("there are no simulated blobs"),
    workflow: () => assert.fail("there are no simulated workflows"),
    close: async () => end(),
  };
}

/** Virtual time goes as fast as the suites' own. */
function followRealTime(scheduler: Scheduler): () => void {
  let ended = false;
  const follow = async () => {
    while (!ended) {
      scheduler.nowMs = Date.now();
      await scheduler.run(() => (scheduler.nextMs ?? Number.POSITIVE_INFINITY) > Date.now());
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  void follow();
  return () => {
    ended = true;
  };
}

testTable("simulated", openSimulatedSubject);
testQueue("simulated", openSimulatedSubject);
