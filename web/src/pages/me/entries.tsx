/** One's entries, newest first, each with how it stands and the way to it. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Ticket } from "lucide-react";
import { call } from "../../api/call.ts";
import { eventQuery } from "../../api/event-queries.ts";
import type { Participation } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import { STANDING_TONES, standingOf } from "../entry/standing.ts";
import style from "./entries.module.css";

export function Entries() {
  const { t } = useTexts("entry");
  const entries = useInfiniteQuery({
    queryKey: ["own-entries"],
    queryFn: ({ pageParam, signal }) =>
      call("GET /me/participations", { query: { limit: 20, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.cursor,
    staleTime: 0,
  });
  const all = entries.data?.pages.flatMap((page) => page.items) ?? [];
  if (entries.isPending) return <Skeleton lines={3} className={style.placeholder} />;
  if (entries.isError && all.length === 0)
    return <Failure error={entries.error} retry={() => void entries.refetch()} />;
  if (all.length === 0) {
    return (
      <Empty
        icon={<Ticket aria-hidden />}
        title={t("mine.noEntries")}
        actions={<ButtonLink to="/">{t("mine.find")}</ButtonLink>}
      >
        {t("mine.noEntriesText")}
      </Empty>
    );
  }
  return (
    <>
      <ul className={style.entries}>
        {all.map((request) => (
          <Entry key={request.requestId} request={request} />
        ))}
      </ul>
      {entries.hasNextPage && (
        <Button busy={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
          {t("mine.more")}
        </Button>
      )}
    </>
  );
}

function Entry({ request }: { request: Participation }) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  const { requestId, eventId, ticket, place, requestedAt } = request;
  const { data: event, isPending } = useQuery(eventQuery(eventId));
  const standing = standingOf(request);
  return (
    <li className={style.entry}>
      <div className={style.words}>
        <h3>
          <Link to="/requests/$requestId" params={{ requestId }} className={style.link}>
            {/* A race that is not public any more has no name to show. */}
            {event?.name ?? (isPending ? "…" : eventId)}
          </Link>
        </h3>
        <p className={style.about}>
          {event && <time dateTime={event.date}>{formats.shortDay(event.date)}</time>}
          {ticket !== null && <span>{t("mine.ticket", { ticket: formats.number(ticket) })}</span>}
          {place !== null && <span>{t("mine.place", { place: formats.number(place) })}</span>}
          <time dateTime={new Date(requestedAt).toISOString()}>
            {t("mine.entered", { time: formats.moment(requestedAt, event?.timeZone) })}
          </time>
        </p>
      </div>
      <Badge tone={STANDING_TONES[standing]}>{t(`standing.${standing}`)}</Badge>
    </li>
  );
}
