/**
 * Runs every benchmark, or those named, and prints what they measured: `node bench/run.ts [name…] [--json FILE]`.
 * A benchmark is a file `bench/<name>.bench.ts` that exports `run(): Promise<Benchmark>`.
 */

import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

export type Row = { measure: string; value: number; unit: string; target?: string; ok?: boolean };
export type Benchmark = { name: string; rows: Row[] };

const folder = fileURLToPath(new URL(".", import.meta.url));
const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "string" } } });

const known = globSync("*.bench.ts", { cwd: folder })
  .map((file) => basename(file, ".bench.ts"))
  .sort();
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0 || known.length === 0) {
  console.error(
    `No benchmark is called ${unknown.join(" or ") || "anything"}. There are: ${known.join(", ") || "none"}.`,
  );
  process.exit(2);
}

const names = positionals.length > 0 ? positionals : known;
const benchmarks = names.length === 1 ? [await runHere(names[0] ?? "")] : names.flatMap(runApart);
if (values.json) writeFileSync(values.json, `${JSON.stringify({ ...describeMachine(), benchmarks }, null, 2)}\n`);

async function runHere(name: string): Promise<Benchmark> {
  const { run } = (await import(`./${name}.bench.ts`)) as { run(): Promise<Benchmark> };
  const benchmark = await run();
  console.log(formatTable(benchmark));
  return benchmark;
}

/** Each in a process of its own: one benchmark's heap and compiled code must not weigh on the next. */
function runApart(name: string): Benchmark[] {
  const scratch = mkdtempSync(join(tmpdir(), "snaprace-bench-"));
  const json = join(scratch, "result.json");
  const child = spawnSync(process.execPath, [join(folder, "run.ts"), name, "--json", json], { stdio: "inherit" });
  try {
    if (child.status !== 0) throw new Error(`it ended with ${child.signal ?? child.status}`);
    return (JSON.parse(readFileSync(json, "utf8")) as { benchmarks: Benchmark[] }).benchmarks;
  } catch (error) {
    console.error(`Benchmark ${name} failed: ${(error as Error).message}.`);
    process.exitCode = 1;
    return [];
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function describeMachine() {
  return {
    measuredAt: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model.trim(),
    cores: availableParallelism(),
    memoryBytes: totalmem(),
  };
}

function formatTable({ name, rows }: Benchmark): string {
  const cells = rows.map((row) => [row.measure, formatNumber(row.value), row.unit, row.target ?? "", verdict(row)]);
  const table = [["measure", "value", "unit", "target", ""], ...cells];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) => (column === 1 ? cell.padStart(widths[1] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  return `\n${name}\n\n${lines.map((line) => `  ${line}`).join("\n")}\n`;
}

function verdict(row: Row): string {
  if (row.ok === undefined) return "";
  return row.ok ? "ok" : "missed";
}

/** Four digits that matter are as many as a measurement has. */
function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.max(0, 3 - Math.floor(Math.log10(Math.abs(value) || 1)));
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(digits, 6) });
}
