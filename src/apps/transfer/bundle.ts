/** The folder that an export leaves and an import takes: which files it has, and what is in them. */

import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { Item } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";

export const FORMAT = 1;
export const MANIFEST = "manifest.json";

/** In the order of an import: nothing comes before what it refers to, and no message before what it is about. */
export const PARTS = ["registry", "items", "blobs", "messages"] as const;
export type Part = (typeof PARTS)[number];

export type Progress = { part: Part; name: string; done: number; total?: number };

/** The relational rows, which live in Postgres and not in the engines. */
export type RegistryRows = {
  /** Parents before children. */
  tables: string[];
  /** Each can be written as JSON and comes back the same. */
  rows(table: string): AsyncIterable<Record<string, unknown>>;
  isEmpty(): Promise<boolean>;
  /** Rows already there are left as they are. */
  insert(table: string, rows: Record<string, unknown>[]): Promise<void>;
};

/** It becomes a file's name, so it must not lead elsewhere. */
const Name = z.string().regex(/^(?!\.+$)[\w.-]{1,240}$/);
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.int().nonnegative();
const Listed = z.array(z.object({ name: Name, count: Count, sha256: Sha256 }));
const Counts = z.record(z.string(), Count);

/** Written last: a folder without it is an export that did not finish. */
export const Manifest = z.object({
  format: z.literal(FORMAT),
  id: z.uuid(),
  snaprace: z.string(),
  exportedAt: z.iso.datetime(),
  registry: Listed,
  items: Listed,
  blobs: Listed,
  messages: Listed,
  /** Executions stay where they ran; these had not succeeded, by workflow. */
  leftBehind: z.object({ unfinished: Counts, failed: Counts }),
});
export type Manifest = z.infer<typeof Manifest>;

export const RegistryRow = z.record(z.string(), z.unknown());

const Keyed = z.object({ PK: z.string(), SK: z.string() });
/** JSON holds nothing but values, and the tables check the rest. */
export const StoredItem = z.custom<Item>((row) => Keyed.safeParse(row).success);

/** The bytes are in a file of that number, since keys don't make file names. */
export const StoredBlob = z.object({
  number: z.int().positive(),
  key: z.string(),
  sizeBytes: Count,
  sha256: Sha256,
  contentType: z.string(),
  metadata: z.record(z.string(), z.string()),
});
export type StoredBlob = z.infer<typeof StoredBlob>;

export const StoredMessage = z.object({
  body: z.string(),
  requestId: z.string().optional(),
  deadReason: z.string().optional(),
});
export type StoredMessage = z.infer<typeof StoredMessage>;

export function rowsFile(part: Part, name: string): string {
  return `${part}/${Name.parse(name)}.ndjson`;
}

export function dataFolder(bucket: string): string {
  return `blobs/${Name.parse(bucket)}`;
}

export function dataFile(bucket: string, number: number): string {
  return `${dataFolder(bucket)}/${number}`;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, MANIFEST), "utf8").catch((error) => {
    throw unreadable(MANIFEST, error);
  });
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (cause) {
    throw damaged(MANIFEST, cause);
  }
  const format = z.object({ format: z.number() }).safeParse(found).data?.format;
  if (format !== undefined && format !== FORMAT) {
    throw unknownFormat(`has format ${format}, and this SnapRace knows ${FORMAT} only`);
  }
  const parsed = Manifest.safeParse(found);
  if (!parsed.success) throw damaged(MANIFEST, parsed.error);
  return parsed.data;
}

export function damaged(file: string, cause?: unknown): Problem {
  const sentence = `${file} is damaged or was changed. Copy the exported folder again, or export again.`;
  return new Problem("invalid", "import.damaged", sentence, { cause });
}

/** What to say of a file that can't be read to its end. */
export function unreadable(file: string, error: unknown): Problem {
  if ((error as { code?: string }).code !== "ENOENT") return damaged(file, error);
  const sentence = `${file} is missing: the folder is no export, or one that did not finish. Copy it again, or export again.`;
  return new Problem("invalid", "import.incomplete", sentence, { cause: error });
}

export function unknownFormat(what: string): Problem {
  const sentence = `The exported folder ${what}. Import it with the version of SnapRace that wrote it.`;
  return new Problem("invalid", "import.unknown-format", sentence);
}
