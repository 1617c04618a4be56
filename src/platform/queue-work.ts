/** What a context does with the messages of a queue, as data: a server consumes the queue, a Lambda is called with its messages. */

import type { Consumer, Engines, Handler, QueueSettings } from "./ports.ts";

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
