/** The table port of one process in a simulation. */

import { checkActions, checkItemSize, checkKey, checkQuery } from "../../src/platform/items.ts";
import type { Action, Item, Table } from "../../src/platform/ports.ts";
import { cloned, type ItemStore } from "./item-store.ts";
import type { Process, Scheduler } from "./scheduler.ts";
import type { Wire } from "./wire.ts";

export function tableOf(process: Process, store: ItemStore, scheduler: Scheduler, wire: Wire): Table {
  const clock = scheduler.clockOf(process);
  return {
    async get(key) {
      checkKey(key);
      const effect = () => store.get(key, clock.now());
      return wire.ask(process, { label: () => `get ${key.PK} ${key.SK}`, effect });
    },

    async batchGet(keys) {
      keys.forEach(checkKey);
      const label = () => `batchGet ${keys.map(({ PK, SK }) => `${PK} ${SK}`).join(", ")}`;
      return wire.ask(process, { label, effect: () => keys.map((key) => store.get(key, clock.now())) });
    },

    async query(query) {
      checkQuery(query);
      const effect = () => store.query(query, scheduler.nowMs, clock.now());
      return wire.ask(process, { label: () => `query ${JSON.stringify(query)}`, effect });
    },

    async write(actions) {
      checkActions(actions);
      for (const action of actions) if ("put" in action) checkItemSize(action.put);
      const mine = actions.map(cloned);
      const effect = () => store.write(mine, scheduler.nowMs);
      const label = () => `write ${JSON.stringify(mine)}`;
      return wire.ask(process, { label, effect, changes: true, repeats: isRepeatable(mine) });
    },

    async update(update) {
      checkActions([update]);
      const mine = cloned(update);
      const effect = () => {
        store.write([mine], scheduler.nowMs);
        return cloned(store.peek(mine.update) as Item);
      };
      return wire.ask(process, { label: () => `update ${JSON.stringify(mine)}`, effect, changes: true, repeats: true });
    },
  };
}

/** A transaction carries a token, so that trying it again counts once. */
function isRepeatable(actions: Action[]): boolean {
  const [only] = actions;
  if (actions.length > 1 || !only || "check" in only) return false;
  return !("update" in only && Object.keys(only.add ?? {}).length > 0);
}
