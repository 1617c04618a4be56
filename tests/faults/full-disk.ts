/** Runs on a small disk of its own (see storage.test.ts), fills it, frees it, and prints what it saw as JSON. */

import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { openEmbeddedEngines } from "../../src/platform/embedded/engines.ts";
import { Problem } from "../../src/platform/problem.ts";

const disk = process.argv[2] as string;
const filler = path.join(disk, "filler");
const engines = await openEmbeddedEngines({ dataFolder: path.join(disk, "data"), publicUrl: "http://127.0.0.1" });
const table = engines.table("items");
const blobs = engines.blobs("photos");

const codeOf = (error: unknown) => (error instanceof Problem ? error.code : String(error));

/** Writes until the disk says no. Answers the ids acknowledged and the code of the refusal. */
async function fill(name: string): Promise<{ kept: string[]; code: string }> {
  const kept: string[] = [];
  for (let n = 0; ; n += 1) {
    const ids = Array.from({ length: 8 }, (_, m) => `${name}-${n}-${m}`);
    const settled = await Promise.allSettled(
      ids.map((SK) => table.write([{ put: { PK: "P", SK, body: "x".repeat(20_000) } }, { put: { PK: "Q", SK } }])),
    );
    kept.push(...ids.filter((_, m) => settled[m]?.status === "fulfilled"));
    const refused = settled.find((one) => one.status === "rejected");
    if (refused) return { kept, code: codeOf(refused.reason) };
  }
}

async function codeOfUpload(): Promise<string> {
  return blobs.put("large", new Uint8Array(8_000_000), { contentType: "image/jpeg" }).then(() => "stored", codeOf);
}

async function idsIn(partition: string): Promise<string[]> {
  return (await table.query({ partition, limit: 1_000 })).items.map(({ SK }) => SK);
}

await table.write([{ put: { PK: "P", SK: "first" } }, { put: { PK: "Q", SK: "first" } }]);
await writeFile(filler, new Uint8Array(6_000_000));
const uploadCode = await codeOfUpload();
const { kept, code } = await fill("full");
const readable = await idsIn("P");
const leftOver = (await blobs.list({ prefix: "", limit: 10 })).items;
await rm(filler);
await table.write([{ put: { PK: "P", SK: "freed" } }, { put: { PK: "Q", SK: "freed" } }]);
const wanted = ["first", ...kept, "freed"].sort();
process.stdout.write(
  JSON.stringify({
    uploadCode,
    code,
    keptSome: kept.length,
    readableWhileFull: readable.length,
    leftOver,
    whole: JSON.stringify((await idsIn("P")).sort()) === JSON.stringify(wanted),
    together: JSON.stringify((await idsIn("Q")).sort()) === JSON.stringify(wanted),
  }),
);
await engines.close();
