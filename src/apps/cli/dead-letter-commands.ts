/** `dead-letters` and `redrive` of a context: messages that were given up on, and their way back. */

import type { Command } from "commander";
import type { LetterBasics } from "../../platform/dead-letter-lists.ts";
import { EventId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { describe, onApi } from "./command.ts";
import { instant } from "./entry-wording.ts";
import { table } from "./table.ts";
import { counted } from "./wording.ts";

const OTHERS = "those of no event: for operators";

type Options = { others?: boolean };

export type LetterCommands<Letter extends LetterBasics> = {
  /** The group's name, as typed. */
  name: string;
  listDescription: string;
  redriveDescription: string;
  pathOf(eventId: string): string;
  othersPath: string;
  /** The columns between how often it was tried and why it failed, and after. */
  columns: {
    before: [heading: string, cell: (letter: Letter) => string][];
    last: [string, (letter: Letter) => string];
  };
};

export function addDeadLetterCommands<Letter extends LetterBasics>(
  group: Command,
  commands: LetterCommands<Letter>,
): void {
  addList(group, commands);
  addRedrive(group, commands);
}

function addList<Letter extends LetterBasics>(group: Command, commands: LetterCommands<Letter>): void {
  const { name, listDescription, columns } = commands;
  const list = describe(group.command("dead-letters"), listDescription, [
    `${name} dead-letters han-river-10k`,
    `${name} dead-letters --others`,
  ]);
  list.argument("[event]", "the event's id").option("--others", OTHERS);
  onApi<[string | undefined], Options>(list, async ({ api, args: [event], options }) => {
    const { path, noun, of } = whose(commands, options, event);
    const items = await api.list<Letter>(path);
    const [lastHeading, lastCell] = columns.last;
    const rows = items.map((letter) => [
      letter.id,
      instant(letter.sentAt),
      String(letter.receives),
      ...columns.before.map(([, cell]) => cell(letter)),
      letter.reason,
      lastCell(letter),
    ]);
    const headings = ["id", "sent", "tries", ...columns.before.map(([heading]) => heading), "reason", lastHeading];
    return { json: { items }, text: table(headings, rows, `There are no ${noun}s${of}.`) };
  });
}

function addRedrive<Letter extends LetterBasics>(group: Command, commands: LetterCommands<Letter>): void {
  const { name, redriveDescription } = commands;
  const redrive = describe(group.command("redrive"), redriveDescription, [
    `${name} redrive han-river-10k`,
    `${name} redrive han-river-10k 17 18`,
    `${name} redrive --others`,
  ]);
  redrive
    .argument("[event]", "the event's id")
    .argument("[ids...]", "only these letters; all without them")
    .option("--others", OTHERS);
  onApi<[string | undefined, string[]], Options>(redrive, async ({ api, args: [first, more], options }) => {
    const ids = options.others && first !== undefined ? [first, ...more] : more;
    const { path, noun, of } = whose(commands, options, options.others ? undefined : first);
    const done = await api.call<{ redriven: number }>("POST", `${path}/redrive`, ids.length > 0 ? { ids } : {});
    const left = ids.length - done.redriven;
    const missing = left > 0 ? ` ${counted(left, "id")} named none.` : "";
    return { json: done, text: `Sent ${counted(done.redriven, noun)}${of} back.${missing}` };
  });
}

type Whose = { path: string; noun: string; of: string };
type Paths = Pick<LetterCommands<LetterBasics>, "pathOf" | "othersPath">;

function whose({ pathOf, othersPath }: Paths, { others }: Options, event: string | undefined): Whose {
  if (others && event === undefined) return { path: othersPath, noun: "other dead letter", of: "" };
  const eventId = EventId.safeParse(event);
  if (others || !eventId.success) {
    throw new Problem("invalid", "usage.whose-letters", "Give the event's id, or --others for those of no event.");
  }
  return { path: pathOf(encodeURIComponent(eventId.data)), noun: "dead letter", of: ` of ${eventId.data}` };
}
