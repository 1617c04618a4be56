/** What is around an organizer's view of one event: its name, how it stands, and its parts. */

import { useQuery } from "@tanstack/react-query";
import { Link, Outlet, useParams } from "@tanstack/react-router";
import { ExternalLink } from "lucide-react";
import { organizationQuery, ownEventQuery } from "../../api/organizer-queries.ts";
import type { Event } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { PagePending } from "../../ui/page-pending.tsx";
import { Spoken } from "../../ui/spoken.tsx";
import { Failure } from "../../ui/states.tsx";
import { TabBar, TabLink } from "../../ui/tabs.tsx";
import { entryLettersQuery, letterCount, photoLettersQuery } from "./dashboard/dead-letters.ts";
import style from "./dashboard/event-frame.module.css";

export function EventFrame() {
  const { eventId } = useParams({ from: "/organizer/events/$eventId" });
  const { t } = useTexts("organizer");
  const { data: event, error, refetch } = useQuery(ownEventQuery(eventId));
  if (event) return <Shown event={event} />;
  if (!error) return <PagePending />;
  return (
    <Page title={t("frame.tabs")} heading={null} width="text">
      <Failure error={error} retry={() => void refetch()} />
    </Page>
  );
}

function Shown({ event }: { event: Event }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { data: organization } = useQuery(organizationQuery(event.orgId));
  useAccent(organization?.branding.accentColor);
  return (
    <Page
      title={event.name}
      over={
        <Link to="/organizer/organizations/$orgId" params={{ orgId: event.orgId }}>
          {organization?.name ?? event.orgId}
        </Link>
      }
      lead={
        <span className={style.facts}>
          <time dateTime={event.date}>{formats.day(event.date)}</time>
          {event.published ? (
            <Badge tone="good">{t("frame.published")}</Badge>
          ) : (
            <Badge tone="warn">{t("frame.draft")}</Badge>
          )}
        </span>
      }
      actions={
        event.published && (
          <ButtonLink
            to="/events/$eventId"
            params={{ eventId: event.eventId }}
            size="small"
            icon={<ExternalLink aria-hidden />}
          >
            {t("frame.public")}
          </ButtonLink>
        )
      }
    >
      <Tabs eventId={event.eventId} />
      <Outlet />
    </Page>
  );
}

function Tabs({ eventId }: { eventId: string }) {
  const { t } = useTexts("organizer");
  const params = { eventId };
  return (
    <TabBar label={t("frame.tabs")}>
      <TabLink to="/organizer/events/$eventId" params={params} activeOptions={{ exact: true, includeSearch: false }}>
        {t("frame.entry")}
      </TabLink>
      <TabLink to="/organizer/events/$eventId/photos" params={params}>
        {t("frame.photos")}
      </TabLink>
      <TabLink to="/organizer/events/$eventId/runners" params={params}>
        {t("frame.runners")}
      </TabLink>
      <TabLink to="/organizer/events/$eventId/problems" params={params}>
        {t("frame.problems")} <ProblemCount eventId={eventId} />
      </TabLink>
      <TabLink to="/organizer/events/$eventId/settings" params={params}>
        {t("frame.settings")}
      </TabLink>
    </TabBar>
  );
}

function ProblemCount({ eventId }: { eventId: string }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const entry = useQuery(entryLettersQuery(eventId)).data;
  const photos = useQuery(photoLettersQuery(eventId)).data;
  const { count, isMore } = letterCount(entry, photos);
  if (count === 0) return null;
  const shown = `${formats.number(count)}${isMore ? "+" : ""}`;
  return (
    <Badge tone="bad">
      <span aria-hidden>{shown}</span>
      <Spoken>{t("frame.problemCount", { count, shown })}</Spoken>
    </Badge>
  );
}
