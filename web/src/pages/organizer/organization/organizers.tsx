/** Who may act for the organization: the list, somebody new, somebody no more. */

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { UserMinus, UserPlus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { call } from "../../../api/call.ts";
import { queries } from "../../../api/queries.ts";
import { useMe } from "../../../api/session.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Failure, Skeleton, Trouble } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { FormTrouble, useFieldErrors } from "../settings/field-errors.tsx";
import { organizersQuery, refreshOrganizations } from "./organization-queries.ts";
import style from "./people.module.css";

export function Organizers({ orgId }: { orgId: string }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const me = useMe();
  const [leaving, setLeaving] = useState<string>();
  const list = useInfiniteQuery(organizersQuery(orgId));
  if (list.isPending) return <Skeleton lines={2} className={style.placeholder} />;
  if (!list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const all = list.data.pages.flatMap((page) => page.items);
  return (
    <Card>
      <p className={style.about}>{t("organizations.organizersText")}</p>
      <ul className={style.people}>
        {all.map(({ email, addedAt }) => (
          <li key={email} className={style.person}>
            <div className={style.words}>
              <p className={style.name}>{email}</p>
              <p className={style.facts}>{t("organizations.since", { day: formats.shortDay(addedAt.slice(0, 10)) })}</p>
            </div>
            {email === me?.email && <Badge>{t("organizations.you")}</Badge>}
            <IconButton label={t("organizations.removeOrganizer", { email })} onClick={() => setLeaving(email)}>
              <UserMinus aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("organizations.morePeople")}
        </Button>
      )}
      <AddOrganizer orgId={orgId} />
      {leaving !== undefined && (
        <Removal orgId={orgId} email={leaving} isMe={leaving === me?.email} onClose={() => setLeaving(undefined)} />
      )}
    </Card>
  );
}

function AddOrganizer({ orgId }: { orgId: string }) {
  const { t } = useTexts("organizer");
  const [email, setEmail] = useState("");
  const add = useMutation({
    mutationFn: () => call("PUT /admin/organizations/{orgId}/organizers/{email}", { path: { orgId, email } }),
    onSuccess: async () => {
      toast(t("organizations.organizerAdded", { email }));
      setEmail("");
      await queries.invalidateQueries({ queryKey: organizersQuery(orgId).queryKey });
    },
  });
  const wrong = useFieldErrors(add.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className={style.add} onSubmit={submit}>
      <TextField
        label={t("organizations.newOrganizer")}
        hint={t("organizations.newOrganizerHint")}
        type="email"
        value={email}
        onChange={(event) => setEmail(event.target.value)}
        refused={wrong("email")}
        autoComplete="off"
        required
      />
      <Button type="submit" busy={add.isPending} icon={<UserPlus aria-hidden />}>
        {t("organizations.addOrganizer")}
      </Button>
      <FormTrouble error={add.error} />
    </form>
  );
}

type RemovalProps = { orgId: string; email: string; isMe: boolean; onClose: () => void };

function Removal({ orgId, email, isMe, onClose }: RemovalProps) {
  const { t } = useTexts("organizer");
  const navigate = useNavigate();
  const removal = useMutation({
    mutationFn: () => call("DELETE /admin/organizations/{orgId}/organizers/{email}", { path: { orgId, email } }),
    onSuccess: async () => {
      onClose();
      toast(t("organizations.organizerRemoved", { email }));
      if (isMe) await navigate({ to: "/organizer", ignoreBlocker: true });
      await (isMe ? refreshOrganizations() : queries.invalidateQueries({ queryKey: organizersQuery(orgId).queryKey }));
    },
  });
  return (
    <Confirm
      open
      onCancel={onClose}
      onConfirm={() => removal.mutate()}
      busy={removal.isPending}
      title={t("organizations.removeOrganizer", { email })}
      description={t(isMe ? "organizations.removeMyself" : "organizations.removeOrganizerText")}
      confirm={t("organizations.removeConfirm")}
      danger
    >
      {removal.isError && <Trouble error={removal.error} />}
    </Confirm>
  );
}
