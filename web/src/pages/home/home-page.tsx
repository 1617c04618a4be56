/** The first page: which races there are, and what one can do about each now. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { CalendarDays } from "lucide-react";
import { call } from "../../api/call.ts";
import { useMe } from "../../api/session.ts";
import type { PublicEvent } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import { EventCard } from "./event-card.tsx";
import { type EventDay, eventDay } from "./event-day.ts";
import style from "./home-page.module.css";

export function HomePage() {
  const { t } = useTexts("runner");
  const events = useInfiniteQuery({
    queryKey: ["events"],
    queryFn: ({ pageParam, signal }) =>
      call("GET /events", { query: { limit: 24, ...(pageParam && { cursor: pageParam }) }, signal }),
    initialPageParam: "",
    getNextPageParam: (page) => page.cursor,
  });
  const all = events.data?.pages.flatMap((page) => page.items) ?? [];
  const on = (day: EventDay) => all.filter((event) => eventDay(event) === day);
  return (
    <Page title={t("home.title")} lead={t("home.lead")}>
      {events.isPending && <Skeleton lines={3} className={style.placeholder} />}
      {events.isError && all.length === 0 && <Failure error={events.error} retry={() => void events.refetch()} />}
      {events.isSuccess && all.length === 0 && <NoEvents />}
      <Row title={t("home.today")} events={on("here")} />
      <Row title={t("home.upcoming")} events={on("ahead").reverse()} />
      <Row title={t("home.past")} events={on("over")} />
      {events.hasNextPage && (
        <Button busy={events.isFetchingNextPage} onClick={() => void events.fetchNextPage()}>
          {t("home.more")}
        </Button>
      )}
    </Page>
  );
}

function Row({ title, events }: { title: string; events: PublicEvent[] }) {
  if (events.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={style.cards}>
        {events.map((event) => (
          <EventCard key={event.eventId} event={event} />
        ))}
      </ul>
    </Section>
  );
}

function NoEvents() {
  const { t } = useTexts("runner");
  const me = useMe();
  return (
    <Empty
      icon={<CalendarDays aria-hidden />}
      title={t("home.empty")}
      actions={me && <ButtonLink to="/organizer">{t("home.organize")}</ButtonLink>}
    >
      {t("home.emptyText")}
    </Empty>
  );
}
