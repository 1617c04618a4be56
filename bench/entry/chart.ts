/** The rig's findings as one HTML file that needs nothing else: rates side by side, each scene over time, and the table. */

import { writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import type { Row } from "../run.ts";
import { drawPanel, evenTicks, type Line, PANEL_WIDTH } from "./chart-panel.ts";
import { acceptedTimes, percentile } from "./figures.ts";
import { type Bar, count, type Report, type TitledScene } from "./report.ts";
import type { Scene } from "./scene.ts";

const BUCKETS = 160;
const BAR_HEIGHT = 26;
const BAR_LEFT = 250;

export async function writeChart(file: string, { rows, scenes, bars }: Report): Promise<void> {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>SnapRace: entry under load</title><style>${STYLE}</style>
<h1>Entry under load</h1>
<p>${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC, ${machine}. Server and load generator share the machine.
A latency counts from when its request was due.</p>
${bars.length > 0 ? `<h2>People accepted per second</h2>${drawBars(bars)}` : ""}
${scenes.map(drawScene).join("\n")}
<h2>All figures</h2>${drawTable(rows)}
</html>
`;
  await writeFile(file, page);
}

function drawBars(bars: Bar[]): string {
  const most = bars.reduce((a, { perSecond }) => Math.max(a, perSecond), 0);
  const height = bars.length * BAR_HEIGHT + 6;
  const x = (value: number) => (value / (evenTicks(most).at(-1) as number)) * (PANEL_WIDTH - BAR_LEFT - 90);
  const drawn = bars.map(({ name, perSecond }, n) => {
    const y = n * BAR_HEIGHT + 6;
    const color = name === "SnapRace" ? "accepted" : "rival";
    return `<text class="name" x="${BAR_LEFT - 10}" y="${y + 13}" text-anchor="end">${escapeHtml(name)}</text>
      <rect x="${BAR_LEFT}" y="${y}" width="${x(perSecond)}" height="${BAR_HEIGHT - 8}" rx="3" style="fill:var(--${color})"/>
      <text class="name" x="${BAR_LEFT + x(perSecond) + 8}" y="${y + 13}">${count(perSecond)}</text>`;
  });
  return `<figure><svg viewBox="0 0 ${PANEL_WIDTH} ${height}" role="img" aria-label="People accepted per second">${drawn.join("")}</svg></figure>`;
}

function drawScene({ title, scene }: TitledScene): string {
  const { startedAt, endedAt } = scene.load;
  const end = Math.max(endedAt, scene.settledAt ?? 0, ...scene.kills.map(({ upAgainAt }) => upAgainAt));
  const step = (end - startedAt) / BUCKETS;
  const times = Array.from({ length: BUCKETS }, (_, n) => ((n + 1) * step) / 1000);
  const seconds = (at: number) => (at - startedAt) / 1000;
  const bands = scene.kills.map(({ killedAt, upAgainAt }) => ({ from: seconds(killedAt), to: seconds(upAgainAt) }));
  const people = drawPanel({ label: "People", times, lines: peopleLines(scene, step), bands, show: count });
  const latency = drawPanel({
    label: "Latency of the requests due at that moment, milliseconds",
    times,
    lines: latencyLines(scene, step),
    isLogarithmic: true,
    bands,
    show: (value) => (value < 10 ? String(Math.round(value * 10) / 10) : count(value)),
  });
  const killed = bands.length > 0 ? `<p>Shaded: from a kill until the process was up again.</p>` : "";
  return `<h2>${escapeHtml(title)}</h2>${killed}${people}${latency}`;
}

function peopleLines({ load, requests }: Scene, step: number): Line[] {
  const settled = Float64Array.from(requests, ({ finishedAt }) => finishedAt ?? Number.POSITIVE_INFINITY).sort();
  const until = (sorted: Float64Array) => {
    let passed = 0;
    return Array.from({ length: BUCKETS }, (_, n) => {
      while (passed < sorted.length && (sorted[passed] as number) <= load.startedAt + (n + 1) * step) passed += 1;
      return passed;
    });
  };
  return [
    { name: "accepted", color: "accepted", values: until(acceptedTimes(load)) },
    { name: "settled", color: "settled", values: until(settled) },
  ];
}

function latencyLines({ load }: Scene, step: number): Line[] {
  const buckets = Array.from({ length: BUCKETS }, (): number[] => []);
  for (const { dueAt, latencyMs, answeredAt } of load.answers) {
    if (answeredAt > 0) buckets[Math.min(BUCKETS - 1, Math.floor((dueAt - load.startedAt) / step))]?.push(latencyMs);
  }
  const sorted = buckets.map((bucket) => Float64Array.from(bucket).sort());
  const shares: [name: string, share: number][] = [
    ["p99", 0.99],
    ["p90", 0.9],
    ["p50", 0.5],
  ];
  return shares.map(([name, share]) => ({
    name,
    color: name,
    values: sorted.map((bucket) => (bucket.length > 0 ? Math.max(percentile(bucket, share), 0.1) : undefined)),
  }));
}

function drawTable(rows: Row[]): string {
  const lines = rows.map(({ measure, value, unit, target = "", ok }) => {
    const verdict = ok === undefined ? "" : ok ? "ok" : "missed";
    const shown = value.toLocaleString("en", { maximumSignificantDigits: 4 });
    return `<tr><td>${escapeHtml(measure)}<td class="number">${shown}<td>${unit}<td>${escapeHtml(target)}<td class="${verdict}">${verdict}`;
  });
  return `<table><tr><th>Measure<th class="number">Value<th>Unit<th>Target<th>${lines.join("\n")}</table>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

const STYLE = `
:root { color-scheme: light dark; --page: #fcfcfb; --ink: #1b1b1a; --quiet: #62615d; --grid: #e4e3df; --down: #e34948;
  --accepted: #2a78d6; --settled: #1b8f6d; --rival: #9b9992; --p50: #2a78d6; --p90: #b7791f; --p99: #c8453d; }
@media (prefers-color-scheme: dark) { :root { --page: #1a1a19; --ink: #f2f1ed; --quiet: #a8a69f; --grid: #383733;
  --accepted: #5598e7; --settled: #35b48b; --rival: #7b7973; --p50: #5598e7; --p90: #d9a03f; --p99: #ee746b; } }
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 0.4rem; } p { color: var(--quiet); margin: 0.2rem 0; }
figure { margin: 0.6rem 0; } figcaption { color: var(--quiet); font-size: 0.85rem; } svg { width: 100%; height: auto; display: block; }
text { font: 12px system-ui, sans-serif; fill: var(--ink); } .axis { fill: var(--quiet); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); } .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.down { fill: var(--down); opacity: 0.14; } .kill { stroke: var(--down); stroke-width: 1.5; }
.tip { fill: transparent; } .tip:hover { fill: var(--quiet); opacity: 0.15; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid var(--grid); }
.number { text-align: right; font-variant-numeric: tabular-nums; } .missed { color: var(--p99); font-weight: 600; } .ok { color: var(--settled); }
`;
