/** How places are given: to whom, how many, when, and with which bibs. */

import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { ChoiceField } from "../../../ui/choice-field.tsx";
import { SelectField, TextField } from "../../../ui/field.tsx";
import {
  type ChangeEntry,
  type EntryType,
  type EventForm,
  firstBib,
  isTimeOf,
  TIMES,
  type TimeName,
} from "./event-form.ts";
import type { FieldErrors } from "./field-errors.tsx";
import style from "./fields.module.css";
import { existsAt, instantOf } from "./zoned-time.ts";

const TYPES: EntryType[] = ["FIRST_COME", "LOTTERY", "NONE"];
const REQUIRED: TimeName[] = ["opensAt", "lotteryCutoffAt", "announcedAt"];
const DIGITS = ["1", "2", "3", "4", "5", "6"];

type EntryFieldsProps = { form: EventForm; onChange: ChangeEntry; wrong: FieldErrors };

export function EntryFields({ form, onChange, wrong }: EntryFieldsProps) {
  const { t } = useTexts("organizer");
  const { entry } = form;
  const isOpen = entry.type !== "NONE";
  return (
    <div className={style.fields}>
      <div className={style.wide}>
        <ChoiceField
          label={t("event.entryType")}
          value={entry.type}
          choices={TYPES.map((value) => ({
            value,
            name: t(`event.types.${value}`),
            about: t(`event.typesAbout.${value}`),
          }))}
          onChoose={(type) => onChange({ type })}
          error={wrong("entry.eventType") ?? (isOpen ? undefined : wrong("entry"))}
        />
      </div>
      {isOpen && <Capacity form={form} onChange={onChange} wrong={wrong} />}
      {TIMES.filter((name) => isTimeOf(name, entry.type)).map((name) => (
        <TimeField key={name} name={name} form={form} onChange={onChange} wrong={wrong} />
      ))}
      {entry.type === "LOTTERY" && <Beacon form={form} onChange={onChange} wrong={wrong} />}
      {isOpen && <Bibs form={form} onChange={onChange} wrong={wrong} />}
    </div>
  );
}

function Capacity({ form: { entry }, onChange, wrong }: EntryFieldsProps) {
  const { t } = useTexts("organizer");
  return (
    <TextField
      label={t("event.capacity")}
      type="number"
      inputMode="numeric"
      min={1}
      max={1_000_000}
      value={entry.capacityTotal}
      onChange={(event) => onChange({ capacityTotal: event.target.value })}
      refused={wrong("entry.capacityTotal")}
      required
    />
  );
}

function TimeField({ name, form, onChange, wrong }: EntryFieldsProps & { name: TimeName }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { entry, timeZone } = form;
  const local = entry[name];
  const instant = instantOf(local, timeZone);
  const isLeftOut = !existsAt(local, timeZone);
  const shown = instant && formats.zonedMoment(instant, timeZone);
  const hint = isLeftOut ? <span className={style.gap}>{t("event.noSuchTime", { time: shown })}</span> : shown;
  return (
    <TextField
      label={t(`event.${name}`)}
      hint={hint || t(`event.empty.${name === "closesAt" || name === "cancelUntil" ? name : "other"}`)}
      type="datetime-local"
      step={local.length > 16 ? 1 : 60}
      value={local}
      onChange={(event) => onChange({ [name]: event.target.value })}
      refused={wrong(`entry.${name}`)}
      required={REQUIRED.includes(name)}
    />
  );
}

function Beacon({ form: { entry }, onChange, wrong }: EntryFieldsProps) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.wide}>
      <TextField
        label={t("event.beacon")}
        hint={t("event.beaconHint")}
        value={entry.beaconSource}
        onChange={(event) => onChange({ beaconSource: event.target.value })}
        refused={wrong("entry.beaconSource")}
        autoComplete="off"
        maxLength={200}
      />
    </div>
  );
}

function Bibs({ form: { entry }, onChange, wrong }: EntryFieldsProps) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.wide}>
      <div className={style.bibs}>
        <TextField
          label={t("event.bibStart")}
          type="number"
          inputMode="numeric"
          min={1}
          max={999_999}
          value={entry.bibStart}
          onChange={(event) => onChange({ bibStart: event.target.value })}
          refused={wrong("entry.bibStart")}
        />
        <TextField
          label={t("event.bibLetter")}
          value={entry.bibLetter}
          onChange={(event) => onChange({ bibLetter: event.target.value.toUpperCase() })}
          refused={wrong("entry.bibFormat")}
          autoComplete="off"
          maxLength={1}
        />
        <SelectField
          label={t("event.bibDigits")}
          value={entry.bibDigits}
          onChange={(event) => onChange({ bibDigits: event.target.value })}
        >
          {DIGITS.map((digits) => (
            <option key={digits}>{digits}</option>
          ))}
        </SelectField>
        <dl className={style.first}>
          <dt>{t("event.firstBib")}</dt>
          <dd>{firstBib(entry)}</dd>
        </dl>
      </div>
    </div>
  );
}
