/** Words that the commands about photos share. */

import type { Connection } from "./connection.ts";

export const photosPath = (eventId: string) => `/admin/events/${encodeURIComponent(eventId)}/photos`;

/** Without a server nobody works on what was asked for. */
export function atWork({ serverUrl }: Pick<Connection, "serverUrl">): string {
  return serverUrl === undefined ? "\nIt happens when a server runs: start it with `snaprace serve`." : "";
}
