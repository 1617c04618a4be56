/** A race's photos: all of them as they come, those of a bib, of a photographer, or of a face. */

import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { eventQuery } from "../../api/event-queries.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Page } from "../../ui/page.tsx";
import { Failure } from "../../ui/states.tsx";
import { GalleryResults } from "./gallery-results.tsx";
import { creditQuery } from "./photo-queries.ts";
import style from "./photos-page.module.css";
import { SearchBar } from "./search-bar.tsx";
import { SelfieResults } from "./selfie-results.tsx";

export function PhotosPage() {
  const { eventId } = useParams({ from: "/events/$eventId/photos" });
  const { bib, photographer, by } = useSearch({ from: "/events/$eventId/photos" });
  const { t } = useTexts("photos");
  const { data: event, error, refetch } = useQuery(eventQuery(eventId));
  const { data: credit } = useQuery({ ...creditQuery(photographer ?? ""), enabled: photographer !== undefined });
  useAccent(event?.organization.branding.accentColor);
  const heading = headingOf({ bib, credit: credit?.displayName ?? photographer, by });
  if (error) {
    return (
      <Page title={t("title")} heading={null} width="text">
        <Failure error={error} retry={() => void refetch()} />
      </Page>
    );
  }
  return (
    <Page
      title={event ? `${heading} · ${event.name}` : heading}
      heading={heading}
      width="full"
      over={
        <Link to="/events/$eventId" params={{ eventId }} className={style.event}>
          {event?.name ?? "\u00a0"}
        </Link>
      }
    >
      <SearchBar eventId={eventId} bib={bib} />
      {by === "selfie" ? (
        <SelfieResults eventId={eventId} zone={event?.timeZone} />
      ) : (
        <GalleryResults key={`${bib} ${photographer}`} ask={{ eventId, bib, photographer }} zone={event?.timeZone} />
      )}
    </Page>
  );

  function headingOf(asked: { bib: string | undefined; credit: string | undefined; by: "selfie" | undefined }): string {
    if (asked.by === "selfie") return t("titleOfSelfie");
    if (asked.bib !== undefined) return t("titleOfBib", { bib: asked.bib });
    return asked.credit === undefined ? t("title") : t("titleOfPhotographer", { name: asked.credit });
  }
}
