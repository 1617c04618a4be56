/** What a race is: its name, day, place and time zone. */

import { useMemo } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import type { ChangeForm, EventForm } from "./event-form.ts";
import type { FieldErrors } from "./field-errors.tsx";
import style from "./fields.module.css";
import { timeZones } from "./zoned-time.ts";

type EventFieldsProps = { form: EventForm; onChange: ChangeForm; wrong: FieldErrors };

export function EventFields({ form, onChange, wrong }: EventFieldsProps) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.fields}>
      <div className={style.wide}>
        <TextField
          label={t("event.name")}
          value={form.name}
          onChange={(event) => onChange({ name: event.target.value })}
          refused={wrong("name")}
          placeholder={t("event.nameExample")}
          autoComplete="off"
          maxLength={200}
          required
        />
      </div>
      <TextField
        label={t("event.date")}
        type="date"
        value={form.date}
        onChange={(event) => onChange({ date: event.target.value })}
        refused={wrong("date")}
        required
      />
      <ZoneField form={form} onChange={onChange} wrong={wrong} />
      <div className={style.wide}>
        <TextField
          label={t("event.location")}
          value={form.location}
          onChange={(event) => onChange({ location: event.target.value })}
          refused={wrong("location")}
          placeholder={t("event.locationExample")}
          autoComplete="off"
          maxLength={200}
        />
      </div>
    </div>
  );
}

function ZoneField({ form, onChange, wrong }: EventFieldsProps) {
  const { t } = useTexts("organizer");
  const zones = useMemo(() => timeZones(form.timeZone), [form.timeZone]);
  return (
    <SelectField
      label={t("event.timeZone")}
      hint={t("event.timeZoneHint")}
      value={form.timeZone}
      onChange={(event) => onChange({ timeZone: event.target.value })}
      refused={wrong("timeZone")}
    >
      <optgroup label={t("event.ownZone")}>
        <option value={zones.own}>{shown(zones.own)}</option>
      </optgroup>
      <optgroup label={t("event.otherZones")}>
        {zones.others.map((zone) => (
          <option key={zone} value={zone}>
            {shown(zone)}
          </option>
        ))}
      </optgroup>
    </SelectField>
  );
}

function shown(zone: string): string {
  return zone.replaceAll("_", " ");
}
