/** A photo of the event to draw on, one of the newest; while there is none, a plain drawing of runners. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../../api/call.ts";
import type { Photo } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import style from "./zone-field.module.css";

const OFFERED = 12;

type Samples = { photos: Photo[]; chosen: Photo | undefined; choose: (ulid: string) => void };

export function useSamplePhotos(eventId: string): Samples {
  const [ulid, setUlid] = useState<string>();
  const { data } = useQuery({
    queryKey: ["own-event", eventId, "sample-photos"],
    queryFn: ({ signal }) =>
      call("GET /events/{eventId}/photos", { path: { eventId }, query: { limit: OFFERED }, signal }),
    staleTime: 300_000,
  });
  const photos = data?.items ?? [];
  return { photos, chosen: photos.find((photo) => photo.ulid === ulid) ?? photos[0], choose: setUlid };
}

export function SamplePhoto({ photo }: { photo: Photo | undefined }) {
  const { t } = useTexts("organizer");
  if (!photo) return <Drawing />;
  return (
    <img
      key={photo.ulid}
      src={photo.imageUrl}
      alt={t("settings.samplePhoto")}
      width={photo.width}
      height={photo.height}
      draggable={false}
    />
  );
}

/** Which photo to draw on; nothing where there is no choice. */
export function SampleStrip({ photos, chosen, choose }: Samples) {
  const { t } = useTexts("organizer");
  if (photos.length < 2) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset scrolls in no browser.
    <div className={style.strip} role="group" aria-label={t("settings.otherSample")}>
      {photos.map((photo) => (
        <button
          key={photo.ulid}
          type="button"
          aria-pressed={photo.ulid === chosen?.ulid}
          aria-label={t("settings.sampleNamed", { name: photo.fileName })}
          onClick={() => choose(photo.ulid)}
        >
          <img src={photo.thumbnailUrl} alt="" loading="lazy" width={photo.width} height={photo.height} />
        </button>
      ))}
    </div>
  );
}

const RUNNERS = [
  { x: 90, bib: "1024" },
  { x: 210, bib: "A37" },
];

function Drawing() {
  return (
    <svg viewBox="0 0 300 200" aria-hidden="true">
      <rect width="300" height="200" fill="var(--raised)" />
      <path d="M0 118 Q75 96 150 112 T300 104 V200 H0Z" fill="var(--line)" />
      {RUNNERS.map(({ x, bib }) => (
        <g key={bib}>
          <circle cx={x} cy="58" r="14" fill="var(--strong-line)" />
          <path
            d={`M${x - 24} 128 L${x - 18} 84 Q${x} 70 ${x + 18} 84 L${x + 24} 128 Z M${x - 16} 128 L${x - 24} 184 H${x - 12} L${x - 2} 134 L${x + 14} 178 H${x + 26} L${x + 16} 128Z`}
            fill="var(--strong-line)"
          />
          <rect x={x - 15} y="92" width="30" height="20" rx="2" fill="var(--sheet)" />
          <text x={x} y="106" textAnchor="middle" fontSize="11" fontWeight="700" fill="var(--ink)">
            {bib}
          </text>
        </g>
      ))}
      <text x="8" y="193" fontSize="8" fill="var(--soft-ink)">
        © photo
      </text>
      <text x="292" y="193" textAnchor="end" fontSize="8" fill="var(--soft-ink)">
        2027
      </text>
    </svg>
  );
}
