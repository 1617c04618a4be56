/** What happened to one request, step by step. */

import { useQuery } from "@tanstack/react-query";
import { call } from "../../../api/call.ts";
import type { EntryRequest } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Skeleton, Trouble } from "../../../ui/states.tsx";
import { FactList } from "./fact-list.tsx";
import { Steps } from "./steps.tsx";

const MOST_STEPS = 100;

export function RequestLog({ request, zone, onClose }: { request: EntryRequest; zone: string; onClose: () => void }) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { requestId, eventId, userId, ticket, errorCode, errorMessage } = request;
  const { data, error } = useQuery({
    queryKey: ["own-event", eventId, "request-log", requestId],
    queryFn: ({ signal }) =>
      call("GET /admin/requests/{requestId}/logs", { path: { requestId }, query: { limit: MOST_STEPS }, signal }),
  });
  const shownTicket = ticket === null ? "–" : formats.number(ticket);
  return (
    <Dialog open onClose={onClose} title={t("entry.requests.logOf", { ticket: shownTicket })}>
      <FactList
        facts={[
          [t("entry.requests.entrant"), userId],
          [t("entry.requests.requestId"), requestId],
          [t("entry.requests.errorCode"), errorCode && `${errorCode} ${errorMessage ?? ""}`],
        ]}
      />
      {data && (
        <Steps
          steps={data.items.map(({ fromStatus, toStatus, occurredAt, message }) => ({
            name: t("entry.requests.step", {
              from: t(`entry.status.${fromStatus}`),
              to: t(`entry.status.${toStatus}`),
            }),
            isDone: true,
            note: (
              <>
                <time dateTime={new Date(occurredAt).toISOString()}>{formats.exactMoment(occurredAt, zone)}</time> ·{" "}
                {message}
              </>
            ),
          }))}
        />
      )}
      {error && <Trouble error={error} />}
      {!data && !error && <Skeleton lines={4} />}
    </Dialog>
  );
}
