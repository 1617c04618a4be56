/** A race one photographs: the way to upload, and how one's photos of it stand. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { useSyncExternalStore } from "react";
import { ApiProblem } from "../../api/call.ts";
import type { PublicEvent, UploadSummary } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { accentColours } from "../../theme/accent.ts";
import { Badge } from "../../ui/badge.tsx";
import style from "./assignment-card.module.css";
import { uploadSummaryQuery } from "./own-queries.ts";
import { openQueue } from "./sending/upload-queue.ts";

type AssignmentProps = { event: PublicEvent; photographerId: string };

export function AssignmentCard({ event, photographerId }: AssignmentProps) {
  const formats = useFormats();
  const { eventId, name, date, location, organization } = event;
  const summary = useQuery(uploadSummaryQuery({ eventId, photographerId }));
  // Somebody who is several photographers sees all their races, and here those of the one they chose.
  if (summary.error instanceof ApiProblem && summary.error.code === "upload.photographer-not-assigned") return null;
  const colour = accentColours(organization.branding.accentColor ?? "")?.fill;
  return (
    <li className={style.card}>
      <span className={style.stripe} style={colour ? { background: colour } : undefined} />
      <div className={style.words}>
        <p className={style.day}>
          <time dateTime={date}>{formats.shortDay(date)}</time>
          {location && ` · ${location}`}
        </p>
        <h3>
          <Link
            to="/photographer/events/$eventId"
            params={{ eventId }}
            search={{ photographer: photographerId }}
            className={style.link}
          >
            {name}
          </Link>
        </h3>
        <p className={style.organizer}>{organization.name}</p>
        <p className={style.counts}>{summary.data && <Counts counts={summary.data} />}</p>
      </div>
      <Sending eventId={eventId} photographerId={photographerId} />
      <ChevronRight aria-hidden className={style.arrow} />
    </li>
  );
}

function Counts({ counts: { uploaded, done, processing, failed, withoutBib } }: { counts: UploadSummary }) {
  const { t } = useTexts("photographer");
  if (uploaded === 0) return t("races.noPhotos");
  const parts = [t("races.photos", { count: done }), t("races.withBib", { count: Math.max(0, done - withoutBib) })];
  if (processing > 0) parts.push(t("races.processing", { count: processing }));
  if (failed > 0) parts.push(t("races.failed", { count: failed }));
  return parts.join(" · ");
}

/** Uploads go on while one is here. */
function Sending({ eventId, photographerId }: { eventId: string; photographerId: string }) {
  const { t } = useTexts("photographer");
  const queue = openQueue({ eventId, photographerId });
  const status = useSyncExternalStore(
    (listen) => queue?.subscribe(listen) ?? (() => {}),
    () => queue?.read().status,
  );
  if (status === undefined || status === "idle") return null;
  return <Badge tone={status === "running" ? "accent" : "warn"}>{t(`status.${status}`)}</Badge>;
}
