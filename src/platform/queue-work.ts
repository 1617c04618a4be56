/** What a context does with the messages of a queue, as data: a server consumes the queue, a Lambda is called with its messages. */

import { z } from "zod";
import type { Consumer, Engines, Failure, Handler, Message, QueueSettings } from "./ports.ts";

export type QueueWork = {
  queue: { name: string; settings: QueueSettings };
  handler: Handler;
  batchSize?: number;
  concurrency?: number;
};

export function startWork(engines: Pick<Engines, "queue">, work: QueueWork[]): Consumer {
  const consumers = work.map(({ queue, handler, ...options }) =>
    engines.queue(queue.name, queue.settings).consume(handler, options),
  );
  return {
    stop: async () => {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
    },
  };
}

/** Handles each message by itself: what is none of these messages is given up at once, what fails comes again. */
export function eachMessage<S extends z.ZodType>(schema: S, handle: (message: z.output<S>) => Promise<void>): Handler {
  const failureOf = async ({ id, body }: Message): Promise<Failure[]> => {
    const { data, error } = schema.safeParse(jsonOf(body));
    // Another try would not make it better.
    if (error) return [{ id, reason: `This is no such message: ${z.prettifyError(error)}`, retryInMs: 0 }];
    try {
      await handle(data);
      return [];
    } catch (trouble) {
      return [{ id, reason: trouble instanceof Error ? trouble.message : String(trouble) }];
    }
  };
  return async (messages) => (await Promise.all(messages.map(failureOf))).flat();
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
