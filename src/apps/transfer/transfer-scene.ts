/** A machine full of everything there is to move, and empty ones to move it to, for tests. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type EmbeddedEngines, openEmbeddedEngines } from "../../platform/embedded/engines.ts";
import type { Blobs, Item } from "../../platform/ports.ts";
import { newRequestId, withRequestId } from "../../platform/request-context.ts";
import type { RegistryRows } from "./bundle.ts";

export const QUEUE = { visibilityMs: 30_000, maxReceives: 1 };
const LATER = Math.floor(Date.now() / 1000) + 3600;
const DIGITS = "0123456789".repeat(25_000);

type Row = { id: string; [column: string]: unknown };
export type MemoryRegistry = RegistryRows & { held: { [table: string]: Row[] } };

export function memoryRegistry(held: { [table: string]: Row[] } = { organizations: [], events: [] }): MemoryRegistry {
  return {
    held,
    tables: Object.keys(held),
    async *rows(table) {
      yield* held[table] ?? [];
    },
    isEmpty: async () => Object.values(held).every(({ length }) => length === 0),
    insert: async (table, rows) => {
      const there = held[table] ?? assert.fail(`no table ${table}`);
      for (const row of rows as Row[]) {
        const hasParent = table !== "events" || held.organizations?.some(({ id }) => id === row.organization);
        assert.ok(hasParent, `${row.id} came before its parent`);
        if (!there.some(({ id }) => id === row.id)) there.push(row);
      }
    },
  };
}

export function filledRegistry(): MemoryRegistry {
  const events = Array.from({ length: 230 }, (_, n) => ({ id: `evt_${n}`, organization: "org_1", place: null }));
  return memoryRegistry({ organizations: [{ id: "org_1", name: "달리기\u2028클럽" }], events });
}

const PHOTOS: Item[] = Array.from({ length: 260 }, (_, n) => ({
  PK: `EVENT#${n % 7}`,
  SK: `PHOTO#${n}`,
  GSI1PK: `BIB#${n % 50}`,
  GSI1SK: `${n}`,
  links: [{ bib: `A${n}`, score: n / 3, sure: n % 2 === 0, by: null }],
  caption: `결승선 🏁 "${n}"\n\u2028\u2029\\`,
}));
const ENTRIES: Item[] = Array.from({ length: 250 }, (_, n) => ({
  PK: "E",
  SK: `${n}`,
  GSI2PK: "half of a pair",
  n: n * 1e15,
  ttl: LATER,
}));
/** More than DynamoDB takes in one transaction. */
const LARGE: Item[] = Array.from({ length: 20 }, (_, n) => ({ PK: "L", SK: `${n}`, text: DIGITS }));

export async function fill(engines: EmbeddedEngines): Promise<void> {
  for (const [name, items] of Object.entries({ Photos: PHOTOS, Entries: ENTRIES, Archive: LARGE })) {
    await Promise.all(items.map((put) => engines.table(name).write([{ put }])));
  }
  await engines.table("Entries").write([{ put: { PK: "E", SK: "expired", ttl: 1 } }]);
  await engines.mail.send({ to: "runner@mail.example", subject: "Welcome", text: "Hello." });
  const settling = engines.queue("settling", QUEUE);
  for (let n = 0; n < 110; n += 1) await withRequestId(newRequestId(), () => settling.send([`{"n":${n}}`]));
  await settling.send(["no request id"]);
  const ingest = engines.queue("ingest", QUEUE);
  await ingest.send(["dead"]);
  const burying = ingest.consume(async (messages) => messages.map(({ id }) => ({ id, reason: "too dark" })));
  while ((await ingest.depth()).dead === 0) await delay(5);
  await burying.stop();
  const photos = engines.blobs("photos", { notify: "ingest" });
  for (let n = 0; n < 20; n += 1) {
    await photos.put(`org/사진 ${n}.jpg`, Buffer.from(`${n}`.repeat(n * 9000)), {
      contentType: "image/jpeg",
      metadata: { camera: `x${n}` },
    });
  }
  await engines.blobs("proofs").put("draw.json", Buffer.from("{}"), { contentType: "application/json" });
}

/** All that is to be found again; a dead letter as the waiting message it becomes. */
export async function allOf(engines: EmbeddedEngines) {
  const contents = engines.contents();
  const flat = async <T>(pages: AsyncIterable<T[]>) => (await Array.fromAsync(pages)).flat();
  const items: { [table: string]: Item[] } = {};
  for (const { name, count } of contents.tables()) {
    if (count > 0 && !["Transfer", "Inbox"].includes(name)) items[name] = await flat(contents.items(name));
  }
  const messages: { [queue: string]: unknown[] } = {};
  for (const { name } of contents.queues()) {
    messages[name] = (await flat(contents.messages(name))).map(({ body, requestId }) => ({ body, requestId }));
  }
  const blobs: { [key: string]: unknown } = {};
  for (const { name } of contents.buckets()) {
    for (const { key } of await flat(contents.heads(name))) {
      blobs[`${name} ${key}`] = await blobOf(engines.blobs(name), key);
    }
  }
  return { items, messages, blobs };
}

/** With a hash in place of the bytes, so that a difference can be shown. */
export async function blobOf(blobs: Blobs, key: string) {
  const { head, body } = (await blobs.get(key)) ?? assert.fail(`no blob ${key}`);
  const hash = createHash("sha256");
  for await (const chunk of body) hash.update(chunk);
  return { contentType: head.contentType, metadata: head.metadata, sha256: hash.digest("hex") };
}

/** Part by part: the difference of two whole machines would take minutes to show. */
export async function assertSame(engines: EmbeddedEngines, other: EmbeddedEngines): Promise<void> {
  const [found, wanted] = [await allOf(engines), await allOf(other)];
  assert.deepEqual(found.messages, wanted.messages);
  assert.deepEqual(found.blobs, wanted.blobs);
  assert.deepEqual(Object.keys(found.items), Object.keys(wanted.items));
  for (const [table, items] of Object.entries(wanted.items)) assert.deepEqual(found.items[table], items);
}

type Scope = { after(clean: () => Promise<void>): void };

export async function temporary(scope: Scope): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "snaprace-transfer-"));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function open(scope: Scope): Promise<EmbeddedEngines> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-transfer-"));
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1", closeGraceMs: 0 });
  scope.after(async () => {
    await engines.close();
    await rm(dataFolder, { recursive: true });
  });
  return engines;
}
