/** A lottery's way from its committed seed to the announced results, with the next step to take by hand. */

import { Dices, Megaphone, ShieldCheck } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { call } from "../../../api/call.ts";
import type { Draw, SteeredEntry } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { TextField } from "../../../ui/field.tsx";
import { ConfirmedButton } from "./confirmed-button.tsx";
import style from "./panels.module.css";
import { Steps } from "./steps.tsx";

type PanelProps = { entry: SteeredEntry; draw: Draw; zone: string };

export function LotteryPanel({ entry, draw, zone }: PanelProps) {
  const { t } = useTexts("organizer");
  const { eventId, serverTime, lotteryCutoffAt, announcedAt, phase } = entry;
  const canDraw = draw.drawnAt === null && lotteryCutoffAt !== null && serverTime >= lotteryCutoffAt;
  const canAnnounce = draw.drawnAt !== null && phase !== "ANNOUNCED" && serverTime >= (announcedAt ?? 0);
  const waitsForBeacon = draw.beaconSource !== null && draw.beaconValue === null;
  return (
    <Card as="section">
      <h3>{t("entry.lotteryPanel.title")}</h3>
      <DrawSteps {...{ entry, draw, zone }} />
      {waitsForBeacon && (
        <p className={style.soft}>{t("entry.lotteryPanel.waitsForBeacon", { source: draw.beaconSource })}</p>
      )}
      {phase !== "ANNOUNCED" && !waitsForBeacon && <p className={style.soft}>{t("entry.lotteryPanel.self")}</p>}
      <div className={style.buttons}>
        {canDraw && <DrawButton {...{ eventId }} source={waitsForBeacon ? draw.beaconSource : null} />}
        {canAnnounce && <AnnounceButton eventId={eventId} />}
        {draw.frozenAt !== null && (
          <ButtonLink to="/events/$eventId/draw" params={{ eventId }} icon={<ShieldCheck aria-hidden />}>
            {t("entry.lotteryPanel.proof")}
          </ButtonLink>
        )}
      </div>
    </Card>
  );
}

function DrawSteps({ entry: { phase, lotteryCutoffAt, announcedAt }, draw, zone }: PanelProps) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const at = (time: number) => formats.zonedMoment(time, zone);
  const due = (time: number | null) => (time === null ? null : t("entry.lotteryPanel.due", { at: at(time) }));
  const entrants =
    draw.entrants === null
      ? ""
      : ` · ${t("entry.lotteryPanel.entrants", { count: draw.entrants, shown: formats.number(draw.entrants) })}`;
  const isAnnounced = phase === "ANNOUNCED";
  const steps: [string, boolean, ReactNode][] = [
    [t("entry.lotteryPanel.commit"), true, at(draw.committedAt)],
    [
      t("entry.lotteryPanel.freeze"),
      draw.frozenAt !== null,
      draw.frozenAt === null ? due(lotteryCutoffAt) : `${at(draw.frozenAt)}${entrants}`,
    ],
    [t("entry.lotteryPanel.draw"), draw.drawnAt !== null, draw.drawnAt === null ? null : at(draw.drawnAt)],
    [
      t("entry.lotteryPanel.announce"),
      isAnnounced,
      isAnnounced && announcedAt !== null ? at(announcedAt) : due(announcedAt),
    ],
  ];
  return <Steps steps={steps.map(([name, isDone, note]) => ({ name, isDone, note }))} />;
}

function DrawButton({ eventId, source }: { eventId: string; source: string | null }) {
  const { t } = useTexts("organizer");
  const beacon = useRef("");
  const perform = () => {
    const beaconValue = beacon.current.trim();
    return call("POST /admin/events/{eventId}/entry/draw", {
      path: { eventId },
      body: beaconValue ? { beaconValue } : {},
    });
  };
  return (
    <ConfirmedButton
      eventId={eventId}
      look="main"
      icon={<Dices aria-hidden />}
      label={t("entry.lotteryPanel.drawButton")}
      title={t("entry.lotteryPanel.drawTitle")}
      text={t("entry.lotteryPanel.drawText")}
      confirm={t("entry.lotteryPanel.drawButton")}
      perform={perform}
      done={t("entry.lotteryPanel.drawn")}
    >
      {source !== null && (
        <TextField
          label={t("entry.lotteryPanel.beacon")}
          hint={t("entry.lotteryPanel.beaconHint", { source })}
          autoComplete="off"
          onChange={({ target }) => {
            beacon.current = target.value;
          }}
        />
      )}
    </ConfirmedButton>
  );
}

function AnnounceButton({ eventId }: { eventId: string }) {
  const { t } = useTexts("organizer");
  return (
    <ConfirmedButton
      eventId={eventId}
      look="main"
      icon={<Megaphone aria-hidden />}
      label={t("entry.lotteryPanel.announceButton")}
      title={t("entry.lotteryPanel.announceTitle")}
      text={t("entry.lotteryPanel.announceText")}
      confirm={t("entry.lotteryPanel.announceButton")}
      perform={() => call("POST /admin/events/{eventId}/entry/announce", { path: { eventId } })}
      done={t("entry.lotteryPanel.announced")}
    />
  );
}
