/** Our photos in PhotoSwipe: its slides, its movements and its own events, without its buttons. */

import PhotoSwipe, { type PhotoSwipeOptions, type SlideData } from "photoswipe";
import type { Photo } from "../../api/types.ts";

export type Swiped = { ulid: string; alt: string };

export type SwipeAsk = {
  photos: readonly Photo[];
  ulid: string;
  nameOf: (photo: Photo) => string;
  label: string;
  failed: string;
  thumbnail: (ulid: string) => HTMLElement | null;
  onChange: (ulid: string) => void;
  onBroken: (ulid: string) => void;
  /** Somebody wants it closed; it still moves. */
  onClose: () => void;
  onGone: () => void;
};

export type Swipe = {
  element: HTMLElement;
  go(step: 1 | -1): void;
  zoom(): void;
  close(): void;
  show(photos: readonly Photo[]): void;
  discard(): void;
};

const isCalm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export function openSwipe(ask: SwipeAsk): Swipe {
  const slides = ask.photos.map((photo) => slideOf(photo, ask.nameOf));
  const pswp = new PhotoSwipe({
    ...OPTIONS,
    ...(isCalm() && { showHideAnimationType: "none" }),
    errorMsg: ask.failed,
    dataSource: slides,
    index: Math.max(
      0,
      ask.photos.findIndex(({ ulid }) => ulid === ask.ulid),
    ),
  });
  listen(pswp, ask);
  pswp.init();
  holdKeys(pswp);
  pswp.element?.setAttribute("aria-label", ask.label);
  pswp.element?.setAttribute("aria-modal", "true");
  return {
    element: pswp.element as HTMLElement,
    go: (step) => (step > 0 ? pswp.next() : pswp.prev()),
    zoom: () => pswp.toggleZoom(),
    close: () => closeWhenOpen(pswp),
    show: (photos) => update(pswp, slides, photos, ask.nameOf),
    discard: () => {
      // Else it would wait for the end of a movement that nobody sees.
      pswp.isDestroying = true;
      pswp.destroy();
    },
  };
}

function listen(pswp: PhotoSwipe, ask: SwipeAsk): void {
  // Thumbnails are in the browser already, so every photo can be there at once, if not yet sharp.
  pswp.addFilter("placeholderSrc", (_, content) => content.data.msrc ?? false);
  pswp.addFilter(
    "thumbEl",
    (element, data) => (ask.thumbnail((data as SlideData & Swiped).ulid) ?? element) as HTMLElement,
  );
  pswp.on("change", () => {
    const ulid = ulidAt(pswp);
    if (ulid) ask.onChange(ulid);
  });
  pswp.on("loadError", ({ content }) => ask.onBroken((content.data as SlideData & Swiped).ulid));
  pswp.on("close", ask.onClose);
  pswp.on("destroy", ask.onGone);
}

const OPTIONS: PhotoSwipeOptions = {
  bgOpacity: 1,
  loop: false,
  counter: false,
  close: false,
  zoom: false,
  arrowPrev: false,
  arrowNext: false,
  // The photo that was open last gets it, which may not be the first.
  returnFocus: false,
  showAnimationDuration: 260,
  hideAnimationDuration: 220,
  padding: { top: 0, bottom: 0, left: 0, right: 0 },
  preload: [1, 2],
};

function slideOf(photo: Photo, nameOf: (photo: Photo) => string): SlideData & Swiped {
  const { ulid, imageUrl: src, thumbnailUrl: msrc, width, height } = photo;
  return { ulid, src, msrc, width, height, alt: nameOf(photo), thumbCropped: true };
}

function ulidAt({ currSlide }: PhotoSwipe): string | undefined {
  return (currSlide?.data as (SlideData & Swiped) | undefined)?.ulid;
}

/** It hears no key while it opens: those pressed then count as soon as it is open. */
function holdKeys(pswp: PhotoSwipe): void {
  if (pswp.opener.isOpen) return;
  const held: string[] = [];
  const hold = (event: KeyboardEvent) => {
    if (!/^(Arrow(Left|Right)|Escape)$/.test(event.key)) return;
    event.preventDefault();
    held.push(event.key);
  };
  const release = () => document.removeEventListener("keydown", hold);
  document.addEventListener("keydown", hold);
  pswp.on("destroy", release);
  pswp.on("openingAnimationEnd", () => {
    release();
    for (const key of held) {
      if (key === "Escape") pswp.close();
      else if (key === "ArrowRight") pswp.next();
      else pswp.prev();
    }
  });
}

/** It takes no notice of who closes it while it opens. */
function closeWhenOpen(pswp: PhotoSwipe): void {
  if (pswp.opener.isOpen) pswp.close();
  else pswp.on("openingAnimationEnd", () => pswp.close());
}

/** Those that came are added behind; of those there, addresses may be new. */
function update(
  pswp: PhotoSwipe,
  slides: (SlideData & Swiped)[],
  photos: readonly Photo[],
  nameOf: SwipeAsk["nameOf"],
): void {
  const places = new Map(slides.map(({ ulid }, place) => [ulid, place]));
  const last = photos.findIndex(({ ulid }) => ulid === slides.at(-1)?.ulid);
  for (const [index, photo] of photos.entries()) {
    const place = places.get(photo.ulid);
    const slide = place === undefined ? undefined : slides[place];
    if (slide && place !== undefined && slide.src !== photo.imageUrl) {
      Object.assign(slide, slideOf(photo, nameOf));
      if (Math.abs(place - pswp.currIndex) <= 1) pswp.refreshSlideContent(place);
    } else if (!slide && last >= 0 && index > last) slides.push(slideOf(photo, nameOf));
  }
}
