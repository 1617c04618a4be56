/** One panel of the chart as SVG: lines over a time axis, a grid to read them by, and a band for each time the server was down. */

export const PANEL_WIDTH = 960;
const HEIGHT = 220;
const MARGIN = { top: 12, right: 112, bottom: 30, left: 68 };
const LABEL_GAP = 15;

/** A gap where the value is missing. */
export type Line = { name: string; color: string; values: (number | undefined)[] };

export type Panel = {
  label: string;
  /** Seconds; the value belongs to the time at the same index. */
  times: number[];
  lines: Line[];
  isLogarithmic?: boolean;
  /** Seconds from and to. */
  bands: { from: number; to: number }[];
  show(value: number): string;
};

type Scale = (value: number) => number;

export function drawPanel(panel: Panel): string {
  const end = panel.times.at(-1) ?? 1;
  const x: Scale = (time) => MARGIN.left + (time / end) * (PANEL_WIDTH - MARGIN.left - MARGIN.right);
  const values = panel.lines.flatMap((line) => line.values.filter((value) => value !== undefined));
  const most = values.reduce((a, b) => Math.max(a, b), 1);
  const least = values.reduce((a, b) => Math.min(a, b), most);
  const ticks = panel.isLogarithmic ? decades(least, most) : evenTicks(most);
  const y = scaleOver(ticks, panel.isLogarithmic ?? false);
  const bottom = HEIGHT - MARGIN.bottom;
  const parts = [
    ...panel.bands.map(({ from, to }) => drawBand(x(from), x(to), bottom)),
    ...ticks.map((tick) => drawGridLine(y(tick), panel.show(tick))),
    ...evenTicks(end)
      .filter((time) => time <= end)
      .map((time) => `<text class="axis" x="${x(time)}" y="${bottom + 18}" text-anchor="middle">${time} s</text>`),
    ...panel.lines.map((line) => drawLine(line, panel.times, x, y)),
    ...drawNames(panel.lines, y),
    ...drawTips(panel, x, bottom),
  ];
  const title = `<figcaption>${panel.label}</figcaption>`;
  const svg = `<svg viewBox="0 0 ${PANEL_WIDTH} ${HEIGHT}" role="img" aria-label="${panel.label}">${parts.join("")}</svg>`;
  return `<figure>${title}${svg}</figure>`;
}

function scaleOver(ticks: number[], isLogarithmic: boolean): Scale {
  const bend = isLogarithmic ? Math.log10 : (value: number) => value;
  const [low, high] = [bend(ticks[0] as number), bend(ticks.at(-1) as number)];
  const room = HEIGHT - MARGIN.top - MARGIN.bottom;
  return (value) => HEIGHT - MARGIN.bottom - ((bend(value) - low) / (high - low)) * room;
}

/** From 0 in steps of 1, 2 or 5, so that there are four to eight of them. */
export function evenTicks(most: number): number[] {
  const rough = most / 6;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
  return Array.from({ length: Math.ceil(most / step - 1e-9) + 1 }, (_, n) => Number((n * step).toPrecision(6)));
}

function decades(least: number, most: number): number[] {
  const first = Math.floor(Math.log10(Math.max(least, 0.1)));
  const last = Math.max(first + 1, Math.ceil(Math.log10(most)));
  return Array.from({ length: last - first + 1 }, (_, n) => Number((10 ** (first + n)).toPrecision(3)));
}

function drawBand(from: number, to: number, bottom: number): string {
  const width = Math.max(to - from, 1.5);
  return `<rect class="down" x="${from}" y="${MARGIN.top}" width="${width}" height="${bottom - MARGIN.top}"/>
    <line class="kill" x1="${from}" x2="${from}" y1="${MARGIN.top}" y2="${bottom}"/>`;
}

function drawGridLine(y: number, label: string): string {
  const right = PANEL_WIDTH - MARGIN.right;
  return `<line class="grid" x1="${MARGIN.left}" x2="${right}" y1="${y}" y2="${y}"/>
    <text class="axis" x="${MARGIN.left - 8}" y="${y + 4}" text-anchor="end">${label}</text>`;
}

function drawLine({ color, values }: Line, times: number[], x: Scale, y: Scale): string {
  let isDrawing = false;
  const steps = values.map((value, n) => {
    if (value === undefined) {
      isDrawing = false;
      return "";
    }
    const command = isDrawing ? "L" : "M";
    isDrawing = true;
    return `${command}${x(times[n] as number).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  return `<path class="line" style="stroke:var(--${color})" d="${steps.join("")}"/>`;
}

/** At the lines' ends, pushed apart where they would cover each other. */
function drawNames(lines: Line[], y: Scale): string[] {
  const names = lines.map(({ name, color, values }) => {
    const last = values.findLast((value) => value !== undefined) ?? 1;
    return { name, color, at: y(last) };
  });
  names.sort((a, b) => a.at - b.at);
  for (const [n, each] of names.entries()) each.at = Math.max(each.at, (names[n - 1]?.at ?? 0) + LABEL_GAP);
  const surplus = Math.max(0, (names.at(-1)?.at ?? 0) - (HEIGHT - MARGIN.bottom));
  const x = PANEL_WIDTH - MARGIN.right + 8;
  return names.map(({ name, color, at }) => {
    const middle = at - surplus;
    return `<circle cx="${x + 4}" cy="${middle}" r="4" style="fill:var(--${color})"/>
      <text class="name" x="${x + 14}" y="${middle + 4}">${name}</text>`;
  });
}

/** Whoever points at a moment reads its values. */
function drawTips({ times, lines, show }: Panel, x: Scale, bottom: number): string[] {
  const width = x(times[1] ?? 1) - x(times[0] ?? 0);
  return times.map((time, n) => {
    const values = lines.map(({ name, values: all }) => `${name} ${all[n] === undefined ? "–" : show(all[n])}`);
    return `<rect class="tip" x="${(x(time) - width / 2).toFixed(1)}" y="${MARGIN.top}" width="${width.toFixed(1)}" height="${bottom - MARGIN.top}">
      <title>${time.toFixed(2)} s: ${values.join(", ")}</title></rect>`;
  });
}
