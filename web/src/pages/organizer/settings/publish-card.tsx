/** Whether the pages show the race, and the button that changes it. */

import { useMutation } from "@tanstack/react-query";
import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { call } from "../../../api/call.ts";
import type { Event } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import style from "./form-page.module.css";
import { keepEvent } from "./keep-event.ts";

function usePublishing(eventId: string, onDone: () => void) {
  const { t } = useTexts("organizer");
  return useMutation({
    mutationFn: (next: boolean) =>
      call("PATCH /admin/events/{eventId}", { path: { eventId }, body: { published: next } }),
    onSuccess: async (event) => {
      onDone();
      await keepEvent(event);
      toast(t(event.published ? "settings.nowPublished" : "settings.nowDraft"));
    },
  });
}

export function PublishCard({ event: { eventId, published } }: { event: Event }) {
  const { t } = useTexts("organizer");
  const [isAsked, setIsAsked] = useState(false);
  const change = usePublishing(eventId, () => setIsAsked(false));
  return (
    <Card as="section" aria-label={t("settings.visibility")}>
      <div className={style.status}>
        <div className={style.words}>
          <h2 className={style.heading}>{t(published ? "settings.isPublished" : "settings.isDraft")}</h2>
          <p className={style.note}>{t(published ? "settings.publishedText" : "settings.draftText")}</p>
        </div>
        <div className={style.actions}>
          {published ? (
            <Button icon={<EyeOff aria-hidden />} onClick={() => setIsAsked(true)}>
              {t("settings.unpublish")}
            </Button>
          ) : (
            <Button look="main" icon={<Eye aria-hidden />} busy={change.isPending} onClick={() => change.mutate(true)}>
              {t("settings.publish")}
            </Button>
          )}
        </div>
      </div>
      {change.isError && !isAsked && <Trouble error={change.error} />}
      <Confirm
        open={isAsked}
        onCancel={() => setIsAsked(false)}
        onConfirm={() => change.mutate(false)}
        busy={change.isPending}
        title={t("settings.unpublishTitle")}
        description={t("settings.unpublishText")}
        confirm={t("settings.unpublish")}
      >
        {change.isError && <Trouble error={change.error} />}
      </Confirm>
    </Card>
  );
}
