/** All commands of `snaprace`, put together. */

import { Command } from "commander";
import { version } from "../version.ts";
import { addCompare } from "./compare.ts";
import { addDemo } from "./demo.ts";
import { addEntry } from "./entry.ts";
import { addEvent } from "./event.ts";
import { addOrganization } from "./organization.ts";
import { addPhotographer } from "./photographer.ts";
import { addPhotos } from "./photos.ts";
import { addRead } from "./read.ts";
import { addRunners } from "./runners.ts";
import { addServe } from "./serve.ts";
import { addToken } from "./token.ts";
import { addTransfer } from "./transfer.ts";
import { addUpload } from "./upload.ts";
import { addVerifyDraw } from "./verify-draw.ts";

const MORE = `
Commands work on the data folder, whether a server runs on it or not. With --server (or SNAPRACE_URL) and
SNAPRACE_TOKEN they work on a server elsewhere. read and compare need neither. --json prints one JSON document (read
and compare: an object a line), and problems as JSON on stderr.

Exit codes: 0 done, 2 wrong input, 3 not there or in the way, 4 not allowed, 75 try again later, 78 wrong settings,
70 a defect.

Examples:
  $ snaprace demo
  $ snaprace org create "Han River Runners" --id han-river
  $ TOKEN=$(snaprace token --role organizer --org han-river --user kim)`;

export function createCommandLine(): Command {
  const commands = new Command("snaprace");
  commands
    .description("A race from sign-up to finish-line photo: fair entry, and photos found by bib or selfie.")
    .version(version, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .addHelpCommand(helpCommand())
    .addHelpText("after", MORE)
    // Thrown and told in one place, like everything else that goes wrong.
    .configureOutput({ outputError: () => {} })
    .exitOverride();
  commands.commandsGroup("Run it:");
  addServe(commands);
  addToken(commands);
  addDemo(commands);
  commands.commandsGroup("Organize:");
  addOrganization(commands);
  addEvent(commands);
  addEntry(commands);
  addRunners(commands);
  addPhotographer(commands);
  commands.commandsGroup("Photos:");
  addUpload(commands);
  addPhotos(commands);
  addRead(commands);
  addCompare(commands);
  commands.commandsGroup("Check it:");
  addVerifyDraw(commands);
  commands.commandsGroup("Move it:");
  addTransfer(commands);
  return commands;
}

function helpCommand(): Command {
  const help = new Command("help").argument("[command]").helpOption(false).helpGroup("Help:");
  return help.description("Print the help of a command.");
}
