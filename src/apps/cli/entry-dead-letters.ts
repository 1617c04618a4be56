/** `snaprace entry dead-letters` and `entry redrive`: messages that were given up on, and their way back. */

import type { Command } from "commander";
import type { ShownLetter } from "../../entry/dead-letters.ts";
import { EventId } from "../../platform/ids.ts";
import { Problem } from "../../platform/problem.ts";
import { describe, onApi } from "./command.ts";
import { instant } from "./entry-wording.ts";
import { table } from "./table.ts";
import { counted } from "./wording.ts";

const OTHERS = "those of no event: for operators";

type Options = { others?: boolean };

export function addDeadLetters(group: Command): void {
  addList(group);
  addRedrive(group);
}

function addList(group: Command): void {
  const list = describe(group.command("dead-letters"), "List the messages of an event's entry that were given up on.", [
    "entry dead-letters han-river-10k",
    "entry dead-letters --others",
  ]);
  list.argument("[event]", "the event's id").option("--others", OTHERS);
  onApi<[string | undefined], Options>(list, async ({ api, args: [event], options }) => {
    const { path, noun, of } = whose(options, event);
    const items = await api.list<ShownLetter>(path);
    const rows = items.map((letter) => [
      letter.id,
      instant(letter.sentAt),
      String(letter.receives),
      String(letter.ticket ?? ""),
      letter.status ?? "",
      letter.reason,
      letter.requestId ?? letter.body,
    ]);
    const headings = ["id", "sent", "tries", "ticket", "status", "reason", "request"];
    return { json: { items }, text: table(headings, rows, `There are no ${noun}s${of}.`) };
  });
}

function addRedrive(group: Command): void {
  const redrive = describe(
    group.command("redrive"),
    "Send dead letters back to be handled; requests keep their tickets.",
    ["entry redrive han-river-10k", "entry redrive han-river-10k 17 18", "entry redrive --others"],
  );
  redrive
    .argument("[event]", "the event's id")
    .argument("[ids...]", "only these letters; all without them")
    .option("--others", OTHERS);
  onApi<[string | undefined, string[]], Options>(redrive, async ({ api, args: [first, more], options }) => {
    const ids = options.others && first !== undefined ? [first, ...more] : more;
    const { path, noun, of } = whose(options, options.others ? undefined : first);
    const done = await api.call<{ redriven: number }>("POST", `${path}/redrive`, ids.length > 0 ? { ids } : {});
    const left = ids.length - done.redriven;
    const missing = left > 0 ? ` ${counted(left, "id")} named none.` : "";
    return { json: done, text: `Sent ${counted(done.redriven, noun)}${of} back.${missing}` };
  });
}

type Whose = { path: string; noun: string; of: string };

function whose({ others }: Options, event: string | undefined): Whose {
  if (others && event === undefined) return { path: "/admin/dead-letters", noun: "other dead letter", of: "" };
  const eventId = EventId.safeParse(event);
  if (others || !eventId.success) {
    throw new Problem("invalid", "usage.whose-letters", "Give the event's id, or --others for those of no event.");
  }
  const path = `/admin/events/${encodeURIComponent(eventId.data)}/dead-letters`;
  return { path, noun: "dead letter", of: ` of ${eventId.data}` };
}
