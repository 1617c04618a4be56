/** Looks through a bundle before anything of it is imported: every file is there, whole and known. */

import { stat } from "node:fs/promises";
import path from "node:path";
import { damaged, dataFile, type Manifest, PARTS, rowsFile, StoredBlob, unknownFormat, unreadable } from "./bundle.ts";
import { readChecked, readRows } from "./bundle-files.ts";

/** Of blobs only the sizes: their bytes are checked as they are imported, so that they are read once. */
export async function verifyBundle(folder: string, manifest: Manifest, registryTables: string[]): Promise<void> {
  const unknown = manifest.registry.find(({ name }) => !registryTables.includes(name));
  if (unknown) throw unknownFormat(`has rows of a table ${unknown.name}, which this SnapRace does not have`);
  for (const part of PARTS) {
    for (const { name, sha256 } of manifest[part]) {
      for await (const _ of readChecked(folder, rowsFile(part, name), sha256));
    }
  }
  for (const { name: bucket } of manifest.blobs) {
    for await (const blobs of readRows(folder, rowsFile("blobs", bucket), StoredBlob)) {
      for (const blob of blobs) await verifySize(folder, dataFile(bucket, blob.number), blob.sizeBytes);
    }
  }
}

async function verifySize(folder: string, file: string, sizeBytes: number): Promise<void> {
  const found = await stat(path.join(folder, file)).catch((error) => {
    throw unreadable(file, error);
  });
  if (found.size !== sizeBytes) throw damaged(file);
}
