/** The roster of a race: who runs with which bib, by hand or from a file. */

import { useParams } from "@tanstack/react-router";
import { Download, FileUp, UserPlus } from "lucide-react";
import { useState } from "react";
import { addressOf } from "../../api/call.ts";
import type { Runner } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button, ButtonAnchor } from "../../ui/button.tsx";
import { Section } from "../../ui/page.tsx";
import { ImportDialog } from "./runners/import-dialog.tsx";
import { RemoveRunner } from "./runners/remove-runner.tsx";
import { Roster } from "./runners/roster.tsx";
import { RunnerDialog } from "./runners/runner-dialog.tsx";

export type RunnerTask = { kind: "add" | "import" } | { kind: "edit" | "remove"; runner: Runner };

export function RunnersTab() {
  const { t } = useTexts("organizer");
  const { eventId } = useParams({ from: "/organizer/events/$eventId" });
  const [task, setTask] = useState<RunnerTask>();
  const close = () => setTask(undefined);
  return (
    <Section
      title={t("runners.title")}
      actions={
        <>
          <ButtonAnchor
            href={addressOf("/admin/events/{eventId}/runners.csv", { eventId })}
            download
            icon={<Download aria-hidden />}
          >
            {t("runners.export")}
          </ButtonAnchor>
          <Button icon={<UserPlus aria-hidden />} onClick={() => setTask({ kind: "add" })}>
            {t("runners.add")}
          </Button>
          <Button look="main" icon={<FileUp aria-hidden />} onClick={() => setTask({ kind: "import" })}>
            {t("runners.import")}
          </Button>
        </>
      }
    >
      <Roster eventId={eventId} onTask={setTask} />
      {task?.kind === "import" && <ImportDialog eventId={eventId} onClose={close} />}
      {task?.kind === "add" && <RunnerDialog eventId={eventId} onClose={close} />}
      {task?.kind === "edit" && <RunnerDialog eventId={eventId} runner={task.runner} onClose={close} />}
      {task?.kind === "remove" && <RemoveRunner eventId={eventId} runner={task.runner} onClose={close} />}
    </Section>
  );
}
