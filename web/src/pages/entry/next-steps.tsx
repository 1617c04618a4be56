/** What one's request came to in a sentence, and what one can do about it. */

import type { EntryState, ParticipationInLine, PublicEvent } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { GiveBack } from "./give-back.tsx";
import style from "./next-steps.module.css";
import { useOwnBib } from "./own-bib.ts";
import type { Standing } from "./standing.ts";

type NextStepsProps = {
  request: ParticipationInLine;
  standing: Standing;
  entry: EntryState | undefined;
  event: PublicEvent | undefined;
  now: number;
};

export function NextSteps(props: NextStepsProps) {
  const { request, standing } = props;
  const { eventId, eventType, resultCode } = request;
  const { t } = useTexts("entry");
  const isDrawn = eventType === "LOTTERY" && request.rank !== null;
  return (
    <div className={style.next}>
      <p className={style.words}>{t(`next.${standing}`)}</p>
      {standing === "failed" && resultCode && <p className={style.soft}>{t("next.code", { code: resultCode })}</p>}
      <div className={style.actions}>
        {standing === "failed" && (
          <ButtonLink to="/events/$eventId" params={{ eventId }} look="main">
            {t("next.again")}
          </ButtonLink>
        )}
        {standing === "place" && <PhotosLink eventId={eventId} />}
        {(isDrawn || standing === "inDraw" || standing === "drawing") && (
          <ButtonLink to="/events/$eventId/draw" params={{ eventId }}>
            {t(isDrawn ? "next.checkDraw" : "panel.aboutDraw")}
          </ButtonLink>
        )}
        {standing !== "failed" && (
          <ButtonLink to="/events/$eventId" params={{ eventId }}>
            {t("next.toEvent")}
          </ButtonLink>
        )}
      </div>
      {standing === "place" && <Return {...props} />}
    </div>
  );
}

function PhotosLink({ eventId }: { eventId: string }) {
  const { t } = useTexts("entry");
  const bib = useOwnBib(eventId);
  return (
    <ButtonLink to="/events/$eventId/photos" params={{ eventId }} search={bib === undefined ? {} : { bib }}>
      {t("next.photos")}
    </ButtonLink>
  );
}

function Return({ request, entry, event, now }: NextStepsProps) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  if (!entry || !event) return null;
  if (now >= entry.cancelUntil) return <p className={style.soft}>{t("giveBack.tooLate")}</p>;
  return (
    <div className={style.return}>
      <p className={style.soft}>
        {t("giveBack.until", { time: formats.zonedMoment(entry.cancelUntil, event.timeZone) })}
      </p>
      <GiveBack request={request} eventName={event.name} />
    </div>
  );
}
