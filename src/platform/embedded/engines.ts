/** Opens the data folder and gives the engines that live in it. */

import { availableParallelism } from "node:os";
import path from "node:path";
import { systemClock } from "../clock.ts";
import type { Clock, Engines, Letter, QueueSettings, WorkflowDefinition } from "../ports.ts";
import { Problem } from "../problem.ts";
import { BlobFiles } from "./blob-files.ts";
import { isReferred, removeOldUploads } from "./blob-parts.ts";
import { serveBlob } from "./blob-server.ts";
import { BlobUrls } from "./blob-urls.ts";
import { FileBlobs } from "./blobs.ts";
import { type Contents, contentsOf } from "./contents.ts";
import { openDataFolder } from "./data-folder.ts";
import { type Inbox, openInbox } from "./mail.ts";
import { SqliteQueue } from "./queue.ts";
import { openVision, type Vision, type VisionSettings } from "./recognition.ts";
import type { SmtpMail, SmtpSettings } from "./smtp.ts";
import { Store } from "./store.ts";
import { SqliteTable } from "./table.ts";
import { JournalledWorkflow } from "./workflow.ts";

/** What is older was left by a process that is gone. */
const PROCESS_START = Date.now() - process.uptime() * 1000;
/** A million items are walked through in a quarter of an hour; DynamoDB itself takes up to days. */
const EXPIRY_PAUSE_MS = 500;
const SWEEP_EVERY_MS = 600_000;

export type EmbeddedSettings = {
  dataFolder: string;
  /** Where this server is reached: signed URLs begin with it. */
  publicUrl: string;
  clock?: Clock;
  /** Executions of one workflow that run at once. */
  workflowConcurrency?: number;
  /** Executions are kept but not run until `releaseWorkflows`: for a process that only looks something up. */
  holdWorkflows?: boolean;
  /** How long closing waits for the states that run; after that the next start takes them up again. */
  closeGraceMs?: number;
  /** The mail server that takes letters on, and who they are from. Without it letters stay in the inbox. */
  smtp?: SmtpSettings;
  /** How pictures are looked at: with which models, by how many workers. */
  vision?: Omit<VisionSettings, "folder" | "onError">;
  /** Hears of every letter that goes to the inbox, to show it to the person at this machine. */
  onLetter?: (letter: Letter) => void;
  /** Hears of what went wrong in the background, where no caller does. */
  onError?: (error: unknown) => void;
};

export type EmbeddedEngines = Engines & {
  recognition: Vision;
  /** Answers a request to a signed blob URL; throws a Problem when it is not allowed. */
  serveBlob(request: Request): Promise<Response>;
  releaseWorkflows(): void;
  counts(): { writes: number; commits: number };
  /** This installation's own, made with its data folder. */
  secret: Uint8Array;
  /** All that is held, for an export. */
  contents(): Contents;
  /** These happen by themselves now and then, and at the start; calling them makes them happen now. */
  removeExpired(): Promise<number>;
  removeOrphans(): Promise<number>;
  /** There exactly when letters go to it. */
  inbox?: Inbox;
};

export async function openEmbeddedEngines(settings: EmbeddedSettings): Promise<EmbeddedEngines> {
  const { clock = systemClock, onError = () => {} } = settings;
  const { workflowConcurrency = 2 * availableParallelism(), closeGraceMs = 5_000, onLetter = () => {} } = settings;
  const smtp = settings.smtp && (await openSmtp(settings.smtp));
  const folder = openDataFolder(settings.dataFolder);
  const store = await Store.open(folder.path).catch((error) => {
    folder.release();
    throw error;
  });
  const files = new BlobFiles(path.join(folder.path, "blobs"));
  const urls = new BlobUrls(folder.secret, settings.publicUrl, clock);
  const parts = { store, clock, files, urls };
  const tables = new Map<string, SqliteTable>();
  const queues = new Map<string, SqliteQueue>();
  const buckets = new Map<string, FileBlobs>();
  const workflows = new Map<string, JournalledWorkflow>();
  const removeExpired = async (pauseMs = 0, stopping?: AbortSignal) => {
    let removed = await removeOldUploads(parts);
    for (const table of tables.values()) removed += await table.removeExpired(pauseMs, stopping);
    return removed;
  };
  const removeOrphans = () => files.removeOrphans(PROCESS_START, (file) => isReferred(store, file));
  const table = (name: string) => openOnce(tables, name, () => new SqliteTable(store, clock, checkName(name)));
  const post = smtp ? { mail: smtp } : openInbox({ clock, openTable: () => table("Inbox"), onLetter });
  const recognition = openVision({ ...settings.vision, folder: path.join(folder.path, "faces"), onError });
  const sweeps = startSweeps({ clock, onError, removeExpired, removeOrphans });

  let held = settings.holdWorkflows ?? false;
  let closed: Promise<void> | undefined;
  const close = async () => {
    await Promise.all([sweeps.stop(), ...[...queues.values()].map((queue) => queue.close())]);
    await Promise.all([...workflows.values()].map((workflow) => workflow.close(closeGraceMs)));
    await recognition.close();
    smtp?.close();
    await store.close();
    folder.release();
  };

  return {
    clock,
    table,
    queue: (name: string, queue: QueueSettings) =>
      openOnce(queues, name, () => new SqliteQueue(store, clock, name, queue, onError)),
    blobs: (bucket, { notify } = {}) => openOnce(buckets, bucket, () => new FileBlobs(parts, bucket, notify)),
    workflow: (definition: WorkflowDefinition) =>
      openOnce(workflows, definition.name, () => {
        const running = { concurrency: workflowConcurrency, held };
        return new JournalledWorkflow({ store, clock, onError }, definition, running);
      }),
    releaseWorkflows: () => {
      held = false;
      for (const workflow of workflows.values()) workflow.release();
    },
    recognition,
    ...post,
    serveBlob: (request) => serveBlob(urls, (bucket) => buckets.get(bucket), request),
    counts: () => ({ ...store.counts }),
    secret: folder.secret,
    contents: () => contentsOf(store, clock),
    removeExpired: () => removeExpired(),
    removeOrphans,
    checkReady: () => store.checkReady(),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

/** Those without a mail server do not wait for its code. */
async function openSmtp(settings: SmtpSettings): Promise<SmtpMail> {
  const { smtpMail } = await import("./smtp.ts");
  return smtpMail(settings);
}

function openOnce<T>(opened: Map<string, T>, name: string, open: () => T): T {
  const known = opened.get(name);
  if (known) return known;
  const made = open();
  opened.set(name, made);
  return made;
}

/** DynamoDB's own rule, which also keeps the name inside its SQL quotes. */
function checkName(table: string): string {
  if (/^[A-Za-z0-9_.-]{3,255}$/.test(table)) return table;
  throw new Problem(
    "misconfigured",
    "table.bad-name",
    `A table's name has 3 to 255 letters, digits, _ . or -: ${table}`,
  );
}

type Sweeps = {
  clock: Clock;
  onError: (error: unknown) => void;
  removeExpired(pauseMs: number, stopping: AbortSignal): Promise<number>;
  removeOrphans(): Promise<number>;
};

function startSweeps({ clock, onError, removeExpired, removeOrphans }: Sweeps): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    await removeOrphans().catch(onError);
    while (!stopping.signal.aborted) {
      await removeExpired(EXPIRY_PAUSE_MS, stopping.signal).catch(onError);
      await clock.sleep(SWEEP_EVERY_MS, stopping.signal);
    }
  };
  const running = loop();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}
