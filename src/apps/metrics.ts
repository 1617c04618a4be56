/** What Prometheus reads at /metrics: the process, the HTTP requests, and whatever else the app watches. */

import { collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export type Metrics = {
  registry: Registry;
  requestSeconds: Histogram<"method" | "route" | "status">;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the request's arrival to its answer.",
    labelNames: ["method", "route", "status"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return { registry, requestSeconds };
}

export type Watched<Label extends string> = {
  name: string;
  help: string;
  labels: Label[];
  /** Asked at every scrape. */
  read(): Promise<{ labels: Record<Label, string>; value: number }[]>;
};

/** Adds a gauge that is read when asked for. One that can't be read is left out, and the rest is still served. */
export function watch<Label extends string>(metrics: Metrics, watched: Watched<Label>): void {
  new Gauge({
    name: watched.name,
    help: watched.help,
    labelNames: watched.labels,
    registers: [metrics.registry],
    async collect() {
      // Without labels a reset would leave 0, which nobody has read.
      if (watched.labels.length === 0) this.remove();
      else this.reset();
      const readings = await watched.read().catch(() => []);
      for (const reading of readings) this.set(reading.labels, reading.value);
    },
  });
}
