/** Imports runners from a CSV file: first the server says what would happen, then one decides. */

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { ApiProblem, addressOf, send } from "../../../api/call.ts";
import type { ImportReport } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Progress } from "../../../ui/progress.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { FileChoice } from "./file-choice.tsx";
import style from "./import-dialog.module.css";
import { ImportErrors } from "./import-errors.tsx";
import { ImportPreview } from "./import-preview.tsx";
import { refreshRunners } from "./runner-queries.ts";

type ChosenFile = { name: string; body: Blob };

export function ImportDialog({ eventId, onClose }: { eventId: string; onClose: () => void }) {
  const { t } = useTexts("organizer");
  const [file, setFile] = useState<ChosenFile>();
  const check = useMutation({ mutationFn: (chosen: ChosenFile) => sendFile(eventId, chosen, true) });
  const write = useMutation({
    mutationFn: (chosen: ChosenFile) => sendFile(eventId, chosen, false),
    onSuccess: async ({ added, updated }) => {
      onClose();
      toast(t("runners.imported", { added, updated }));
      await refreshRunners(eventId);
    },
  });
  const choose = (name: string, body: Blob) => {
    const chosen = { name, body };
    setFile(chosen);
    write.reset();
    check.mutate(chosen);
  };
  return (
    <Dialog open wide onClose={onClose} title={t("runners.import")} description={t("runners.importText")}>
      <div className={style.steps}>
        <FileChoice chosen={file?.name} onChoose={(chosen) => choose(chosen.name, chosen)} />
        {check.isPending && <Progress label={t("runners.checking")} share={undefined} />}
        {file && check.data && (
          <ImportPreview report={check.data} busy={write.isPending} onImport={() => write.mutate(file)} />
        )}
        {file && check.isError && <Refused file={file} error={check.error} onOther={choose} />}
        {write.isError && <Trouble error={write.error} />}
      </div>
    </Dialog>
  );
}

type RefusedProps = { file: ChosenFile; error: unknown; onOther: (name: string, body: Blob) => void };

function Refused({ file, error, onOther }: RefusedProps) {
  const { t } = useTexts("organizer");
  const isOtherEncoding = error instanceof ApiProblem && error.code === "csv.encoding";
  return (
    <>
      <ImportErrors file={file.body} error={error} />
      {isOtherEncoding && (
        <Button onClick={() => void asUtf8(file.body).then((body) => onOther(file.name, body))}>
          {t("runners.readKorean")}
        </Button>
      )}
    </>
  );
}

/** Excel on a Korean Windows writes CSV in the old Korean encoding. */
async function asUtf8(file: Blob): Promise<Blob> {
  return new Blob([new TextDecoder("euc-kr").decode(await file.arrayBuffer())], { type: "text/csv" });
}

async function sendFile(eventId: string, { body }: ChosenFile, dryRun: boolean): Promise<ImportReport> {
  const address = addressOf("/admin/events/{eventId}/runners/import", { eventId }, { dryRun });
  const answer = await send(address, { method: "POST", body, headers: { "content-type": "text/csv" } });
  return answer.json();
}
