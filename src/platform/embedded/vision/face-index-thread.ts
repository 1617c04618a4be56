/** The thread of the face index: it takes all requests that wait, and additions to a collection share one fsync. */

import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from "node:worker_threads";
import { Problem, type ProblemKind } from "../../problem.ts";
import { storageProblem } from "../storage-problem.ts";
import { type CollectionsSettings, FaceCollections } from "./face-collections.ts";
import type { IndexedFace } from "./face-index.ts";
import type { SearchAsk } from "./face-search.ts";

export type FaceRequest =
  | { do: "add"; collection: string; faces: IndexedFace[] }
  | { do: "search"; collection: string; embedding: Float32Array; ask: SearchAsk }
  | { do: "searchFace"; collection: string; faceId: string; ask: SearchAsk }
  | { do: "delete"; collection: string; faceIds: string[] }
  | { do: "deleteCollection"; collection: string }
  | { do: "counts" };
export type FaceMessage = { id: number; request: FaceRequest } | "close";
export type FaceFailure = { kind: ProblemKind; code: string; message: string } | { defect: string };
export type FaceReply = { id: number; value?: unknown; failure?: FaceFailure };

const settings = workerData as CollectionsSettings;

function serve(port: MessagePort, collections: FaceCollections): void {
  port.on("message", (first: FaceMessage) => {
    const messages = [first];
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) messages.push(next.message);
    answerAll(port, collections, messages);
    if (messages.includes("close")) port.close();
  });
}

function answerAll(port: MessagePort, collections: FaceCollections, messages: FaceMessage[]): void {
  const additions = new Map<string, { id: number; faces: IndexedFace[] }[]>();
  const searches: (() => void)[] = [];
  const addAll = () => {
    for (const [collection, group] of additions) {
      const outcome = attempt(() =>
        collections.add(
          collection,
          group.flatMap(({ faces }) => faces),
        ),
      );
      for (const { id } of group) port.postMessage({ id, ...outcome } satisfies FaceReply);
    }
    additions.clear();
  };
  for (const message of messages) {
    if (message === "close") continue;
    const { id, request } = message;
    const answer = () => port.postMessage({ id, ...attempt(() => perform(collections, request)) } satisfies FaceReply);
    if (request.do === "add") {
      const group = additions.get(request.collection) ?? [];
      additions.set(request.collection, group);
      group.push({ id, faces: request.faces });
    } else if (request.do === "search" || request.do === "searchFace") {
      searches.push(answer);
    } else {
      // What was added before is deleted and counted too.
      addAll();
      answer();
    }
  }
  addAll();
  // Last, so that they find what is on disk and hold up no addition.
  for (const answer of searches) answer();
}

function perform(collections: FaceCollections, request: FaceRequest): unknown {
  switch (request.do) {
    case "add":
      return collections.add(request.collection, request.faces);
    case "search":
      return collections.search(request.collection, request.embedding, request.ask);
    case "searchFace":
      return collections.searchFace(request.collection, request.faceId, request.ask);
    case "delete":
      return collections.delete(request.collection, request.faceIds);
    case "deleteCollection":
      return collections.deleteCollection(request.collection);
    case "counts":
      return collections.counts();
  }
}

function attempt(work: () => unknown): { value: unknown } | { failure: FaceFailure } {
  try {
    return { value: work() };
  } catch (error) {
    // After a failed fsync nobody knows what is on disk: the thread ends, and a restart recovers from what is.
    if ((error as NodeJS.ErrnoException).syscall === "fsync") throw error;
    return { failure: describe(error) };
  }
}

function describe(error: unknown): FaceFailure {
  const problem = error instanceof Problem ? error : storageProblem(error, `the face index ${settings.folder}`);
  if (problem) return { kind: problem.kind, code: problem.code, message: problem.message };
  return { defect: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}

if (parentPort) {
  try {
    const collections = new FaceCollections(settings);
    parentPort.postMessage({});
    serve(parentPort, collections);
  } catch (error) {
    parentPort.postMessage({ failure: describe(error) });
  }
}
