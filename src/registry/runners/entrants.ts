/** Hears from entry who got a place and who gave one back, and keeps the event's runners accordingly. */

import { z } from "zod";
import { EntryMessage, entryQueue } from "../../entry/events.ts";
import type { Failure, Handler } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import type { QueueWork } from "../../platform/queue-work.ts";
import type { RegistryDatabase } from "../database.ts";
import { applyPlaces } from "./entry-places.ts";

type Understood = { id: string; message: EntryMessage };
type Parts = { db: RegistryDatabase; onError(error: unknown): void };

export function entrantsWork(parts: Parts): QueueWork {
  return { queue: entryQueue, handler: handlerOn(parts) };
}

function handlerOn(parts: Parts): Handler {
  return async (messages) => {
    const failures: Failure[] = [];
    const understood: Understood[] = [];
    for (const { id, body } of messages) {
      const { data, error } = EntryMessage.safeParse(jsonOf(body));
      if (data) understood.push({ id, message: data });
      // Another try would not make it better.
      else failures.push({ id, reason: `This is no message of entry: ${z.prettifyError(error)}`, retryInMs: 0 });
    }
    // After an event has opened they come in a burst; together they cost little more than one alone.
    for (const [eventId, group] of Map.groupBy(understood, ({ message }) => message.eventId)) {
      failures.push(...(await applyGroup(parts, eventId, group)));
    }
    return failures;
  };
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** If they fail together each is tried alone, so that only the guilty one waits. */
async function applyGroup(parts: Parts, eventId: string, group: Understood[]): Promise<Failure[]> {
  try {
    const messages = group.map(({ message }) => message);
    await applyPlaces(parts.db, eventId, messages);
    return [];
  } catch (error) {
    const [first, ...others] = group;
    // A Problem is the database's own, such as that it can't be reached: nobody's fault, and the same for all.
    if (error instanceof Problem || !first || others.length === 0) {
      parts.onError(error);
      const reason = error instanceof Error ? error.message : String(error);
      return group.map(({ id }) => ({ id, reason }));
    }
    const failures: Failure[] = [];
    for (const each of group) failures.push(...(await applyGroup(parts, eventId, [each])));
    return failures;
  }
}
