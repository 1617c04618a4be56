/** Running all photos of an event again: the question, and how far it is. */

import { RefreshCw } from "lucide-react";
import { call } from "../../../api/call.ts";
import type { PhotoJob, PhotoSummary } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { ConfirmedButton } from "./confirmed-button.tsx";

export function ReprocessAll({ summary: { eventId, done, failed } }: { summary: PhotoSummary }) {
  const { t } = useTexts("organizer");
  const { number } = useFormats();
  return (
    <ConfirmedButton
      eventId={eventId}
      size="small"
      icon={<RefreshCw aria-hidden />}
      label={t("photos.again.all")}
      title={t("photos.again.allTitle")}
      text={t("photos.again.allText", { shown: number(done + failed) })}
      confirm={t("photos.again.all")}
      perform={() =>
        call("POST /admin/events/{eventId}/photos/reprocess", { path: { eventId }, body: { which: "all" } })
      }
      done={t("photos.again.started")}
    />
  );
}

/** Nobody knows before its end how many it will see. */
export function ReprocessProgress({ job: { seen, changed } }: { job: PhotoJob }) {
  const { t } = useTexts("organizer");
  const { number } = useFormats();
  return (
    <Progress
      label={t("photos.again.running")}
      share={undefined}
      note={t("photos.again.progress", { changed: number(changed), seen: number(seen) })}
    />
  );
}
