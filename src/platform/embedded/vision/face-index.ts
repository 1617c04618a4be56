/** Faces by their embeddings on one machine: kept on disk per collection and searched exactly, in a thread of its own. */

import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { checkCollection, checkExternalImageId } from "../../picture-limits.ts";
import { Problem } from "../../problem.ts";
import { storageProblem } from "../storage-problem.ts";
import type { FaceFailure, FaceMessage, FaceReply, FaceRequest } from "./face-index-thread.ts";

/** The embedding has length one, so that a product is a cosine. */
export type IndexedFace = { faceId: string; externalImageId: string; embedding: Float32Array };
export type FoundFace = { faceId: string; externalImageId: string; cosine: number };

export type FaceIndexSettings = {
  folder: string;
  /** The name includes the checksum of the model's file: embeddings of two models have nothing to do with each other. */
  model: { name: string; dimensions: number };
  /** For the collections in memory. One that needs more than that is loaded nonetheless, alone. */
  memoryLimitBytes?: number;
  /** Told when the thread has ended and every call from then on is refused. */
  onError?: (error: unknown) => void;
};

export interface FaceIndex {
  /** Resolves when the faces are on disk. A face id that is known gets the new embedding. */
  add(collection: string, faces: IndexedFace[]): Promise<void>;
  /** Faces like this one, best first, without itself; none if it is not there. */
  searchFace(collection: string, faceId: string, ask: { minCosine: number; limit: number }): Promise<FoundFace[]>;
  /** Best first, equals by face id. */
  search(collection: string, embedding: Float32Array, ask: { minCosine: number; limit: number }): Promise<FoundFace[]>;
  /** Resolves when the bytes are overwritten on disk. */
  delete(collection: string, faceIds: string[]): Promise<void>;
  deleteCollection(collection: string): Promise<void>;
  counts(): Promise<{ collections: number; faces: number }>;
  close(): Promise<void>;
}

/** Some 230,000 faces of 512 dimensions. */
const MEMORY_LIMIT_BYTES = 512 * 1024 * 1024;
/** What it gets and gives away is short-lived; by default V8 would keep more than 100 MB for that. */
const THREAD_YOUNG_MB = 12;

const FACE_ID = /^[a-zA-Z0-9_.:-]{1,64}$/;
/** What rounding may do to a length of one. */
const LENGTH_TOLERANCE = 0.001;

type Pending = { resolve(value: unknown): void; reject(error: unknown): void };

export async function openFaceIndex(settings: FaceIndexSettings): Promise<FaceIndex> {
  const { folder, model, memoryLimitBytes = MEMORY_LIMIT_BYTES, onError } = settings;
  const worker = new Worker(new URL("./face-index-thread.ts", import.meta.url), {
    workerData: { folder, model, memoryLimitBytes },
    resourceLimits: { maxYoungGenerationSizeMb: THREAD_YOUNG_MB },
  });
  const [started] = (await once(worker, "message")) as [{ failure?: FaceFailure }];
  if (started.failure) throw errorOf(started.failure);
  const thread = new FaceIndexThread(worker, `the face index ${folder}`, onError);
  return faceIndexOn(thread, model.dimensions);
}

function faceIndexOn(thread: FaceIndexThread, dimensions: number): FaceIndex {
  return {
    async add(collection, faces) {
      checkCollection(collection);
      for (const face of faces) checkFace(face, dimensions);
      if (faces.length === 0) return;
      // A view would be sent with the whole buffer it looks at.
      const copies = faces.map((face) => ({ ...face, embedding: face.embedding.slice() }));
      await thread.ask({ do: "add", collection, faces: copies });
    },
    async searchFace(collection, faceId, ask) {
      checkCollection(collection);
      return (await thread.ask({ do: "searchFace", collection, faceId, ask })) as FoundFace[];
    },
    async search(collection, embedding, ask) {
      checkCollection(collection);
      checkEmbedding(embedding, dimensions);
      return (await thread.ask({ do: "search", collection, embedding: embedding.slice(), ask })) as FoundFace[];
    },
    async delete(collection, faceIds) {
      checkCollection(collection);
      await thread.ask({ do: "delete", collection, faceIds });
    },
    async deleteCollection(collection) {
      checkCollection(collection);
      await thread.ask({ do: "deleteCollection", collection });
    },
    counts: async () => (await thread.ask({ do: "counts" })) as { collections: number; faces: number },
    close: () => thread.close(),
  };
}

class FaceIndexThread {
  readonly #worker: Worker;
  readonly #place: string;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<unknown>;
  #lastId = 0;
  #failure: Problem | undefined;

  constructor(worker: Worker, place: string, onError: ((error: unknown) => void) | undefined) {
    this.#worker = worker;
    this.#place = place;
    this.#onError = onError;
    this.#ended = new Promise((resolve) => worker.once("exit", resolve));
    worker.on("message", (reply: FaceReply) => this.#settle(reply));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the thread of the face index ended")));
  }

  ask(request: FaceRequest): Promise<unknown> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request } satisfies FaceMessage);
    });
  }

  /** What was asked before is still answered. */
  async close(): Promise<void> {
    if (!this.#failure) {
      this.#failure = new Problem("unavailable", "storage.closed", "The server is stopping. Try again in a moment.");
      this.#worker.postMessage("close" satisfies FaceMessage);
    }
    await this.#ended;
  }

  #settle({ id, value, failure }: FaceReply): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (failure) pending?.reject(errorOf(failure));
    else pending?.resolve(value);
  }

  #fail(error: unknown): void {
    if (!this.#failure) {
      this.#failure = storageProblem(error, this.#place) ?? stopped(this.#place, error);
      this.#onError?.(error);
    }
    for (const { reject } of this.#pending.values()) reject(this.#failure);
    this.#pending.clear();
  }
}

function checkFace({ faceId, externalImageId, embedding }: IndexedFace, dimensions: number): void {
  if (!FACE_ID.test(faceId)) {
    const rule = "A face id has 1 to 64 letters, digits, dots, colons, hyphens or underscores.";
    throw new Problem("invalid", "face.id-invalid", rule);
  }
  checkExternalImageId(externalImageId);
  checkEmbedding(embedding, dimensions);
}

/** Also refuses what is not a number, since it has no length. */
function checkEmbedding(embedding: Float32Array, dimensions: number): void {
  let square = 0;
  for (const value of embedding) square += value * value;
  if (embedding.length === dimensions && Math.abs(Math.sqrt(square) - 1) <= LENGTH_TOLERANCE) return;
  const rule = `An embedding has ${dimensions} numbers and the length one.`;
  throw new Problem("invalid", "face.embedding-invalid", rule);
}

function errorOf(failure: FaceFailure): Error {
  if ("defect" in failure) return new Error(`the face index failed: ${failure.defect}`);
  return new Problem(failure.kind, failure.code, failure.message);
}

function stopped(place: string, cause: unknown): Problem {
  return new Problem("unavailable", "storage.failed", `${place} stopped working. Start the server again.`, { cause });
}
