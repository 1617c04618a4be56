/** Places that entry gave make runners, places that came back take theirs away: exactly once, in whatever order it is heard. */

import { sql, type Transaction } from "kysely";
import type { EntryMessage, GivenPlace } from "../../entry/events.ts";
import type { RegistryDatabase } from "../database.ts";
import type { RegistrySchema } from "../schema.ts";
import { bibOf, DEFAULT_NUMBERING, type Numbering, spareNumbers } from "./entrant-bibs.ts";

type Numbered = GivenPlace & { number: number };

/** All or nothing; of an event that is gone, nothing. */
export async function applyPlaces(db: RegistryDatabase, eventId: string, messages: EntryMessage[]): Promise<void> {
  const returned = messages.flatMap((message) => (message.type === "place.returned" ? [message.requestId] : []));
  const given = messages.flatMap((message) => (message.type === "places.given" ? message.places : []));
  await db.transaction().execute(async (transaction) => {
    // One after another for an event, imports of runners included: who chooses a spare bib must know all the others.
    const event = await transaction
      .selectFrom("events")
      .select("entry_settings")
      .where("event_id", "=", eventId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!event) return;
    // First what came back: who is known to have left needs no bib.
    if (returned.length > 0) await takeBack(transaction, eventId, returned);
    if (given.length > 0) await give(transaction, eventId, event.entry_settings ?? DEFAULT_NUMBERING, given);
  });
}

/** A place that we do not know of yet is written down too, so that nobody gets a bib for it later. */
async function takeBack(
  transaction: Transaction<RegistrySchema>,
  eventId: string,
  requestIds: string[],
): Promise<void> {
  await sql`
    with returned as (
      insert into entry_places (event_id, request_id, returned)
      select distinct ${eventId}, request_id, true from unnest(${requestIds}::text[]) as request_id
      on conflict (event_id, request_id) do update set returned = true where not entry_places.returned
      returning bib_number
    )
    delete from event_runners using returned
    where event_runners.event_id = ${eventId} and event_runners.bib_number = returned.bib_number
      and event_runners.source = 'ENTRY'`.execute(transaction);
}

async function give(
  transaction: Transaction<RegistrySchema>,
  eventId: string,
  numbering: Numbering,
  places: GivenPlace[],
): Promise<void> {
  // A message that came twice may be here twice.
  const once = new Map(places.map((each) => [each.requestId, each])).values();
  let waiting: Numbered[] = Array.from(once, (each) => ({ ...each, number: numbering.bibStart + each.place - 1 })).sort(
    (a, b) => a.place - b.place,
  );
  for (;;) {
    const done = await makeRunners(transaction, eventId, numbering.bibFormat, waiting);
    waiting = waiting.filter(({ requestId }) => !done.has(requestId));
    if (waiting.length === 0) return;
    const above = Math.max(...waiting.map(({ number }) => number));
    const spare = await spareNumbers(transaction, eventId, numbering, { count: waiting.length, above });
    waiting = waiting.map((each, index) => ({ ...each, number: spare[index] as number }));
  }
}

/**
 * In one statement, for a place and its runner are made together. Answers the requests that have their place by now;
 * the others' bibs are taken, perhaps by a runner that somebody added this moment.
 */
async function makeRunners(
  transaction: Transaction<RegistrySchema>,
  eventId: string,
  bibFormat: string,
  places: Numbered[],
): Promise<Set<string>> {
  const requestIds = places.map(({ requestId }) => requestId);
  const userIds = places.map(({ userId }) => userId);
  const numbers = places.map(({ place }) => place);
  const bibs = places.map(({ number }) => bibOf(number, bibFormat));
  const { rows } = await sql<{ request_id: string }>`
    with given as (
      select * from unnest(${requestIds}::text[], ${userIds}::text[], ${numbers}::integer[], ${bibs}::text[])
        as given (request_id, user_id, place, bib_number)
    ), known as (
      select request_id from entry_places where event_id = ${eventId} and request_id = any(${requestIds}::text[])
    ), wanted as (
      select distinct on (bib_number) * from given
      where request_id not in (select request_id from known)
        and not exists (select from entry_places
          where event_id = ${eventId} and entry_places.bib_number = given.bib_number)
      order by bib_number, place, request_id
    ), made as (
      insert into event_runners (event_id, bib_number, name, source, user_id)
      select ${eventId}, bib_number, nullif(users.name, ''), 'ENTRY', user_id
      from wanted left join users on users.id = wanted.user_id
      on conflict (event_id, bib_number) do nothing
      returning bib_number
    ), kept as (
      insert into entry_places (event_id, request_id, user_id, place, bib_number)
      select ${eventId}, request_id, user_id, place, bib_number from wanted join made using (bib_number)
      returning request_id
    )
    select request_id from known union all select request_id from kept`.execute(transaction);
  return new Set(rows.map((row) => row.request_id));
}
