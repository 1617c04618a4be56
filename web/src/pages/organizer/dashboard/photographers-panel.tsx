/** Who photographs the event: assign one of the organization's, or end an assignment. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { UserPlus, UserRoundMinus } from "lucide-react";
import { useState } from "react";
import { call } from "../../../api/call.ts";
import type { Assignment, Event } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Spoken } from "../../../ui/spoken.tsx";
import { Skeleton, Trouble } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { ConfirmedButton } from "./confirmed-button.tsx";
import { lookAgain } from "./live-entry.ts";
import style from "./panels.module.css";

const MOST = 100;

export function PhotographersPanel({ event }: { event: Event }) {
  const { t } = useTexts("organizer");
  const { eventId, timeZone } = event;
  const { data, error } = useQuery({
    queryKey: ["own-event", eventId, "photographers"],
    queryFn: ({ signal }) =>
      call("GET /admin/events/{eventId}/photographers", { path: { eventId }, query: { limit: MOST }, signal }),
  });
  return (
    <Card as="section">
      <h3>{t("photos.photographers.title")}</h3>
      {data?.items.length === 0 && <p className={style.soft}>{t("photos.photographers.none")}</p>}
      {data && data.items.length > 0 && <Assigned {...{ eventId }} zone={timeZone} assignments={data.items} />}
      {data && <Assign event={event} assigned={data.items} />}
      {error && <Trouble error={error} />}
      {!data && !error && <Skeleton lines={4} />}
    </Card>
  );
}

type AssignedProps = { eventId: string; zone: string; assignments: Assignment[] };

function Assigned({ eventId, zone, assignments }: AssignedProps) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  return (
    <DataTable
      caption={t("photos.photographers.title")}
      columns={[
        { name: t("photos.photographers.name"), cell: ({ displayName }) => displayName },
        { name: t("photos.photographers.since"), cell: ({ assignedAt }) => formats.moment(assignedAt, zone) },
        {
          name: <Spoken>{t("frame.actions")}</Spoken>,
          cell: ({ photographerId, displayName: name }) => (
            <ConfirmedButton
              eventId={eventId}
              size="small"
              look="quiet"
              iconOnly
              icon={<UserRoundMinus aria-hidden />}
              label={`${t("photos.photographers.end")}: ${name}`}
              title={t("photos.photographers.endTitle", { name })}
              text={t("photos.photographers.endText")}
              confirm={t("photos.photographers.end")}
              danger
              perform={() =>
                call("DELETE /admin/events/{eventId}/photographers/{photographerId}", {
                  path: { eventId, photographerId },
                })
              }
              done={t("photos.photographers.ended")}
            />
          ),
        },
      ]}
      rows={assignments}
      keyOf={({ photographerId }) => photographerId}
    />
  );
}

function Assign({ event: { eventId, orgId }, assigned }: { event: Event; assigned: Assignment[] }) {
  const { t } = useTexts("organizer");
  const [chosen, setChosen] = useState("");
  const { data } = useQuery({
    queryKey: ["organization", orgId, "photographers", "all"],
    queryFn: ({ signal }) =>
      call("GET /admin/organizations/{orgId}/photographers", { path: { orgId }, query: { limit: MOST }, signal }),
  });
  const assign = useMutation({
    mutationFn: (photographerId: string) =>
      call("PUT /admin/events/{eventId}/photographers/{photographerId}", {
        path: { eventId, photographerId },
        body: {},
      }),
    onSuccess: (_, photographerId) => {
      const name = data?.items.find((each) => each.photographerId === photographerId)?.displayName;
      toast(t("photos.photographers.assigned", { name }));
      setChosen("");
      return lookAgain(eventId);
    },
  });
  if (!data) return null;
  const taken = new Set(assigned.map(({ photographerId }) => photographerId));
  const free = data.items.filter(({ photographerId, active }) => active && !taken.has(photographerId));
  if (free.length === 0) return <NobodyFree orgId={orgId} isEmpty={data.items.length === 0} />;
  return (
    <form
      className={style.inlineForm}
      onSubmit={(submit) => {
        submit.preventDefault();
        if (chosen) assign.mutate(chosen);
      }}
    >
      <SelectField
        label={t("photos.photographers.choose")}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{t("photos.photographers.chooseOne")}</option>
        {free.map(({ photographerId, displayName }) => (
          <option key={photographerId} value={photographerId}>
            {displayName}
          </option>
        ))}
      </SelectField>
      <Button type="submit" icon={<UserPlus aria-hidden />} busy={assign.isPending} disabled={!chosen}>
        {t("photos.photographers.assign")}
      </Button>
      {assign.error && <Trouble error={assign.error} />}
    </form>
  );
}

function NobodyFree({ orgId, isEmpty }: { orgId: string; isEmpty: boolean }) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.stack}>
      {!isEmpty && <p className={style.soft}>{t("photos.photographers.allAssigned")}</p>}
      <div className={style.buttons}>
        <ButtonLink to="/organizer/organizations/$orgId" params={{ orgId }} size="small">
          {t("photos.photographers.register")}
        </ButtonLink>
      </div>
    </div>
  );
}
