/** How entries stand now, and the buttons to open, pause and close them. */

import { Pause, Play, Square } from "lucide-react";
import { call } from "../../../api/call.ts";
import type { SteeredEntry } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge, type Tone } from "../../../ui/badge.tsx";
import { ConfirmedButton } from "./confirmed-button.tsx";
import style from "./panels.module.css";

const TONES: { [Phase in SteeredEntry["phase"]]: Tone } = {
  NOT_OPEN: "neutral",
  OPEN: "good",
  PAUSED: "warn",
  CLOSED: "neutral",
  DRAWING: "accent",
  ANNOUNCED: "accent",
};

export function EntryStatus({ entry, zone }: { entry: SteeredEntry; zone: string }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { phase, eventType, opensAt, closesAt, lotteryCutoffAt } = entry;
  return (
    <div className={style.strip}>
      <div className={style.facts}>
        <span aria-live="polite">
          <Badge tone={TONES[phase]}>{t(`entry.phase.${phase}`)}</Badge>
        </span>
        <span>{eventType === "LOTTERY" ? t("entry.lottery") : t("entry.firstCome")}</span>
        {phase === "NOT_OPEN" && <span>{t("entry.opens", { at: formats.zonedMoment(opensAt, zone) })}</span>}
        {closesAt !== null && <span>{t("entry.closes", { at: formats.zonedMoment(closesAt, zone) })}</span>}
        {lotteryCutoffAt !== null && (
          <span>{t("entry.cutoff", { at: formats.zonedMoment(lotteryCutoffAt, zone) })}</span>
        )}
      </div>
      <Controls entry={entry} />
    </div>
  );
}

/** The first button stays the same one while its meaning changes, so that the keyboard's focus stays on it. */
function Controls({ entry }: { entry: SteeredEntry }) {
  const { t } = useTexts("organizer");
  const { eventId, phase, eventType, draw, lotteryCutoffAt, serverTime } = entry;
  const isFrozen = (draw?.frozenAt ?? null) !== null || (lotteryCutoffAt !== null && serverTime >= lotteryCutoffAt);
  if (isFrozen || phase === "DRAWING" || phase === "ANNOUNCED") return null;
  return (
    <div className={style.buttons}>
      <FirstControl entry={entry} />
      {(phase === "OPEN" || phase === "PAUSED") && (
        <ConfirmedButton
          eventId={eventId}
          label={t("entry.control.close")}
          icon={<Square aria-hidden />}
          title={t("entry.control.closeTitle")}
          text={eventType === "LOTTERY" ? t("entry.control.closeLottery") : t("entry.control.closeText")}
          confirm={t("entry.control.close")}
          danger
          perform={() => call("POST /admin/events/{eventId}/entry/close", { path: { eventId } })}
          done={t("entry.control.closed")}
        />
      )}
    </div>
  );
}

function FirstControl({ entry: { eventId, phase } }: { entry: SteeredEntry }) {
  const { t } = useTexts("organizer");
  const path = { eventId };
  const pause = {
    label: t("entry.control.pause"),
    title: t("entry.control.pauseTitle"),
    text: t("entry.control.pauseText"),
    confirm: t("entry.control.pause"),
    perform: () => call("POST /admin/events/{eventId}/entry/pause", { path }),
    done: t("entry.control.paused"),
  };
  const isNew = phase === "NOT_OPEN";
  const open = {
    label: isNew ? t("entry.control.open") : t("entry.control.resume"),
    title: isNew ? t("entry.control.openTitle") : t("entry.control.resumeTitle"),
    text: isNew ? t("entry.control.openText") : t("entry.control.resumeText"),
    confirm: isNew ? t("entry.control.open") : t("entry.control.resume"),
    perform: () => call("POST /admin/events/{eventId}/entry/open", { path }),
    done: t("entry.control.opened"),
  };
  return phase === "OPEN" ? (
    <ConfirmedButton key="first" eventId={eventId} icon={<Pause aria-hidden />} look="plain" {...pause} />
  ) : (
    <ConfirmedButton key="first" eventId={eventId} icon={<Play aria-hidden />} look="main" {...open} />
  );
}
