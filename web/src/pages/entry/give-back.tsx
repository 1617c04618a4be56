/** Giving a place back: asked once more, since it goes to somebody else at once. */

import { useMutation } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { call } from "../../api/call.ts";
import { queries } from "../../api/queries.ts";
import type { ParticipationInLine } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { Trouble } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import { putRequest } from "./use-live-request.ts";

const Confirm = lazy(() => import("../../ui/dialog.tsx").then((file) => ({ default: file.Confirm })));

export function GiveBack({ request, eventName }: { request: ParticipationInLine; eventName: string }) {
  const { t } = useTexts("entry");
  const { requestId, eventId } = request;
  const [question, setQuestion] = useState<"never" | "open" | "closed">("never");
  const giveBack = useMutation({
    mutationFn: () => call("POST /requests/{requestId}/cancellation", { path: { requestId } }),
    onSuccess: async (changed) => {
      setQuestion("closed");
      putRequest({ ...changed, line: null, askAgainInMs: null });
      toast(t("giveBack.done"));
      // The button that had the focus is gone.
      document.getElementById("main")?.focus();
      await queries.invalidateQueries({ queryKey: ["event", eventId, "entry"] });
    },
  });
  return (
    <>
      <Button size="small" onClick={() => setQuestion("open")}>
        {t("giveBack.button")}
      </Button>
      {question !== "never" && (
        <Suspense fallback={null}>
          <Confirm
            open={question === "open"}
            onCancel={() => setQuestion("closed")}
            onConfirm={() => giveBack.mutate()}
            title={t("giveBack.title")}
            description={t("giveBack.text", { event: eventName })}
            confirm={t("giveBack.button")}
            danger
            busy={giveBack.isPending}
          >
            {giveBack.isError && <Trouble error={giveBack.error} />}
          </Confirm>
        </Suspense>
      )}
    </>
  );
}
