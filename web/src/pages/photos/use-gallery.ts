/** An event's photos, newest first, page by page; new ones are noticed by themselves and wait until they are admitted. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useRef, useState } from "react";
import { type AnswerOf, call } from "../../api/call.ts";
import { queries } from "../../api/queries.ts";
import type { Photo } from "../../api/types.ts";
import { mergeHead } from "./merge-head.ts";

export type GalleryAsk = { eventId: string; bib?: string | undefined; photographer?: string | undefined };
type GalleryPage = AnswerOf<"GET /events/{eventId}/photos">;
type Pages = { pages: GalleryPage[]; pageParams: (string | undefined)[] };

const PAGE = 100;
/** Answered with 304 as long as nothing came. */
const LOOK_EVERY_MS = 4000;
/** A picture that is broken for another reason than its age is not asked for again and again. */
const RENEW_EVERY_MS = 10_000;

async function readPage(
  { eventId, ...query }: GalleryAsk,
  cursor?: string,
  signal?: AbortSignal,
): Promise<GalleryPage> {
  const asked = Object.entries({ ...query, cursor }).filter(([, value]) => value !== undefined);
  return call("GET /events/{eventId}/photos", {
    path: { eventId },
    query: { limit: PAGE, ...Object.fromEntries(asked) },
    ...(signal && { signal }),
  });
}

function galleryKey({ eventId, bib, photographer }: GalleryAsk) {
  return ["event", eventId, "photos", { bib, photographer }] as const;
}

export function useGallery(ask: GalleryAsk, { enabled = true } = {}) {
  const key = galleryKey(ask);
  const pages = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => readPage(ask, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ cursor }) => cursor,
    // The newest page, asked for again and again, keeps the list as it is now.
    staleTime: Number.POSITIVE_INFINITY,
    enabled,
  });
  const { data: head } = useQuery({
    queryKey: [...key, "newest"],
    queryFn: ({ signal }) => readPage(ask, undefined, signal),
    refetchInterval: LOOK_EVERY_MS,
    staleTime: 0,
    enabled: enabled && pages.isSuccess,
  });
  const loaded = useMemo(() => pages.data?.pages.flatMap(({ items }) => items) ?? [], [pages.data]);
  const { photos, waiting, anchor, admit } = useAdmission(key, loaded, head);
  return {
    ...pages,
    photos,
    waiting,
    anchor,
    admit,
    first: pages.data?.pages[0],
    renew: useRenewal(ask),
  };
}

export type Gallery = ReturnType<typeof useGallery>;

/** New photos are those of the newest page that no page before had; they are shown once somebody wants them. */
function useAdmission(key: ReturnType<typeof galleryKey>, loaded: Photo[], head: GalleryPage | undefined) {
  const name = JSON.stringify(key);
  const [admitted, setAdmitted] = useState<{ name: string; photos: Photo[] }>({ name, photos: [] });
  const before = admitted.name === name ? admitted.photos : NONE;
  const merged = useMemo(() => {
    const { fresh, known, hasGap } = mergeHead([...before, ...loaded], head);
    const ids = new Set(loaded.map(({ ulid }) => ulid));
    const anchor = known.findIndex(({ ulid }) => ids.has(ulid));
    return { fresh, known, hasGap, anchor: Math.max(0, anchor) };
  }, [before, loaded, head]);
  const { fresh, known, hasGap, anchor } = merged;
  const admit = useCallback(() => {
    // The newest page can begin the list anew: what follows it is read again when it is wanted.
    const beginsAnew = head && (hasGap || before.length + fresh.length > PAGE);
    if (beginsAnew) queries.setQueryData<Pages>(JSON.parse(name), { pages: [head], pageParams: [undefined] });
    setAdmitted({ name, photos: beginsAnew ? [] : [...fresh, ...before] });
  }, [fresh, hasGap, before, head, name]);
  return { photos: known, waiting: fresh, anchor, admit };
}

const NONE: Photo[] = [];

/** Signed addresses end. The page on which the photo stood is read again, once for all its photos. */
function useRenewal({ eventId, bib, photographer }: GalleryAsk): (ulid: string) => void {
  const renewedAt = useRef(new Map<number, number>());
  return useCallback(
    (ulid) => {
      const ask = { eventId, bib, photographer };
      const data = queries.getQueryData<Pages>(galleryKey(ask));
      const index = Math.max(0, data?.pages.findIndex(({ items }) => items.some((photo) => photo.ulid === ulid)) ?? -1);
      if (!data || Date.now() - (renewedAt.current.get(index) ?? 0) < RENEW_EVERY_MS) return;
      renewedAt.current.set(index, Date.now());
      void renewPage(ask, index, data);
    },
    [eventId, bib, photographer],
  );
}

async function renewPage(ask: GalleryAsk, index: number, data: Pages): Promise<void> {
  const page = await readPage(ask, data.pageParams[index]).catch(() => undefined);
  if (!page) return;
  const now = new Map(page.items.map((photo) => [photo.ulid, photo]));
  queries.setQueryData<Pages>(
    galleryKey(ask),
    (current) =>
      current && {
        ...current,
        // Only the addresses: the cursors of the pages after this one still hold.
        pages: current.pages.map((each) => ({
          ...each,
          items: each.items.map((photo) => now.get(photo.ulid) ?? photo),
        })),
      },
  );
}
