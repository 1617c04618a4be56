/** One's own request, kept up to date: by the server's stream where there is one, else by asking again. */

import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ApiProblem, call } from "../../api/call.ts";
import { queries } from "../../api/queries.ts";
import type { ParticipationInLine } from "../../api/types.ts";
import { followRequest, type StreamState } from "./follow-request.ts";

/** Beside a stream, in case it died without a word; and in the reserve, where places come free now and then. */
const SELDOM_MS = 60_000;

const requestQuery = (requestId: string) =>
  queryOptions({
    queryKey: ["request", requestId],
    queryFn: ({ signal }) => call("GET /requests/{requestId}", { path: { requestId }, signal, cache: "no-cache" }),
    staleTime: 0,
  });

export function useLiveRequest(requestId: string) {
  const [stream, setStream] = useState<StreamState>("lost");
  const query = useQuery({
    ...requestQuery(requestId),
    refetchInterval: ({ state }) => askAgainMs(state.data, stream),
  });
  const { data, refetch } = query;
  const isWaiting = data?.uiResult === "PENDING";
  useEffect(() => {
    if (!isWaiting) return;
    return followRequest(requestId, {
      onRequest: (request) => putRequest(request),
      onState: (state) => {
        setStream(state);
        if (state === "lost") void refetch();
      },
    });
  }, [requestId, isWaiting, refetch]);
  return {
    request: data,
    error: query.error,
    refetch,
    isLost: query.fetchStatus === "paused" || isUnreachable(query.failureReason),
  };
}

/** Who is refused has a connection. */
function isUnreachable(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 0 || error.status >= 500);
}

/** What the server told otherwise than by being asked. */
export function putRequest(request: ParticipationInLine): void {
  queries.setQueryData(requestQuery(request.requestId).queryKey, request);
}

function askAgainMs(request: ParticipationInLine | undefined, stream: StreamState): number | false {
  if (!request) return false;
  if (request.uiResult !== "PENDING") return request.line?.kind === "RESERVE" ? SELDOM_MS : false;
  return stream === "open" ? SELDOM_MS : (request.askAgainInMs ?? SELDOM_MS);
}
