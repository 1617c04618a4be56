/** What a contract suite needs of the engines it tests: fresh things, each empty and its own. */

import type { Blobs, Queue, QueueSettings, Table, Workflow, WorkflowDefinition } from "../ports.ts";

export type Subject = {
  table(): Promise<Table>;
  queue(settings: QueueSettings): Promise<Queue>;
  blobs(): Promise<Blobs>;
  workflow(definition: WorkflowDefinition): Promise<Workflow>;
  close(): Promise<void>;
};
