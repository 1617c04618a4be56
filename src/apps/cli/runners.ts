/** `snaprace runners`: an event's runners, as a list and as CSV files. */

import { stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { type Command, Option } from "commander";
import { EventId } from "../../platform/ids.ts";
import type { ImportReport } from "../../registry/runners/import-runners.ts";
import type { ListedRunner } from "../../registry/runners/runners.ts";
import { type Call, describe, limitOption, onApi, parsedBy, type Result } from "./command.ts";
import { openInput } from "./input-file.ts";
import { writeWhole } from "./output-file.ts";
import { createProgress } from "./progress.ts";
import { table } from "./table.ts";
import { counted, mebibytes } from "./wording.ts";

const pathOf = (eventId: string) => `/admin/events/${encodeURIComponent(eventId)}/runners`;

export function addRunners(commands: Command): void {
  const group = commands.command("runners").description("An event's runners: a list, and CSV files in and out.");
  addImport(group);
  addExport(group);
  addList(group);
}

function eventOption(): Option {
  return new Option("--event <event>", "the event's id").argParser(parsedBy(EventId)).makeOptionMandatory();
}

function addImport(group: Command): void {
  const read = describe(
    group.command("import"),
    "Import runners from a CSV file: all of it, or nothing if a row is wrong. Runners who are there get the file's values.",
    [
      "runners import runners.csv --event han-river-10k",
      "runners import runners.csv --event han-river-10k --dry-run",
      "curl https://timing.example/runners.csv | snaprace runners import - --event han-river-10k",
    ],
  );
  read
    .argument("<file>", "UTF-8, with a header line that has at least `bib`; - for standard input")
    .addOption(eventOption())
    .option("--dry-run", "only say what would happen");
  onApi<[string], ImportOptions>(read, importRunners);
}

type ImportOptions = { event: string; dryRun?: boolean };

async function importRunners({ api, args: [name], options }: Call<[string], ImportOptions>): Promise<Result> {
  const input = await openInput(name);
  // An event that is not there is told before the whole file was sent.
  await api.call("GET", `/admin/events/${encodeURIComponent(options.event)}`);
  const progress = createProgress({ silent: options.json === true, stream: process.stderr, amount: mebibytes });
  const sent = input.read((done) =>
    progress.show(done === input.sizeBytes ? "Importing" : "Sending", done, input.sizeBytes),
  );
  const path = `${pathOf(options.event)}/import${options.dryRun ? "?dryRun=true" : ""}`;
  const report = await api.sendCsv<ImportReport>(path, sent).finally(() => progress.end());
  return { json: report, text: describeReport(report, options.event) };
}

function describeReport({ rows, added, updated, unchanged, outsidePattern, dryRun }: ImportReport, eventId: string) {
  const verb = dryRun ? "Would import" : "Imported";
  const counts = [`${added} added`, `${updated} changed`, `${unchanged} as they were`];
  const outside = `${counted(outsidePattern, "bib")} can't be found in photos, since the event's bib pattern does not fit.`;
  const lines = [`${verb} ${counted(rows, "runner")} of ${eventId}: ${counts.join(", ")}.`];
  return [...lines, ...(outsidePattern > 0 ? [outside] : [])].join("\n");
}

function addExport(group: Command): void {
  const write = describe(
    group.command("export"),
    "Export an event's runners as CSV; with --json and no --output, as JSON.",
    ["runners export --event han-river-10k > runners.csv", "runners export --event han-river-10k --output runners.csv"],
  );
  write.addOption(eventOption()).option("--output <file>", "write to a file instead of standard output");
  onApi<[], { event: string; output?: string }>(write, async ({ api, options: { event, output, json } }) => {
    if (json && output === undefined) return { json: { items: await api.list(pathOf(event)) }, text: "" };
    const csv = await api.download(`${pathOf(event)}.csv`);
    if (output === undefined) {
      await pipeline(csv, process.stdout, { end: false });
      return undefined;
    }
    await writeWhole(output, csv);
    const { size: sizeBytes } = await stat(output);
    return { json: { output, sizeBytes }, text: `Wrote the runners of ${event} to ${output}.` };
  });
}

function addList(group: Command): void {
  const list = describe(group.command("list"), "List an event's runners in the order of bibs.", [
    "runners list --event han-river-10k",
    "runners list --event han-river-10k --limit 20 --json",
  ]);
  list.addOption(eventOption()).addOption(limitOption());
  onApi<[], { event: string; limit?: number }>(list, async ({ api, options: { event, limit } }) => {
    const items = await api.list<ListedRunner>(pathOf(event), limit);
    const rows = items.map((runner) => [
      runner.bib,
      runner.name ?? "",
      runner.finishTime ?? "",
      runner.gender ?? "",
      String(runner.age ?? ""),
      runner.team ?? "",
      runner.source.toLowerCase(),
    ]);
    const headings = ["bib", "name", "finish", "gender", "age", "team", "source"];
    return { json: { items }, text: table(headings, rows, `${event} has no runners yet.`) };
  });
}
