/** The photographers whom the organization registered. */

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Camera, Pencil, Trash2, UserPlus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { call } from "../../../api/call.ts";
import { queries } from "../../../api/queries.ts";
import type { Photographer } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Section } from "../../../ui/page.tsx";
import { Empty, Failure, Skeleton, Trouble } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { photographersQuery } from "./organization-queries.ts";
import style from "./people.module.css";
import { PhotographerDialog } from "./photographer-dialog.tsx";

type Task = { kind: "new" } | { kind: "edit" | "remove"; photographer: Photographer };

export function Photographers({ orgId }: { orgId: string }) {
  const { t } = useTexts("organizer");
  const [task, setTask] = useState<Task>();
  const close = () => setTask(undefined);
  return (
    <Section
      title={t("organizations.photographers")}
      actions={
        <Button icon={<UserPlus aria-hidden />} onClick={() => setTask({ kind: "new" })}>
          {t("organizations.register")}
        </Button>
      }
    >
      <List orgId={orgId} onTask={setTask} />
      {task?.kind === "new" && <PhotographerDialog orgId={orgId} onClose={close} />}
      {task?.kind === "edit" && <PhotographerDialog orgId={orgId} photographer={task.photographer} onClose={close} />}
      {task?.kind === "remove" && <Removal photographer={task.photographer} onClose={close} />}
    </Section>
  );
}

function List({ orgId, onTask }: { orgId: string; onTask: (task: Task) => void }) {
  const { t } = useTexts("organizer");
  const list = useInfiniteQuery(photographersQuery(orgId));
  if (list.isPending) return <Skeleton lines={2} className={style.placeholder} />;
  if (!list.data) return <Failure error={list.error} retry={() => void list.refetch()} />;
  const all = list.data.pages.flatMap((page) => page.items);
  if (all.length === 0) {
    return (
      <Card>
        <Empty icon={<Camera aria-hidden />} title={t("organizations.noPhotographers")}>
          {t("organizations.noPhotographersText")}
        </Empty>
      </Card>
    );
  }
  return (
    <Card tight>
      <ul className={style.people}>
        {all.map((photographer) => (
          <Row key={photographer.photographerId} photographer={photographer} onTask={onTask} />
        ))}
      </ul>
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("organizations.morePeople")}
        </Button>
      )}
    </Card>
  );
}

function Row({ photographer, onTask }: { photographer: Photographer; onTask: (task: Task) => void }): ReactNode {
  const { t } = useTexts("organizer");
  const { name, displayName, email, instagramHandle, active } = photographer;
  const facts = [name, email, instagramHandle && `@${instagramHandle}`].filter(Boolean);
  return (
    <li className={style.person}>
      <div className={style.words}>
        <p className={style.name}>{displayName}</p>
        <p className={style.facts}>{facts.join(" · ")}</p>
      </div>
      {!active && <Badge tone="warn">{t("organizations.inactive")}</Badge>}
      <IconButton
        label={t("organizations.edit", { name: displayName })}
        onClick={() => onTask({ kind: "edit", photographer })}
      >
        <Pencil aria-hidden />
      </IconButton>
      <IconButton
        label={t("organizations.removePhotographer", { name: displayName })}
        onClick={() => onTask({ kind: "remove", photographer })}
      >
        <Trash2 aria-hidden />
      </IconButton>
    </li>
  );
}

function Removal({ photographer, onClose }: { photographer: Photographer; onClose: () => void }) {
  const { t } = useTexts("organizer");
  const { orgId, photographerId, displayName: name } = photographer;
  const removal = useMutation({
    mutationFn: () =>
      call("DELETE /admin/organizations/{orgId}/photographers/{photographerId}", { path: { orgId, photographerId } }),
    onSuccess: async () => {
      onClose();
      toast(t("organizations.photographerRemoved", { name }));
      await queries.invalidateQueries({ queryKey: photographersQuery(orgId).queryKey });
    },
  });
  return (
    <Confirm
      open
      onCancel={onClose}
      onConfirm={() => removal.mutate()}
      busy={removal.isPending}
      title={t("organizations.removePhotographer", { name })}
      description={t("organizations.removePhotographerText")}
      confirm={t("organizations.removeConfirm")}
      danger
    >
      {removal.isError && <Trouble error={removal.error} />}
    </Confirm>
  );
}
