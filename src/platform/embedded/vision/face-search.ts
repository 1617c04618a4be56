/** The embeddings of loaded collections in one WebAssembly memory, and the exact search through them. */

import { readFileSync } from "node:fs";
import { Problem } from "../../problem.ts";

/** Enough that calls cost nothing, few enough that a small collection does not hold much more than it needs. */
export const FACES_PER_BLOCK = 128;

/** The loop takes so many floats at a time. */
const FLOATS_PER_STEP = 16;
const FLOAT_BYTES = 4;
const PAGE_BYTES = 65_536;
/** Four gigabytes, and so two million faces of 512 dimensions. */
const MOST_PAGES = 65_536;

/** A place in the memory for the embeddings of so many faces, as a byte offset. */
export type Block = number;

type Kernel = {
  memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  multiply(query: number, vectors: number, vectorBytes: number, count: number, products: number): void;
};

/** What is used of the global that Node has and its types leave to the browser's. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

/**
 * One memory for all collections: it can't shrink, but the blocks of a collection that is dropped serve the next one at
 * once, while a memory per collection would stay until the garbage collector happens to come by. Growing replaces the
 * buffer, so a view must not outlive the call that asked for it.
 */
export class VectorMemory {
  readonly blockBytes: number;
  readonly #dimensions: number;
  readonly #vectorBytes: number;
  readonly #kernel: Kernel;
  readonly #free: Block[] = [];
  /** In front of the blocks are the query and what the loop answers. */
  #end: number;

  constructor(dimensions: number) {
    if (dimensions % FLOATS_PER_STEP !== 0) throw new RangeError(`${dimensions} is no multiple of ${FLOATS_PER_STEP}`);
    const code = readFileSync(new URL("./face-search.wasm", import.meta.url));
    this.#kernel = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as Kernel;
    this.#dimensions = dimensions;
    this.#vectorBytes = dimensions * FLOAT_BYTES;
    this.blockBytes = FACES_PER_BLOCK * this.#vectorBytes;
    this.#end = this.#vectorBytes + FACES_PER_BLOCK * FLOAT_BYTES;
  }

  get #buffer(): ArrayBuffer {
    return this.#kernel.memory.buffer;
  }

  /** All zeros. */
  takeBlock(): Block {
    const used = this.#free.pop();
    if (used !== undefined) return used;
    const block = this.#end;
    if (block + this.blockBytes > this.#buffer.byteLength) this.#grow();
    this.#end += this.blockBytes;
    return block;
  }

  /** To twice the size, since every growth costs a garbage collection, and pages that nobody touched cost nothing. */
  #grow(): void {
    const pages = this.#buffer.byteLength / PAGE_BYTES;
    const blockPages = Math.ceil(this.blockBytes / PAGE_BYTES);
    try {
      this.#kernel.memory.grow(Math.max(blockPages, Math.min(pages, MOST_PAGES - pages)));
    } catch (cause) {
      const advice = "The face index can't hold more in memory at once. Spread the photos over more collections.";
      throw new Problem("unavailable", "faces.memory-full", advice, { cause });
    }
  }

  giveBack(block: Block): void {
    this.bytesOf(block).fill(0);
    this.#free.push(block);
  }

  bytesOf(block: Block): Uint8Array {
    return new Uint8Array(this.#buffer, block, this.blockBytes);
  }

  vectorAt(block: Block, index: number): Float32Array {
    return new Float32Array(this.#buffer, block + index * this.#vectorBytes, this.#dimensions);
  }

  setQuery(query: Float32Array): void {
    new Float32Array(this.#buffer, 0, this.#dimensions).set(query);
  }

  /** The cosines of the block's embeddings to the query; zero where there is none. */
  multiply(block: Block): Float32Array {
    const productsAt = this.#vectorBytes;
    this.#kernel.multiply(0, block, this.#vectorBytes, FACES_PER_BLOCK, productsAt);
    return new Float32Array(this.#buffer, productsAt, FACES_PER_BLOCK);
  }
}

export type SearchAsk = { minCosine: number; limit: number };
type Candidate = { slot: number; faceId: string; cosine: number };

/** Best first, equals by face id. A slot without a face id is empty. */
export function searchBlocks(
  memory: VectorMemory,
  blocks: Block[],
  faceIds: (string | undefined)[],
  query: Float32Array,
  { minCosine, limit }: SearchAsk,
): Candidate[] {
  const best: Candidate[] = [];
  let leastCosine = minCosine;
  const keepBest = () => {
    best.sort(byCosine);
    best.length = Math.min(best.length, limit);
    leastCosine = best[limit - 1]?.cosine ?? leastCosine;
  };
  memory.setQuery(query);
  for (const [number, block] of blocks.entries()) {
    let slot = number * FACES_PER_BLOCK;
    for (const product of memory.multiply(block)) {
      // Rounding may bring the cosine of equals a little above one.
      const cosine = Math.max(-1, Math.min(1, product));
      const faceId = cosine >= leastCosine ? faceIds[slot] : undefined;
      if (faceId !== undefined) best.push({ slot, faceId, cosine });
      slot += 1;
    }
    // Seldom enough to cost little, often enough that a low threshold does not gather the whole collection.
    if (best.length > 2 * limit + FACES_PER_BLOCK) keepBest();
  }
  keepBest();
  return best;
}

function byCosine(a: Candidate, b: Candidate): number {
  return b.cosine - a.cosine || (a.faceId < b.faceId ? -1 : 1);
}
