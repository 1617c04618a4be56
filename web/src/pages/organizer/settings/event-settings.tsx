/** The form with a race's settings: what it is, how places are given, how photos are read. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../../api/call.ts";
import type { Event } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Card } from "../../../ui/card.tsx";
import { ChoiceField } from "../../../ui/choice-field.tsx";
import { toast } from "../../../ui/toast.ts";
import { EntryFields } from "./entry-fields.tsx";
import { eventChange, same } from "./event-change.ts";
import { EventFields } from "./event-fields.tsx";
import { type ChangeForm, type EventForm, formOf } from "./event-form.ts";
import { type FieldErrors, useFieldErrors } from "./field-errors.tsx";
import style from "./form-page.module.css";
import { keepEvent } from "./keep-event.ts";
import { PhotoFields } from "./photo-fields.tsx";
import { SaveBar } from "./save-bar.tsx";

const MODES = ["RESULTS_AND_PHOTOS", "PHOTOS_ONLY"] as const;

export function EventSettings({ event }: { event: Event }) {
  const { t } = useTexts("organizer");
  const { eventId } = event;
  const [stored, setStored] = useState(() => ({ form: formOf(event, Date.now()), entry: event.entry }));
  const [form, setForm] = useState(stored.form);
  const save = useMutation({
    mutationFn: () =>
      call("PATCH /admin/events/{eventId}", { path: { eventId }, body: eventChange(stored.form, form, stored.entry) }),
    onSuccess: async (changed) => {
      const next = formOf(changed, Date.now());
      setStored({ form: next, entry: changed.entry });
      setForm(next);
      toast(t("settings.saved"));
      await keepEvent(changed);
    },
  });
  const submit = (submitted: FormEvent) => {
    submitted.preventDefault();
    save.mutate();
  };
  const discard = () => {
    setForm(stored.form);
    save.reset();
  };
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <Parts eventId={eventId} form={form} setForm={setForm} wrong={useFieldErrors(save.error)} />
      <SaveBar
        isChanged={!same(form, stored.form)}
        busy={save.isPending}
        onDiscard={discard}
        error={save.error}
        floating
      />
    </form>
  );
}

type PartsProps = { eventId: string; form: EventForm; setForm: (form: EventForm) => void; wrong: FieldErrors };

function Parts({ eventId, form, setForm, wrong }: PartsProps) {
  const { t } = useTexts("organizer");
  const change: ChangeForm = (part) => setForm({ ...form, ...part });
  return (
    <>
      <Card as="section" aria-labelledby="race">
        <h2 id="race">{t("settings.race")}</h2>
        <EventFields form={form} onChange={change} wrong={wrong} />
        <ChoiceField
          label={t("settings.displayMode")}
          value={form.displayMode}
          choices={MODES.map((value) => ({ value, name: t(`settings.modes.${value}`) }))}
          onChoose={(displayMode) => change({ displayMode })}
        />
      </Card>
      <Card as="section" aria-labelledby="entry">
        <h2 id="entry">{t("settings.entry")}</h2>
        <EntryFields form={form} onChange={(part) => change({ entry: { ...form.entry, ...part } })} wrong={wrong} />
      </Card>
      <Card as="section" aria-labelledby="photos">
        <h2 id="photos">{t("settings.photos")}</h2>
        <PhotoFields eventId={eventId} form={form} onChange={change} wrong={wrong} />
      </Card>
    </>
  );
}
