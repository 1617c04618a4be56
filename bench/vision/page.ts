/** The findings as one HTML file that needs nothing else: the figures of each part, and below them its mistakes. */

import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { dirname } from "node:path";
import type { Box } from "../../src/platform/ports.ts";
import type { Row } from "../run.ts";
import type { Case, Mistake, Section } from "./report.ts";

export async function writePage(file: string, models: string[], sections: Section[]): Promise<void> {
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`;
  const load = loadavg().map((each) => each.toFixed(1));
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>SnapRace: bibs and faces</title><style>${STYLE}</style>
<h1>Bibs and faces</h1>
<p>${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC, ${machine}, load at the end ${load.join(", ")}.</p>
<details><summary>Models</summary><ul>${models.map((line) => `<li>${escapeHtml(line)}`).join("")}</ul></details>
${sections.map(drawSection).join("\n")}
</html>
`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, page);
}

function drawSection({ title, about, rows, cases }: Section): string {
  const mistakes = cases.flatMap((each) => each.mistakes);
  const counted = (kind: Mistake["kind"]) => mistakes.filter((each) => each.kind === kind).length;
  const list =
    cases.length === 0
      ? ""
      : `<h3>${counted("missed")} missed, ${counted("wrong")} wrong, in ${cases.length} pictures</h3>
<p><span class="tag missed">missed</span> a number that is there was not read. <span class="tag wrong">wrong</span> a number
was read that is not there. Boxes show where; the words are those seen around there.</p>
<div class="cases">${cases.map(drawCase).join("\n")}</div>`;
  return `<h2>${escapeHtml(title)}</h2><p>${escapeHtml(about)}</p>${drawTable(rows)}${list}`;
}

function drawTable(rows: Row[]): string {
  const lines = rows.map(({ measure, value, unit, target = "", ok }) => {
    const verdict = ok === undefined ? "" : ok ? "ok" : "short";
    const shown = value.toLocaleString("en", { maximumSignificantDigits: 4 });
    const word = verdict === "short" ? "missed" : verdict;
    return `<tr><td>${escapeHtml(measure)}<td class="number">${shown}<td>${unit}<td>${escapeHtml(target)}<td class="${verdict}">${word}`;
  });
  return `<table><tr><th>Measure<th class="number">Value<th>Unit<th>Target<th>${lines.join("\n")}</table>`;
}

function drawCase({ title, expected, overview, mistakes }: Case): string {
  return `<article><div class="shot"><img loading="lazy" src="${overview}" alt="">${mistakes.map(drawMark).join("")}</div>
<div><h4>${escapeHtml(title)}</h4><p>Shows ${escapeHtml(expected)}</p>${mistakes.map(drawMistake).join("\n")}</div></article>`;
}

function drawMark({ kind, box }: Mistake): string {
  return box ? `<i class="${kind}" style="${positionOf(box)}"></i>` : "";
}

function positionOf({ left, top, width, height }: Box): string {
  const percent = (fraction: number) => `${(fraction * 100).toFixed(2)}%`;
  return `left:${percent(left)};top:${percent(top)};width:${percent(width)};height:${percent(height)}`;
}

function drawMistake({ kind, number, note, crop, words }: Mistake): string {
  const seen = words
    .toSorted((a, b) => b.confidence - a.confidence)
    .map(
      ({ text, confidence, verdict }) =>
        `<li><b>${escapeHtml(text)}</b> ${confidence.toFixed(2)} <span>${escapeHtml(verdict)}</span>`,
    );
  return `<section><div><span class="tag ${kind}">${kind}</span> <strong>${escapeHtml(number)}</strong> <small>${escapeHtml(note)}</small></div>
${crop ? `<img loading="lazy" class="crop" src="${crop}" alt="${escapeHtml(number)}">` : "<p>Its place is not known.</p>"}
<ul class="words">${seen.join("") || "<li><span>no words</span>"}</ul></section>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

const STYLE = `
:root { color-scheme: light dark; --page: #fcfcfb; --card: #ffffff; --ink: #1b1b1a; --quiet: #62615d; --grid: #e4e3df;
  --ok: #1b8f6d; --missed: #b7791f; --wrong: #c8453d; }
@media (prefers-color-scheme: dark) { :root { --page: #1a1a19; --card: #232321; --ink: #f2f1ed; --quiet: #a8a69f; --grid: #383733;
  --ok: #35b48b; --missed: #d9a03f; --wrong: #ee746b; } }
body { background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin: 2.2rem 0 0.4rem; } h3 { font-size: 1rem; margin: 1.6rem 0 0.2rem; } h4 { margin: 0; }
p, summary { color: var(--quiet); margin: 0.2rem 0; } details li { overflow-wrap: anywhere; font-size: 0.85rem; }
table { border-collapse: collapse; width: 100%; margin-top: 0.6rem; }
th, td { text-align: left; padding: 0.25rem 0.6rem 0.25rem 0; border-bottom: 1px solid var(--grid); }
.number { text-align: right; font-variant-numeric: tabular-nums; } .short { color: var(--wrong); font-weight: 600; } .ok { color: var(--ok); }
.cases { display: grid; gap: 0.8rem; margin-top: 0.8rem; }
article { display: grid; grid-template-columns: auto 1fr; gap: 1rem; background: var(--card); border: 1px solid var(--grid); border-radius: 8px; padding: 0.8rem; }
.shot { position: relative; align-self: start; } .shot img { display: block; max-height: 260px; max-width: 24rem; border-radius: 4px; }
.shot i { position: absolute; border: 2px solid; border-radius: 2px; } .shot i.missed { border-color: var(--missed); } .shot i.wrong { border-color: var(--wrong); }
section { display: grid; gap: 0.3rem; border-top: 1px solid var(--grid); margin-top: 0.5rem; padding-top: 0.5rem; }
.crop { border-radius: 4px; max-width: 100%; } small, .words span { color: var(--quiet); }
.words { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; font-size: 0.9rem; font-variant-numeric: tabular-nums; }
.tag { color: var(--page); border-radius: 3px; padding: 0 0.35rem; font-size: 0.8rem; } .tag.missed { background: var(--missed); } .tag.wrong { background: var(--wrong); }
@media (max-width: 44rem) { article { grid-template-columns: 1fr; } .shot { justify-self: start; } .shot img { max-width: 100%; } }
`;
