/** Watermark zones: drawn on a photo of the event, with their numbers below. */

import { Plus } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { SamplePhoto, SampleStrip, useSamplePhotos } from "./sample-photo.tsx";
import style from "./zone-field.module.css";
import { MOST_ZONES, type Zone } from "./zone-geometry.ts";
import { ZoneStage } from "./zone-stage.tsx";
import { ZoneTable } from "./zone-table.tsx";

const NEW_ZONE: Zone = { left: 0.35, top: 0.4, width: 0.3, height: 0.15 };

type ZoneFieldProps = { eventId: string; zones: Zone[]; onChange: (zones: Zone[]) => void; error: ReactNode };

export function ZoneField({ eventId, zones, onChange, error }: ZoneFieldProps) {
  const { t } = useTexts("organizer");
  const samples = useSamplePhotos(eventId);
  const [chosen, setChosen] = useState<number>();
  const add = useRef<HTMLButtonElement>(null);
  const isFull = zones.length >= MOST_ZONES;
  const addZone = (zone: Zone) => {
    onChange([...zones, zone]);
    setChosen(zones.length);
  };
  const remove = (index: number) => {
    onChange(zones.filter((_, each) => each !== index));
    setChosen(undefined);
    add.current?.focus();
  };
  return (
    <div className={style.field}>
      <h3 id="zones">{t("settings.zones")}</h3>
      <p className={style.about}>{t("settings.zonesText")}</p>
      <ZoneStage
        label={t("settings.stage")}
        zones={zones}
        chosen={chosen}
        onChoose={setChosen}
        onChange={onChange}
        onAdd={isFull ? undefined : addZone}
        onRemove={remove}
        ratio={samples.chosen ? samples.chosen.width / samples.chosen.height : undefined}
      >
        <SamplePhoto photo={samples.chosen} />
      </ZoneStage>
      <SampleStrip {...samples} />
      <p className={style.hint}>{t("settings.zoneKeys")}</p>
      <ZoneError error={error} />
      {zones.length > 0 && <ZoneTable zones={zones} onChange={onChange} onChoose={setChosen} onRemove={remove} />}
      <div className={style.add}>
        <Button ref={add} icon={<Plus aria-hidden />} disabled={isFull} onClick={() => addZone(NEW_ZONE)}>
          {t("settings.addZone")}
        </Button>
        <span className={style.hint}>{t("settings.zoneCount", { count: zones.length, most: MOST_ZONES })}</span>
      </div>
    </div>
  );
}

function ZoneError({ error }: Pick<ZoneFieldProps, "error">) {
  return (
    error && (
      <p className={style.error} role="alert">
        {error}
      </p>
    )
  );
}
