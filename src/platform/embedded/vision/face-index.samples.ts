/** Embeddings for tests: some that follow from a text, and some whose products are exact, so that many are equal. */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** The same text gives the same embedding, another text one that is far from it. */
export function embeddingOf(text: string, dimensions: number): Float32Array {
  const bytes = createHash("shake256", { outputLength: dimensions * 2 })
    .update(text)
    .digest();
  const raw = Float64Array.from({ length: dimensions }, (_, index) => bytes.readInt16LE(index * 2));
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (value) => value / length);
}

/** Four halves make the length one; sums of quarters have no rounding in whatever order. */
export function exactEmbedding(places: number[], isNegative: boolean[], dimensions: number): Float32Array {
  const embedding = new Float32Array(dimensions);
  for (const [index, place] of places.entries()) embedding[place] = isNegative[index] ? -0.5 : 0.5;
  return embedding;
}

export function cosineOf(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] as number), 0);
}

export function bytesOf(embedding: Float32Array): Buffer {
  return Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength);
}

/** Every byte of every file of the folder. */
export async function contentsOf(folder: string): Promise<Buffer> {
  const names = await readdir(folder);
  return Buffer.concat(await Promise.all(names.map((name) => readFile(path.join(folder, name)))));
}
