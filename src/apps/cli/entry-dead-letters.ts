/** `snaprace entry dead-letters` and `entry redrive`. */

import type { Command } from "commander";
import type { ShownLetter } from "../../entry/dead-letters.ts";
import { addDeadLetterCommands } from "./dead-letter-commands.ts";

export function addDeadLetters(group: Command): void {
  addDeadLetterCommands<ShownLetter>(group, {
    name: "entry",
    listDescription: "List the messages of an event's entry that were given up on.",
    redriveDescription: "Send dead letters back to be handled; requests keep their tickets.",
    pathOf: (eventId) => `/admin/events/${eventId}/dead-letters`,
    othersPath: "/admin/dead-letters",
    columns: {
      before: [
        ["ticket", ({ ticket }) => String(ticket ?? "")],
        ["status", ({ status }) => status ?? ""],
      ],
      last: ["request", ({ requestId, body }) => requestId ?? body],
    },
  });
}
