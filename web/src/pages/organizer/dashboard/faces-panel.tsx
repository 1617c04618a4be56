/** What is kept of faces, until when, and the button that forgets them now. */

import { UserRoundX } from "lucide-react";
import { call } from "../../../api/call.ts";
import type { PhotoSummary } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { ConfirmedButton } from "./confirmed-button.tsx";
import style from "./panels.module.css";

export function FacesPanel({ summary, zone }: { summary: PhotoSummary; zone: string }) {
  const { t } = useTexts("organizer");
  const { faces, eventId } = summary;
  const { state, indexing } = faces;
  return (
    <Card as="section">
      <h3>{t("photos.faces.title")}</h3>
      <p className={style.facts} aria-live="polite">
        <Badge tone={state === "kept" ? "accent" : "neutral"}>{t(`photos.faces.state.${state}`)}</Badge>
      </p>
      <p className={style.soft}>{indexing ? <Until {...{ summary, zone }} /> : t("photos.faces.off")}</p>
      {state === "kept" && (
        <div className={style.buttons}>
          <ConfirmedButton
            eventId={eventId}
            size="small"
            icon={<UserRoundX aria-hidden />}
            label={t("photos.faces.forget")}
            title={t("photos.faces.forgetTitle")}
            text={t("photos.faces.forgetText")}
            confirm={t("photos.faces.forgetConfirm")}
            danger
            perform={() => call("DELETE /admin/events/{eventId}/faces", { path: { eventId } })}
            done={t("photos.faces.forgetting")}
          />
        </div>
      )}
    </Card>
  );
}

function Until({ summary: { faces, withFaces }, zone }: { summary: PhotoSummary; zone: string }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const at = formats.zonedMoment(faces.until, zone);
  if (Date.parse(faces.until) <= Date.now()) return t("photos.faces.past", { at });
  if (faces.state !== "kept") return t("photos.faces.later", { at });
  return `${t("photos.faces.until", { at })} ${t("photos.faces.withFaces")}: ${formats.number(withFaces)}.`;
}
