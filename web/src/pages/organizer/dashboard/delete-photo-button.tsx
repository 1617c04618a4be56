/** Deletes a photo for good, after asking. */

import type { ReactNode } from "react";
import { call } from "../../../api/call.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { ConfirmedButton } from "./confirmed-button.tsx";

type DeleteProps = {
  eventId: string;
  ulid: string;
  fileName: string;
  icon: ReactNode;
  iconOnly?: boolean;
  onDone?: () => void;
};

export function DeletePhotoButton({ eventId, ulid, fileName, ...rest }: DeleteProps) {
  const { t } = useTexts("organizer");
  return (
    <ConfirmedButton
      {...rest}
      eventId={eventId}
      size="small"
      label={rest.iconOnly ? `${t("photos.failures.delete")}: ${fileName}` : t("photos.failures.delete")}
      title={t("photos.delete.title", { file: fileName })}
      text={t("photos.delete.text")}
      confirm={t("photos.delete.confirm")}
      danger
      perform={() => call("DELETE /admin/events/{eventId}/photos/{ulid}", { path: { eventId, ulid } })}
      done={t("photos.delete.done")}
    />
  );
}
