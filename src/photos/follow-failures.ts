/** Hears which executions failed, and tells the organizer why. */

import { hasHeld } from "../platform/condition-failed.ts";
import { ExecutionFailed } from "../platform/execution-failed.ts";
import type { Handler } from "../platform/ports.ts";
import { eachMessage } from "../platform/queue-work.ts";
import { executionOf } from "./ingest.ts";
import type { Photos } from "./photos.ts";
import { failureOf } from "./unusable-photo.ts";
import { findUpload, moveUpload } from "./uploads.ts";
import { WorkflowInput } from "./workflow-data.ts";

export function followFailures(photos: Photos): Handler {
  return eachMessage(ExecutionFailed, ({ detail }) => markFailed(photos, detail));
}

async function markFailed(photos: Photos, { name, cause, input }: ExecutionFailed["detail"]): Promise<void> {
  const { table, clock } = photos;
  const execution = executionOf(name);
  const about = WorkflowInput.parse(input ? JSON.parse(input) : (await photos.workflow.status(name))?.input);
  if (!execution) throw new Error(`${name} is no execution for a photo.`);
  const upload = await findUpload(table, { ...about, ulid: execution.ulid });
  if (upload?.status !== "PROCESSING" || upload.attempt !== execution.attempt) return;
  const now = new Date(clock.now()).toISOString();
  await hasHeld(table.write(moveUpload(upload, "FAILED", { now, set: { failure: failureOf(cause ?? "") } })));
}
