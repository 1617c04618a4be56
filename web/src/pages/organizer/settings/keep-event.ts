/** Keeps what the server answered to a change, and has the lists and public pages ask again. */

import { eventQuery } from "../../../api/event-queries.ts";
import { ownEventQuery } from "../../../api/organizer-queries.ts";
import { queries } from "../../../api/queries.ts";
import type { Event } from "../../../api/types.ts";
import { eventsOfQuery } from "../organization/organization-queries.ts";

export async function keepEvent(event: Event): Promise<void> {
  const { eventId, orgId } = event;
  queries.setQueryData(ownEventQuery(eventId).queryKey, event);
  await Promise.all(
    [eventsOfQuery(orgId).queryKey, eventQuery(eventId).queryKey, ["events"]].map((queryKey) =>
      queries.invalidateQueries({ queryKey }),
    ),
  );
}
