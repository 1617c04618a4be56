/** Asks before a runner is taken off the roster. */

import { useMutation } from "@tanstack/react-query";
import { call } from "../../../api/call.ts";
import type { Runner } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Confirm } from "../../../ui/dialog.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { refreshRunners } from "./runner-queries.ts";

type RemoveRunnerProps = { eventId: string; runner: Runner; onClose: () => void };

export function RemoveRunner({ eventId, runner: { bib, name, source }, onClose }: RemoveRunnerProps) {
  const { t } = useTexts("organizer");
  const removal = useMutation({
    mutationFn: () => call("DELETE /admin/events/{eventId}/runners/{bib}", { path: { eventId, bib } }),
    onSuccess: async () => {
      onClose();
      toast(t("runners.removed", { bib }));
      await refreshRunners(eventId);
    },
  });
  return (
    <Confirm
      open
      onCancel={onClose}
      onConfirm={() => removal.mutate()}
      busy={removal.isPending}
      title={t("runners.remove", { bib })}
      description={t(source === "ENTRY" ? "runners.removeEntrant" : "runners.removeText", { name: name ?? bib })}
      confirm={t("organizations.removeConfirm")}
      danger
    >
      {removal.isError && <Trouble error={removal.error} />}
    </Confirm>
  );
}
