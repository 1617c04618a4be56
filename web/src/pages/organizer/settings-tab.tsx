/** All that can be set for a race, in one form; publishing and removing beside it. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { call } from "../../api/call.ts";
import { ownEventQuery } from "../../api/organizer-queries.ts";
import { queries } from "../../api/queries.ts";
import type { Event } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Section } from "../../ui/page.tsx";
import { Failure, Skeleton } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import { eventsOfQuery } from "./organization/organization-queries.ts";
import { EventSettings } from "./settings/event-settings.tsx";
import style from "./settings/form-page.module.css";
import { PublishCard } from "./settings/publish-card.tsx";
import { RemoveByName } from "./settings/remove-by-name.tsx";

export function SettingsTab() {
  const { eventId } = useParams({ from: "/organizer/events/$eventId" });
  const { data: event, error, refetch } = useQuery(ownEventQuery(eventId));
  if (event) return <Shown key={eventId} event={event} />;
  return error ? <Failure error={error} retry={() => void refetch()} /> : <Skeleton lines={8} />;
}

function Shown({ event }: { event: Event }) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.form}>
      <PublishCard event={event} />
      <EventSettings event={event} />
      <Section title={t("settings.danger")}>
        <Removal event={event} />
      </Section>
    </div>
  );
}

function Removal({ event: { eventId, orgId, name } }: { event: Event }) {
  const { t } = useTexts("organizer");
  const navigate = useNavigate();
  return (
    <RemoveByName
      name={name}
      title={t("settings.remove")}
      text={t("settings.removeText")}
      remove={() => call("DELETE /admin/events/{eventId}", { path: { eventId }, query: { confirm: eventId } })}
      onRemoved={async () => {
        await navigate({ to: "/organizer", ignoreBlocker: true });
        queries.removeQueries({ queryKey: ownEventQuery(eventId).queryKey });
        await queries.invalidateQueries({ queryKey: eventsOfQuery(orgId).queryKey });
        await queries.invalidateQueries({ queryKey: ["events"] });
        toast(t("settings.removed", { name }));
      }}
    />
  );
}
