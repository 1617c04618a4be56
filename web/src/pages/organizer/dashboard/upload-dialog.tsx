/** What happened to one upload, step by step, and what can be done about it. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { RotateCw, Trash2 } from "lucide-react";
import { call } from "../../../api/call.ts";
import type { UploadWithHistory } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Skeleton, Trouble } from "../../../ui/states.tsx";
import { DeletePhotoButton } from "./delete-photo-button.tsx";
import { FailureReason } from "./failure-reason.tsx";
import { lookAgain } from "./live-entry.ts";
import style from "./panels.module.css";
import { UploadHistory } from "./upload-history.tsx";

const TONES: { [Status in UploadWithHistory["status"]]: Tone } = {
  PROCESSING: "accent",
  DONE: "good",
  FAILED: "bad",
  DUPLICATE: "neutral",
  DELETED: "neutral",
};
const LOOK_AGAIN_MS = 2000;

type DialogProps = { eventId: string; ulid: string; fileName: string; zone: string; onClose: () => void };

export function UploadDialog({ eventId, ulid, fileName, zone, onClose }: DialogProps) {
  const { t } = useTexts("organizer");
  const { data: upload, error } = useQuery({
    queryKey: ["own-event", eventId, "upload", ulid],
    queryFn: ({ signal }) => call("GET /admin/events/{eventId}/uploads/{ulid}", { path: { eventId, ulid }, signal }),
    refetchInterval: ({ state }) => (state.data?.status === "PROCESSING" ? LOOK_AGAIN_MS : false),
    staleTime: 0,
  });
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t("photos.upload.title", { file: fileName })}
      actions={upload && <UploadActions {...{ eventId, upload, onClose }} />}
    >
      {upload && <UploadFacts upload={upload} zone={zone} />}
      {upload && <UploadHistory history={upload.history} zone={zone} />}
      {error && <Trouble error={error} />}
      {!upload && !error && <Skeleton lines={6} />}
    </Dialog>
  );
}

function UploadFacts({ upload, zone }: { upload: UploadWithHistory; zone: string }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { status, attempt, uploadedAt, failure } = upload;
  return (
    <>
      <p className={style.facts} aria-live="polite">
        <Badge tone={TONES[status]}>{t(`photos.upload.status.${status}`)}</Badge>
        <span>{t("photos.upload.attempt", { count: attempt })}</span>
        <span>{t("photos.upload.uploadedAt", { at: formats.moment(uploadedAt, zone) })}</span>
      </p>
      {failure && (
        <p className={style.soft}>
          <FailureReason failure={failure} />
        </p>
      )}
    </>
  );
}

function UploadActions({
  eventId,
  upload: { ulid, fileName, status },
  onClose,
}: {
  eventId: string;
  upload: UploadWithHistory;
  onClose: () => void;
}) {
  const { t } = useTexts("organizer");
  const again = useMutation({
    mutationFn: () => call("POST /admin/events/{eventId}/photos/{ulid}/reprocess", { path: { eventId, ulid } }),
    onSuccess: () => lookAgain(eventId),
  });
  return (
    <>
      {again.error && <Trouble error={again.error} />}
      {status !== "DELETED" && (
        <DeletePhotoButton {...{ eventId, ulid, fileName }} icon={<Trash2 aria-hidden />} onDone={onClose} />
      )}
      {(status === "DONE" || status === "FAILED") && (
        <Button size="small" icon={<RotateCw aria-hidden />} busy={again.isPending} onClick={() => again.mutate()}>
          {t("photos.upload.again")}
        </Button>
      )}
    </>
  );
}
