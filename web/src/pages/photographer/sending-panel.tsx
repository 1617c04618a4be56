/** How the upload stands as a whole, with pause and go on; and what keeps it from going on. */

import { Pause, Play, RotateCw, WifiOff } from "lucide-react";
import { useFormats } from "../../texts/formats.ts";
import { type Say, useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Trouble } from "../../ui/states.tsx";
import type { QueueView, UploadQueue } from "./sending/upload-queue.ts";
import style from "./sending-panel.module.css";

type PanelProps = { queue: UploadQueue; view: QueueView };

export function SendingPanel({ queue, view }: PanelProps) {
  const { t } = useTexts("photographer");
  const { status, counts, totalBytes, doneBytes } = view;
  const total = view.rows.length;
  const settled = total - counts.waiting - counts.checking - counts.sending - counts.missing;
  const formats = useFormats();
  const words = { done: formats.number(settled), total: formats.number(total) };
  return (
    <Card as="section" aria-labelledby="sending">
      <div className={style.top}>
        <h2 id="sending" role="status" className={style.title}>
          {status === "lost" && <WifiOff aria-hidden />}
          {headline(view, t)}
        </h2>
        <Actions queue={queue} view={view} />
      </div>
      <Progress
        label={t("sending.files", words)}
        note={useSpeedNote(view)}
        share={totalBytes === 0 ? 1 : doneBytes / totalBytes}
        tone={toneOf(view)}
      />
      <p className={style.note}>
        <Outcomes view={view} />
      </p>
      {status === "lost" && <p className={style.note}>{t("sending.lostText")}</p>}
      {status === "stopped" && <Trouble error={view.error} />}
      {counts.missing > 0 && <Missing queue={queue} view={view} />}
    </Card>
  );
}

const OUTCOMES = [
  { outcome: "sent", states: ["sent"] },
  { outcome: "twice", states: ["known", "duplicate"] },
  { outcome: "refused", states: ["refused"] },
  { outcome: "failed", states: ["failed"] },
] as const;

function Outcomes({ view: { counts } }: Pick<PanelProps, "view">) {
  const { t } = useTexts("photographer");
  const told = OUTCOMES.map(({ outcome, states }) => ({
    outcome,
    count: states.reduce((sum, state) => sum + counts[state], 0),
  })).filter(({ count }) => count > 0);
  return (
    told.map(({ outcome, count }) => t(`sending.outcomes.${outcome}`, { count })).join(" · ") || t("sending.begun")
  );
}

function headline({ status, counts }: QueueView, t: Say<"photographer">): string {
  if (status !== "idle") return t(`status.${status}`);
  if (counts.missing > 0) return t("status.missing");
  return counts.failed > 0 ? t("status.someFailed") : t("status.done");
}

function toneOf({ status, counts }: QueueView): "accent" | "good" | "bad" {
  if (status !== "idle" || counts.missing > 0) return "accent";
  return counts.failed > 0 ? "bad" : "good";
}

/** Bytes, speed and how long it may take; without the last two while nothing is sent. */
function useSpeedNote({ status, totalBytes, doneBytes, bytesPerSecond }: QueueView): string {
  const { t } = useTexts("photographer");
  const formats = useFormats();
  const bytes = t("sending.bytes", { done: formats.bytes(doneBytes), total: formats.bytes(totalBytes) });
  if (status !== "running" || bytesPerSecond < 1) return bytes;
  const leftMs = ((totalBytes - doneBytes) / bytesPerSecond) * 1000;
  const speed = t("sending.speed", { speed: formats.bytes(bytesPerSecond) });
  return [bytes, speed, t("sending.left", { time: formats.duration(leftMs) })].join(" · ");
}

function Actions({ queue, view: { status, counts } }: PanelProps) {
  const { t } = useTexts("photographer");
  return (
    <div className={style.actions}>
      {counts.failed > 0 && (
        <Button size="small" icon={<RotateCw aria-hidden />} onClick={() => queue.retryFailed()}>
          {t("sending.retry")}
        </Button>
      )}
      {(status === "running" || status === "lost") && (
        <Button size="small" icon={<Pause aria-hidden />} onClick={() => queue.pause()}>
          {t("sending.pause")}
        </Button>
      )}
      {(status === "paused" || status === "stopped") && (
        <Button size="small" look="main" icon={<Play aria-hidden />} onClick={() => queue.resume()}>
          {t("sending.resume")}
        </Button>
      )}
    </div>
  );
}

/** After a reload, a browser may have let go of the files. */
function Missing({ queue, view: { counts, canReopen } }: PanelProps) {
  const { t } = useTexts("photographer");
  return (
    <div className={style.missing}>
      <p>{t(canReopen ? "sending.reopenText" : "sending.missingText", { count: counts.missing })}</p>
      {canReopen && (
        <Button look="main" size="small" icon={<Play aria-hidden />} onClick={() => void queue.reopen()}>
          {t("sending.reopen")}
        </Button>
      )}
    </div>
  );
}
