/** Makes a race: what it is, and how places are given. It starts as a draft. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../api/call.ts";
import { organizationQuery, ownEventQuery } from "../../api/organizer-queries.ts";
import { queries } from "../../api/queries.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Page } from "../../ui/page.tsx";
import { eventsOfQuery } from "./organization/organization-queries.ts";
import { EntryFields } from "./settings/entry-fields.tsx";
import { newEventBody } from "./settings/event-change.ts";
import { EventFields } from "./settings/event-fields.tsx";
import { type EntryForm, type EventForm, newEventForm, TIMES, usualTimes } from "./settings/event-form.ts";
import { FormTrouble, useFieldErrors } from "./settings/field-errors.tsx";
import style from "./settings/form-page.module.css";
import { dayAt } from "./settings/zoned-time.ts";

export function NewEventPage() {
  const { t } = useTexts("organizer");
  const { orgId } = useParams({ from: "/organizer/organizations/$orgId/new-event" });
  const { data: organization } = useQuery(organizationQuery(orgId));
  useAccent(organization?.branding.accentColor);
  return (
    <Page
      title={t("event.new")}
      lead={t("event.newText")}
      over={
        <Link to="/organizer/organizations/$orgId" params={{ orgId }}>
          {organization?.name ?? t("organizations.settings")}
        </Link>
      }
    >
      <NewEventForm orgId={orgId} />
    </Page>
  );
}

/** The form as it is, and how its two parts change it. */
function useNewEventForm() {
  const [form, setForm] = useState(() => newEventForm(Date.now(), Intl.DateTimeFormat().resolvedOptions().timeZone));
  const [isTimed, setIsTimed] = useState(false);
  const change = (part: Partial<EventForm>) => {
    const next = { ...form, ...part };
    setForm(isTimed ? next : withUsualTimes(next, part));
  };
  const changeEntry = (part: Partial<EntryForm>) => {
    if (TIMES.some((name) => name in part)) setIsTimed(true);
    setForm({ ...form, entry: { ...form.entry, ...part } });
  };
  return { form, change, changeEntry };
}

function NewEventForm({ orgId }: { orgId: string }) {
  const { t } = useTexts("organizer");
  const navigate = useNavigate();
  const { form, change, changeEntry } = useNewEventForm();
  const make = useMutation({
    mutationFn: () => call("POST /admin/organizations/{orgId}/events", { path: { orgId }, body: newEventBody(form) }),
    onSuccess: async (event) => {
      queries.setQueryData(ownEventQuery(event.eventId).queryKey, event);
      void queries.invalidateQueries({ queryKey: eventsOfQuery(orgId).queryKey });
      await navigate({ to: "/organizer/events/$eventId/settings", params: { eventId: event.eventId } });
    },
  });
  const wrong = useFieldErrors(make.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate();
  };
  return (
    <form className={style.form} onSubmit={submit} noValidate>
      <Card as="section" aria-labelledby="race">
        <h2 id="race">{t("settings.race")}</h2>
        <EventFields form={form} onChange={change} wrong={wrong} />
      </Card>
      <Card as="section" aria-labelledby="entry">
        <h2 id="entry">{t("settings.entry")}</h2>
        <EntryFields form={form} onChange={changeEntry} wrong={wrong} />
      </Card>
      <FormTrouble error={make.error} />
      <div className={style.end}>
        <Button type="submit" look="main" size="large" busy={make.isPending}>
          {t("event.make")}
        </Button>
        <ButtonLink look="quiet" to="/organizer">
          {t("event.notNow")}
        </ButtonLink>
      </div>
    </form>
  );
}

/** Times that nobody has typed follow the race's day. */
function withUsualTimes(form: EventForm, { date }: Partial<EventForm>): EventForm {
  if (!date) return form;
  return { ...form, entry: { ...form.entry, ...usualTimes(date, dayAt(Date.now(), form.timeZone)) } };
}
