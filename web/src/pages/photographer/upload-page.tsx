/** Where a photographer drops the photos of a race and watches them arrive and be recognised. */

import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useSyncExternalStore } from "react";
import { ApiProblem } from "../../api/call.ts";
import { eventQuery } from "../../api/event-queries.ts";
import { useMe } from "../../api/session.ts";
import type { Me } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Page } from "../../ui/page.tsx";
import { PagePending } from "../../ui/page-pending.tsx";
import { Failure } from "../../ui/states.tsx";
import { ChoosePhotographer } from "./choose-photographer.tsx";
import { DropArea } from "./drop-area.tsx";
import { FileList } from "./file-list.tsx";
import { assignmentsQuery, uploadSummaryQuery } from "./own-queries.ts";
import { ProcessedPanel } from "./processed-panel.tsx";
import { uploadQueue } from "./sending/upload-queue.ts";
import { SendingPanel } from "./sending-panel.tsx";
import style from "./upload-page.module.css";

export function UploadPage() {
  const me = useMe();
  return me ? <ForPerson me={me} /> : <PagePending />;
}

/** Of several photographers only those count that are assigned here; the server knows which. */
function ForPerson({ me: { photographers } }: { me: Me }) {
  const { eventId } = useParams({ from: "/photographer/events/$eventId" });
  const { photographer } = useSearch({ from: "/photographer/events/$eventId" });
  const { t } = useTexts("photographer");
  const candidates = photographers.length > 0 ? photographers : [undefined];
  const summaries = useQueries({
    queries: candidates.map((photographerId) => uploadSummaryQuery({ eventId, photographerId })),
  });
  const assigned = candidates.filter((_, n) => summaries[n]?.data !== undefined);
  const chosen = assigned.includes(photographer) ? photographer : assigned[0];
  if (assigned.length > 0) {
    return (
      <Uploads eventId={eventId} photographerId={chosen} photographers={assigned.filter((id) => id !== undefined)} />
    );
  }
  if (summaries.some(({ isPending }) => isPending)) return <PagePending />;
  const errors = summaries.map(({ error }) => error);
  const telling = errors.find((error) => !(error instanceof ApiProblem && error.code === NOT_ASSIGNED)) ?? errors[0];
  return (
    <Page title={t("upload.title")} heading={null} width="text">
      <Failure error={telling} retry={() => summaries.forEach(({ refetch }) => void refetch())} />
    </Page>
  );
}

const NOT_ASSIGNED = "upload.photographer-not-assigned";

type UploadsProps = { eventId: string; photographerId: string | undefined; photographers: string[] };

function Uploads({ eventId, photographerId, photographers }: UploadsProps) {
  const { t } = useTexts("photographer");
  const navigate = useNavigate();
  const formats = useFormats();
  const event = useOwnEvent(eventId, photographers.length > 0);
  useAccent(event?.organization.branding.accentColor);
  const queue = uploadQueue({ eventId, photographerId });
  const view = useSyncExternalStore(queue.subscribe, queue.read);
  const isEmpty = view.rows.length === 0;
  const choose = (photographer: string) =>
    void navigate({
      to: "/photographer/events/$eventId",
      params: { eventId },
      search: { photographer },
      replace: true,
    });
  return (
    <Page
      title={t("upload.titleOf", { event: event?.name ?? eventId })}
      heading={event?.name ?? eventId}
      over={photographers.length > 0 && <Link to="/photographer">{t("races.title")}</Link>}
      lead={event && [formats.day(event.date), event.location].filter(Boolean).join(" · ")}
    >
      <ChoosePhotographer photographers={photographers} chosen={photographerId} onChoose={choose} />
      <div className={style.columns}>
        {!isEmpty && <SendingPanel queue={queue} view={view} />}
        <DropArea queue={queue} small={!isEmpty} />
        <div className={style.aside}>
          <ProcessedPanel eventId={eventId} photographerId={photographerId} isSending={view.status === "running"} />
        </div>
        {!isEmpty && <FileList queue={queue} view={view} />}
      </div>
    </Page>
  );
}

/** One's assignments have it, published or not; an organizer who photographs nothing sees it once it is published. */
function useOwnEvent(eventId: string, isPhotographer: boolean) {
  const assignments = useQuery({ ...assignmentsQuery, enabled: isPhotographer });
  const own = assignments.data?.find((event) => event.eventId === eventId);
  const published = useQuery({ ...eventQuery(eventId), enabled: !isPhotographer || (assignments.isFetched && !own) });
  return own ?? published.data;
}
