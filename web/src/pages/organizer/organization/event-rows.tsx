/** An organization's races, latest first, drafts too. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CalendarPlus, ChevronRight } from "lucide-react";
import type { Event } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx";
import style from "./event-rows.module.css";
import { eventsOfQuery } from "./organization-queries.ts";

export function EventRows({ orgId }: { orgId: string }) {
  const { t } = useTexts("organizer");
  const events = useInfiniteQuery(eventsOfQuery(orgId));
  if (events.isPending) return <Skeleton lines={2} className={style.placeholder} />;
  if (!events.data) return <Failure error={events.error} retry={() => void events.refetch()} />;
  const all = events.data.pages.flatMap((page) => page.items);
  if (all.length === 0) return <NoEvents orgId={orgId} />;
  return (
    <>
      <ul className={style.rows}>
        {all.map((event) => (
          <Row key={event.eventId} event={event} />
        ))}
      </ul>
      {events.hasNextPage && (
        <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
          {t("organizations.moreEvents")}
        </Button>
      )}
    </>
  );
}

function Row({ event: { eventId, name, date, location, published, entry } }: { event: Event }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  return (
    <li className={style.row}>
      <div className={style.words}>
        <h3 className={style.name}>
          <Link to="/organizer/events/$eventId" params={{ eventId }} className={style.link}>
            {name}
          </Link>
        </h3>
        <p className={style.facts}>
          <time dateTime={date}>{formats.shortDay(date)}</time>
          {location && <span> · {location}</span>}
          <span> · {t(`event.types.${entry?.eventType ?? "NONE"}`)}</span>
        </p>
      </div>
      <Badge tone={published ? "good" : "neutral"}>{t(published ? "event.published" : "event.draft")}</Badge>
      <ChevronRight aria-hidden className={style.arrow} />
    </li>
  );
}

function NoEvents({ orgId }: { orgId: string }) {
  const { t } = useTexts("organizer");
  return (
    <Card>
      <Empty
        icon={<CalendarPlus aria-hidden />}
        title={t("organizations.noEvents")}
        actions={
          <ButtonLink look="main" to="/organizer/organizations/$orgId/new-event" params={{ orgId }}>
            {t("organizations.firstEvent")}
          </ButtonLink>
        }
      >
        {t("organizations.noEventsText")}
      </Empty>
    </Card>
  );
}
