/** Writes an event's requests as a CSV file that spreadsheets open, a few rows at a time. */

import { stringify } from "csv-stringify/sync";
import { toSafeText } from "../platform/safe-cell.ts";
import type { RequestItem } from "./items.ts";

const ROWS_AT_ONCE = 500;
// Without it Excel takes the file for the machine's old encoding.
const BYTE_ORDER_MARK = "\ufeff";

const COLUMNS: { name: string; cell(request: RequestItem): string | number | undefined }[] = [
  { name: "ticket", cell: ({ ticket }) => ticket },
  { name: "request_id", cell: ({ requestId }) => requestId },
  { name: "user_id", cell: ({ userId }) => userId },
  { name: "status", cell: ({ status }) => status },
  { name: "result_code", cell: ({ resultCode }) => resultCode },
  { name: "rank", cell: ({ rank }) => rank },
  { name: "place", cell: ({ place }) => place },
  { name: "requested_at", cell: ({ requestedAt }) => instant(requestedAt) },
  { name: "queued_at", cell: ({ queuedAt }) => instant(queuedAt) },
  { name: "started_at", cell: ({ startedAt }) => instant(startedAt) },
  { name: "finished_at", cell: ({ finishedAt }) => instant(finishedAt) },
  { name: "promoted_at", cell: ({ promotedAt }) => instant(promotedAt) },
  { name: "cancelled_at", cell: ({ cancelledAt }) => instant(cancelledAt) },
  { name: "failure_class", cell: ({ failureClass }) => failureClass },
  { name: "error_code", cell: ({ errorCode }) => errorCode },
  { name: "error_message", cell: ({ errorMessage }) => errorMessage },
];

export async function* requestCsv(requests: AsyncIterable<RequestItem>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toCsv([COLUMNS.map(({ name }) => name)]);
  let rows: string[][] = [];
  for await (const request of requests) {
    rows.push(COLUMNS.map(({ cell }) => toSafeText(String(cell(request) ?? ""))));
    if (rows.length < ROWS_AT_ONCE) continue;
    yield toCsv(rows);
    rows = [];
  }
  if (rows.length > 0) yield toCsv(rows);
}

function instant(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(at).toISOString();
}

function toCsv(rows: string[][]): string {
  return stringify(rows, { record_delimiter: "\r\n", quote_record_delimiter: true });
}
