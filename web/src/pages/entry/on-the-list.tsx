/** Between cutoff and results: whether one's own request is on the frozen list. */

import { useMutation } from "@tanstack/react-query";
import { addressOf, send } from "../../api/call.ts";
import type { Draw } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { Trouble } from "../../ui/states.tsx";
import { findInList, type Listed } from "./find-in-list.ts";

export function OnTheList({ draw, requestId }: { draw: Draw; requestId: string }) {
  const { t } = useTexts("draw");
  const { eventId, entrantsSha256 } = draw;
  const look = useMutation({
    mutationFn: async () => {
      const answer = await send(addressOf("/events/{eventId}/draw/entrants.txt", { eventId }), {});
      return findInList(await answer.blob(), { eventId, requestId, entrantsSha256 });
    },
  });
  return (
    <>
      {look.data ? (
        <Found listed={look.data} draw={draw} />
      ) : (
        <Button busy={look.isPending} onClick={() => look.mutate()}>
          {t("lookForMe")}
        </Button>
      )}
      {look.isError && <Trouble error={look.error} />}
    </>
  );
}

function Found({ listed: { isPublished, found }, draw }: { listed: Listed; draw: Draw }) {
  const { t } = useTexts("draw");
  const formats = useFormats();
  if (!isPublished) return <Note tone="warn">{t("otherList")}</Note>;
  if (!found) return <Note tone="warn">{t("notListed")}</Note>;
  const all = formats.number(draw.entrants ?? 0);
  const values = { number: formats.number(found.number), ticket: formats.number(found.ticket), all };
  return <Note tone="good">{t("listed", values)}</Note>;
}
