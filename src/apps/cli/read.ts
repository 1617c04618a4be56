/** `snaprace read`: the bibs and faces of photos, without a server and without a data folder. */

import { type Command, InvalidArgumentError, Option } from "commander";
import { PhotoSettingsChange } from "../../registry/settings.ts";
import { parsedBy } from "./command.ts";
import { describeLooking } from "./read-looking.ts";
import type { ReadOptions } from "./read-photos.ts";

export function addRead(commands: Command): void {
  const read = describeLooking(
    commands.command("read"),
    "Read the bibs and find the faces in photos, on this machine: no server is needed, and nothing is kept.",
    [
      "read finish/IMG_0123.jpg",
      "read finish --roster runners.csv --draw checked",
      "read finish --json > bibs.jsonl",
      "read IMG_0123.jpg --why --pattern '[A-F][0-9]{4}'",
    ],
  );
  read
    .argument("<photo...>", "photos, and folders with photos; - for standard input")
    .option("--roster <file>", "only these numbers are bibs: a CSV file with a column `bib`, or a number a line")
    .addOption(
      new Option("--pattern <regex>", "what a whole bib looks like, in capitals (default: [A-Z]?[0-9]{1,6})").argParser(
        parsedBy(PhotoSettingsChange.shape.bibPattern.unwrap()),
      ),
    )
    .addOption(new Option("--min-confidence <x>", "how sure a reading must be, 0 to 1 (default: 0.6)").argParser(share))
    .option("--why", "also tell the texts that are no bibs, and why")
    .option("--draw <folder>", "write each photo there as a JPEG, with what was found drawn in");
  read.action(async (places: string[], options: ReadOptions) => {
    const { readPhotos } = await import("./read-photos.ts");
    await readPhotos(places, options);
  });
}

function share(text: string): number {
  const value = /^(?:\d{1,3}(?:\.\d{1,16})?|\.\d{1,16})$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("Give a number from 0 to 1, such as 0.8.");
}
