/** How photos of the race are read: what a bib looks like, where photographers sign, and how long faces are kept. */

import { useTexts } from "../../../texts/use-texts.tsx";
import { CheckField, TextField } from "../../../ui/field.tsx";
import { BibPatternField } from "./bib-pattern-field.tsx";
import type { ChangeForm, EventForm } from "./event-form.ts";
import type { FieldErrors } from "./field-errors.tsx";
import style from "./fields.module.css";
import { ZoneField } from "./zone-field.tsx";

type PhotoFieldsProps = { eventId: string; form: EventForm; onChange: ChangeForm; wrong: FieldErrors };

export function PhotoFields({ eventId, form, onChange, wrong }: PhotoFieldsProps) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.fields}>
      <div className={style.wide}>
        <BibPatternField
          value={form.bibPattern}
          onChange={(bibPattern) => onChange({ bibPattern })}
          refused={wrong("photos.bibPattern")}
        />
        <ZoneField
          eventId={eventId}
          zones={form.zones}
          onChange={(zones) => onChange({ zones })}
          error={wrong("photos.watermarkZones")}
        />
        <h3>{t("settings.faces")}</h3>
        <CheckField
          label={t("settings.faceIndexing")}
          hint={t("settings.faceIndexingHint")}
          checked={form.faceIndexing}
          onChange={(event) => onChange({ faceIndexing: event.target.checked })}
        />
      </div>
      <TextField
        label={t("settings.retentionDays")}
        hint={t("settings.retentionHint")}
        type="number"
        inputMode="numeric"
        min={1}
        max={3650}
        value={form.retentionDays}
        onChange={(event) => onChange({ retentionDays: event.target.value })}
        refused={wrong("photos.retentionDays")}
      />
    </div>
  );
}
