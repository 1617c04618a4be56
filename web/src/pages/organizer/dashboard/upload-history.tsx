/** The steps of the last try on an upload, as a table. */

import type { UploadWithHistory } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import type { Say } from "../../../texts/use-texts.tsx";
import { useTexts } from "../../../texts/use-texts.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { FailureReason } from "./failure-reason.tsx";
import style from "./panels.module.css";

type HistoryEvent = UploadWithHistory["history"][number];

const STEPS = [
  "PreprocessImage",
  "AnalyzeImage",
  "DetectText",
  "DetectTextFallback",
  "IndexFaces",
  "IndexFacesFallback",
  "FanoutToDynamoDB",
  "ProcessingFailed",
] as const;

export function UploadHistory({ history, zone }: { history: HistoryEvent[]; zone: string }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  if (history.length === 0) return <p className={style.soft}>{t("photos.upload.noHistory")}</p>;
  return (
    <DataTable
      caption={t("photos.upload.what")}
      columns={[
        { name: t("photos.upload.time"), cell: ({ event }) => formats.clock(event.at, zone) },
        { name: t("photos.upload.step"), cell: ({ event }) => stepName(event, t) },
        { name: t("photos.upload.what"), cell: ({ event }) => <What event={event} />, wrap: true },
      ]}
      rows={telling(history).map((event, i) => ({ event, i }))}
      keyOf={({ i }) => String(i)}
    />
  );
}

/** Without what is said by others: that a failure was caught, and that the step in which it happened was left. */
function telling(history: HistoryEvent[]): HistoryEvent[] {
  const failed = new Set(history.flatMap(({ state, error }) => (error && state ? [state] : [])));
  return history.filter(
    ({ type, state }) => !type.endsWith("Caught") && !(type.endsWith("Exited") && state && failed.has(state)),
  );
}

function stepName({ state }: HistoryEvent, t: Say<"organizer">): string {
  const known = STEPS.find((step) => step === state);
  return known ? t(`photos.upload.steps.${known}`) : (state ?? t("photos.upload.whole"));
}

function What({ event: { type, error, reason } }: { event: HistoryEvent }) {
  const { t } = useTexts("organizer");
  if (reason) return <FailureReason failure={reason} />;
  if (error || /Failed$/.test(type)) return `${t("photos.upload.failedStep")}${error ? ` (${error})` : ""}`;
  if (/(Entered|Started|Redriven)$/.test(type)) return t("photos.upload.begun");
  if (/(Exited|Succeeded)$/.test(type)) return t("photos.upload.ended");
  return type;
}
