/** A race's own page: what it is, whose, and what one can do now. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { CalendarDays, MapPin } from "lucide-react";
import { eventQuery } from "../../api/event-queries.ts";
import type { PublicEvent } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Page } from "../../ui/page.tsx";
import { PagePending } from "../../ui/page-pending.tsx";
import { Failure } from "../../ui/states.tsx";
import { EnterPanel } from "../entry/enter-panel.tsx";
import style from "./event-page.module.css";
import { PhotosPanel } from "./photos-panel.tsx";

export function EventPage() {
  const { eventId } = useParams({ from: "/events/$eventId" });
  const { data: event, error, refetch } = useQuery(eventQuery(eventId));
  const { t } = useTexts("runner");
  useAccent(event?.organization.branding.accentColor);
  if (event) return <Shown event={event} />;
  if (!error) return <PagePending />;
  return (
    <Page title={t("event.races")} heading={null} width="text">
      <Failure error={error} retry={() => void refetch()} />
    </Page>
  );
}

function Shown({ event }: { event: PublicEvent }) {
  const formats = useFormats();
  return (
    <Page title={event.name} heading={null}>
      <div className={style.hero}>
        <Organizer organization={event.organization} />
        <h1 className={style.name}>{event.name}</h1>
        <ul className={style.facts}>
          <li>
            <CalendarDays aria-hidden />
            <time dateTime={event.date}>{formats.day(event.date)}</time>
          </li>
          {event.location && (
            <li>
              <MapPin aria-hidden />
              {event.location}
            </li>
          )}
        </ul>
      </div>
      <div className={style.panels}>
        {event.entry && <EnterPanel event={event} />}
        <PhotosPanel event={event} />
      </div>
    </Page>
  );
}

function Organizer({ organization }: Pick<PublicEvent, "organization">) {
  const { logoUrl, websiteUrl } = organization.branding;
  return (
    <p className={style.organizer}>
      {logoUrl && <img src={logoUrl} alt="" width="40" height="40" className={style.logo} />}
      {websiteUrl ? (
        <a href={websiteUrl} rel="noopener noreferrer">
          {organization.name}
        </a>
      ) : (
        <Link to="/">{organization.name}</Link>
      )}
    </p>
  );
}
