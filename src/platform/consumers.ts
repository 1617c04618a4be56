/** The consumers of one queue: each a number of loops that end together, by themselves or with the queue. */

import type { Consumer } from "./ports.ts";

export class Consumers {
  readonly #running = new Set<Consumer>();

  start(concurrency: number, loop: (stopping: AbortSignal) => Promise<void>): Consumer {
    const stopping = new AbortController();
    const loops = Array.from({ length: concurrency }, () => loop(stopping.signal));
    const consumer = {
      stop: async () => {
        stopping.abort();
        await Promise.all(loops);
        this.#running.delete(consumer);
      },
    };
    this.#running.add(consumer);
    return consumer;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running].map((consumer) => consumer.stop()));
  }
}
