/** A photographer's own page: who they are, where else they are found, and their photos race by race. */

import { useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { AtSign, Camera, Globe } from "lucide-react";
import { useCallback, useMemo } from "react";
import { call } from "../../api/call.ts";
import { eventQuery } from "../../api/event-queries.ts";
import type { Credit, Photo, PublicEvent } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonAnchor } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { PagePending } from "../../ui/page-pending.tsx";
import { Empty, Failure } from "../../ui/states.tsx";
import { GridSkeleton } from "./grid-skeleton.tsx";
import { instagramAddress } from "./photo-addresses.ts";
import { PhotoGrid } from "./photo-grid.tsx";
import { creditQuery } from "./photo-queries.ts";
import style from "./portfolio-page.module.css";

const PAGE = 100;

export function PortfolioPage() {
  const { photographerId } = useParams({ from: "/photographers/$photographerId" });
  const { t } = useTexts("photos");
  const { data: credit, error, refetch } = useQuery(creditQuery(photographerId));
  if (credit) {
    return (
      <Page
        title={credit.displayName}
        width="full"
        over={t("portfolio.over")}
        lead={credit.bio}
        actions={<Elsewhere credit={credit} />}
      >
        <PhotosByEvent photographerId={photographerId} />
      </Page>
    );
  }
  if (!error) return <PagePending />;
  return (
    <Page title={t("portfolio.over")} heading={null} width="text">
      <Failure error={error} retry={() => void refetch()} />
    </Page>
  );
}

function Elsewhere({ credit: { instagramHandle, websiteUrl } }: { credit: Credit }) {
  const { t } = useTexts("photos");
  return (
    <>
      {instagramHandle && (
        <ButtonAnchor
          href={instagramAddress(instagramHandle)}
          rel="noopener noreferrer"
          target="_blank"
          icon={<AtSign aria-hidden />}
          aria-label={t("credit.instagram", { handle: instagramHandle })}
        >
          {instagramHandle}
        </ButtonAnchor>
      )}
      {websiteUrl && (
        <ButtonAnchor href={websiteUrl} rel="noopener noreferrer" target="_blank" icon={<Globe aria-hidden />}>
          {t("portfolio.website")}
        </ButtonAnchor>
      )}
    </>
  );
}

function PhotosByEvent({ photographerId }: { photographerId: string }) {
  const { t } = useTexts("photos");
  const navigate = useNavigate();
  const list = usePortfolio(photographerId);
  const groups = useGroups(photographerId, list.photos, list.hasNextPage);
  const more = useCallback(
    () => void (list.isFetchingNextPage || list.fetchNextPage()),
    [list.isFetchingNextPage, list.fetchNextPage],
  );
  const renew = useCallback(() => void list.refetch(), [list.refetch]);
  if (list.error) return <Failure error={list.error} retry={renew} />;
  if (list.isPending) return <GridSkeleton />;
  if (list.photos.length === 0 && !list.hasNextPage) {
    return (
      <Empty icon={<Camera aria-hidden />} title={t("portfolio.noneTitle")}>
        {t("portfolio.none")}
      </Empty>
    );
  }
  return (
    <PhotoGrid
      label={t("portfolio.photos")}
      groups={groups}
      hasMore={list.hasNextPage}
      onMore={more}
      onBroken={renew}
      onOpen={({ eventId, ulid }) =>
        void navigate({
          to: "/events/$eventId/photos",
          params: { eventId },
          search: { photographer: photographerId, photo: ulid },
        })
      }
    />
  );
}

function usePortfolio(photographerId: string) {
  const pages = useInfiniteQuery({
    queryKey: ["photographer", photographerId, "photos"],
    queryFn: ({ pageParam, signal }) =>
      call("GET /photographers/{photographerId}/photos", {
        path: { photographerId },
        query: { limit: PAGE, ...(pageParam !== undefined && { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    staleTime: 60_000,
  });
  const photos = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  return { ...pages, photos };
}

/** The list comes race by race; a race is done when another one follows it. */
function useGroups(photographerId: string, photos: readonly Photo[], hasMore: boolean) {
  const ids = useMemo(() => [...new Set(photos.map(({ eventId }) => eventId))], [photos]);
  const events = useQueries({
    queries: ids.map((eventId) => eventQuery(eventId)),
    combine: (answers) => answers.map(({ data }) => data),
  });
  return useMemo(
    () =>
      ids.map((eventId, place) => ({
        key: eventId,
        heading: <EventHeading eventId={eventId} event={events[place]} photographerId={photographerId} />,
        photos: photos.filter((photo) => photo.eventId === eventId),
        isEnd: !hasMore || place < ids.length - 1,
      })),
    [ids, events, photos, hasMore, photographerId],
  );
}

type HeadingProps = { eventId: string; event: PublicEvent | undefined; photographerId: string };

function EventHeading({ eventId, event, photographerId }: HeadingProps) {
  const formats = useFormats();
  return (
    <>
      <h2 className={style.event}>
        <Link to="/events/$eventId/photos" params={{ eventId }} search={{ photographer: photographerId }}>
          {event?.name ?? eventId}
        </Link>
      </h2>
      {event && (
        <time dateTime={event.date} className={style.date}>
          {formats.shortDay(event.date)}
        </time>
      )}
    </>
  );
}
