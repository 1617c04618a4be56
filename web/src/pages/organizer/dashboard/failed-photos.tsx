/** The photos that failed: why, what happened to them, and the way to try again. */

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { RotateCw, ScrollText, Trash2 } from "lucide-react";
import { call } from "../../../api/call.ts";
import type { PhotoSummary, Upload } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Section } from "../../../ui/page.tsx";
import { Spoken } from "../../../ui/spoken.tsx";
import { Failure, ProblemText, Skeleton } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { DeletePhotoButton } from "./delete-photo-button.tsx";
import { FailureReason } from "./failure-reason.tsx";
import { lookAgain } from "./live-entry.ts";
import style from "./panels.module.css";
import { ReprocessProgress } from "./reprocess.tsx";

const PAGE = 25;
const LOOK_AGAIN_MS = 5000;

type FailedProps = { summary: PhotoSummary; zone: string; show: (upload: { ulid: string; fileName: string }) => void };

export function FailedPhotos({ summary, zone, show }: FailedProps) {
  const { t } = useTexts("organizer");
  const { eventId, jobs, failed } = summary;
  const list = useFailed(eventId);
  const uploads = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Section title={t("photos.failures.title")} actions={failed > 0 && <RetryAll eventId={eventId} />}>
      {jobs.reprocess && jobs.reprocess.finishedAt === null && <ReprocessProgress job={jobs.reprocess} />}
      {uploads && uploads.length > 0 && <FailedTable {...{ eventId, uploads, zone, show }} />}
      {uploads?.length === 0 && <p className={style.soft}>{t("photos.failures.none")}</p>}
      {list.error && !uploads && <Failure error={list.error} retry={() => void list.refetch()} />}
      {!uploads && !list.error && <Skeleton lines={3} />}
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("photos.failures.more")}
        </Button>
      )}
    </Section>
  );
}

function useFailed(eventId: string) {
  return useInfiniteQuery({
    queryKey: ["own-event", eventId, "failed-photos"],
    queryFn: ({ pageParam: cursor, signal }) =>
      call("GET /admin/events/{eventId}/photos/failed", {
        path: { eventId },
        query: { limit: PAGE, ...(cursor && { cursor }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

function RetryAll({ eventId }: { eventId: string }) {
  const { t } = useTexts("organizer");
  const retry = useMutation({
    mutationFn: () =>
      call("POST /admin/events/{eventId}/photos/reprocess", { path: { eventId }, body: { which: "failed" } }),
    onSuccess: () => {
      toast(t("photos.again.started"));
      return lookAgain(eventId);
    },
    onError: (error) => toast(<ProblemText error={error} />, { tone: "bad" }),
  });
  return (
    <Button size="small" icon={<RotateCw aria-hidden />} busy={retry.isPending} onClick={() => retry.mutate()}>
      {t("photos.failures.retryAll")}
    </Button>
  );
}

type TableProps = Pick<FailedProps, "zone" | "show"> & { eventId: string; uploads: Upload[] };

function FailedTable({ eventId, uploads, zone, show }: TableProps) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  return (
    <DataTable
      stack
      caption={t("photos.failures.title")}
      columns={[
        { name: t("photos.failures.file"), cell: ({ fileName }) => fileName },
        {
          name: t("photos.failures.reason"),
          cell: ({ failure }) => <FailureReason failure={failure} />,
          wrap: true,
        },
        { name: t("photos.failures.at"), cell: ({ changedAt }) => formats.moment(changedAt, zone) },
        { name: t("photos.failures.attempts"), cell: ({ attempt }) => formats.number(attempt), figures: true },
        { name: <Spoken>{t("frame.actions")}</Spoken>, cell: (upload) => <Actions {...{ eventId, upload, show }} /> },
      ]}
      rows={uploads}
      keyOf={({ ulid }) => ulid}
    />
  );
}

function Actions({ eventId, upload, show }: { eventId: string; upload: Upload; show: FailedProps["show"] }) {
  const { t } = useTexts("organizer");
  const { ulid, fileName } = upload;
  const retry = useMutation({
    mutationFn: () => call("POST /admin/events/{eventId}/photos/{ulid}/reprocess", { path: { eventId, ulid } }),
    onSuccess: () => {
      toast(t("photos.failures.retried", { file: fileName }));
      return lookAgain(eventId);
    },
    onError: (error) => toast(<ProblemText error={error} />, { tone: "bad" }),
  });
  return (
    <span className={style.rowButtons}>
      <Button size="small" icon={<RotateCw aria-hidden />} busy={retry.isPending} onClick={() => retry.mutate()}>
        {t("photos.failures.retry")}
      </Button>
      <IconButton label={`${t("photos.failures.history")}: ${fileName}`} size="small" onClick={() => show(upload)}>
        <ScrollText aria-hidden />
      </IconButton>
      <DeletePhotoButton {...{ eventId, ulid, fileName }} icon={<Trash2 aria-hidden />} iconOnly />
    </span>
  );
}
