/** The event's requests, in the line's order or the newest first, with what happened to each. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download, RefreshCw, ScrollText } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { addressOf, call } from "../../../api/call.ts";
import type { EntryRequest } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button, ButtonAnchor, IconButton } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Section } from "../../../ui/page.tsx";
import { Empty, Failure, Skeleton } from "../../../ui/states.tsx";
import style from "./request-list.module.css";
import { STATUS_TONES } from "./status-tones.ts";

const RequestLog = lazy(() => import("./request-log.tsx").then((file) => ({ default: file.RequestLog })));

const PAGE = 25;
const LOOK_AGAIN_MS = 5000;
const ORDERS = ["queue", "newest"] as const;
const STATUSES = ["QUEUED", "PROCESSING", "SUCCEEDED", "REJECTED", "FAILED_FINAL"] as const;

type Filter = { order: (typeof ORDERS)[number]; status: (typeof STATUSES)[number] | "" };

export function RequestList({ eventId, zone, isLottery }: { eventId: string; zone: string; isLottery: boolean }) {
  const { t } = useTexts("organizer");
  const [filter, setFilter] = useFilter();
  const list = useRequests(eventId, filter);
  const [shown, setShown] = useState<EntryRequest | undefined>();
  const requests = list.data?.pages.flatMap(({ items }) => items);
  return (
    <Section
      title={t("entry.requests.title")}
      actions={<Actions {...{ eventId }} refresh={() => void list.refetch()} />}
    >
      <Filters {...{ filter, setFilter }} />
      {requests && requests.length > 0 && <RequestTable {...{ requests, zone, isLottery }} show={setShown} />}
      {requests?.length === 0 && (
        <Empty title={filter.status ? t("entry.requests.emptyFilter") : t("entry.requests.empty")} />
      )}
      {list.error && !requests && <Failure error={list.error} retry={() => void list.refetch()} />}
      {!requests && !list.error && <Skeleton lines={8} />}
      {list.hasNextPage && (
        <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("entry.requests.more")}
        </Button>
      )}
      {shown && (
        <Suspense fallback={null}>
          <RequestLog request={shown} zone={zone} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </Section>
  );
}

/** Kept in the address, so that it can be sent to others and survives a reload. */
function useFilter(): [Filter, (next: Filter) => void] {
  const { order = "queue", status } = useSearch({ from: "/organizer/events/$eventId/" });
  const navigate = useNavigate({ from: "/organizer/events/$eventId/" });
  const filter: Filter = { order, status: STATUSES.find((each) => each === status) ?? "" };
  const setFilter = (next: Filter) =>
    void navigate({
      search: { ...(next.order === "newest" && { order: "newest" }), ...(next.status && { status: next.status }) },
      replace: true,
      resetScroll: false,
    });
  return [filter, setFilter];
}

/** It follows the line by itself as long as only its first page is shown: what somebody reads further down stays. */
function useRequests(eventId: string, { order, status }: Filter) {
  return useInfiniteQuery({
    queryKey: ["own-event", eventId, "requests", order, status],
    queryFn: ({ pageParam: cursor, signal }) =>
      call("GET /admin/events/{eventId}/requests", {
        path: { eventId },
        query: { limit: PAGE, order, ...(status && { status }), ...(cursor && { cursor }) },
        signal,
      }),
    initialPageParam: "",
    getNextPageParam: ({ cursor }) => cursor,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LOOK_AGAIN_MS),
  });
}

function Actions({ eventId, refresh }: { eventId: string; refresh: () => void }) {
  const { t } = useTexts("organizer");
  return (
    <>
      <IconButton label={t("entry.requests.refresh")} size="small" onClick={refresh}>
        <RefreshCw aria-hidden />
      </IconButton>
      <ButtonAnchor
        href={addressOf("/admin/events/{eventId}/requests.csv", { eventId })}
        download
        size="small"
        icon={<Download aria-hidden />}
      >
        {t("entry.requests.csv")}
      </ButtonAnchor>
    </>
  );
}

function Filters({ filter, setFilter }: { filter: Filter; setFilter: (next: Filter) => void }) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.filters}>
      <SelectField
        label={t("entry.requests.order")}
        value={filter.order}
        onChange={({ target }) => setFilter({ ...filter, order: target.value as Filter["order"] })}
      >
        {ORDERS.map((order) => (
          <option key={order} value={order}>
            {t(`entry.requests.${order}`)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label={t("entry.requests.filter")}
        value={filter.status}
        onChange={({ target }) => setFilter({ ...filter, status: target.value as Filter["status"] })}
      >
        <option value="">{t("entry.requests.all")}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {t(`entry.status.${status}`)}
          </option>
        ))}
      </SelectField>
    </div>
  );
}

type TableProps = {
  requests: EntryRequest[];
  zone: string;
  isLottery: boolean;
  show: (request: EntryRequest) => void;
};

function RequestTable({ requests, zone, isLottery, show }: TableProps) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const figure = (value: number | null) => (value === null ? "–" : formats.number(value));
  return (
    <DataTable
      stack
      caption={t("entry.requests.title")}
      columns={[
        {
          name: t("entry.requests.ticket"),
          cell: (request) => (
            <Button
              look="quiet"
              size="small"
              icon={<ScrollText aria-hidden />}
              aria-label={t("entry.requests.logOf", { ticket: figure(request.ticket) })}
              onClick={() => show(request)}
            >
              {figure(request.ticket)}
            </Button>
          ),
        },
        { name: t("entry.requests.entrant"), cell: ({ userId }) => <code>{userId}</code> },
        {
          name: t("entry.requests.filter"),
          cell: ({ status }) => <Badge tone={STATUS_TONES[status]}>{t(`entry.status.${status}`)}</Badge>,
        },
        {
          name: t("entry.requests.result"),
          cell: ({ resultCode }) => (resultCode ? t(`entry.result.${resultCode}`) : "–"),
        },
        ...(isLottery
          ? [{ name: t("entry.requests.rank"), cell: ({ rank }: EntryRequest) => figure(rank), figures: true }]
          : []),
        { name: t("entry.requests.place"), cell: ({ place }) => figure(place), figures: true },
        {
          name: t("entry.requests.at"),
          cell: ({ queuedAt, requestedAt }) => formats.exactMoment(queuedAt ?? requestedAt, zone),
        },
      ]}
      rows={requests}
      keyOf={({ requestId }) => requestId}
    />
  );
}
