/** All collections of a folder: those in use are in memory, the least recently used make room when it gets too much. */

import { constants, readdirSync } from "node:fs";
import path from "node:path";
import { crc32 } from "node:zlib";
import { makeFolderAtStart } from "../durable-files.ts";
import {
  ERASING_ENDING,
  eraseFile,
  FILE_ENDING,
  fileNameOf,
  finishErasing,
  growFile,
  isThere,
  makeFile,
  syncFolder,
  wipeSlots,
  withFile,
  writeSlots,
} from "./face-collection-file.ts";
import { encodeHead, type Layout, layoutOf } from "./face-collection-format.ts";
import {
  addBlock,
  countExpectedGroups,
  countFaces,
  type Expected,
  emptyCollection,
  type LoadedCollection,
  loadCollection,
  setIds,
  vectorOf,
} from "./face-collection-load.ts";
import type { FoundFace, IndexedFace } from "./face-index.ts";
import { FACES_PER_BLOCK, type SearchAsk, searchBlocks, VectorMemory } from "./face-search.ts";

/** What a face's ids take beside its embedding, about. */
const IDS_BYTES = 256;

export type CollectionsSettings = {
  folder: string;
  model: { name: string; dimensions: number };
  memoryLimitBytes: number;
};

export class FaceCollections {
  readonly #settings: CollectionsSettings;
  readonly #memory: VectorMemory;
  readonly #layout: Layout;
  /** Least recently used first. */
  readonly #loaded = new Map<string, LoadedCollection>();
  /** By file name, also of collections that are not in memory. */
  readonly #faceCounts = new Map<string, number>();

  constructor(settings: CollectionsSettings) {
    this.#settings = settings;
    this.#memory = new VectorMemory(settings.model.dimensions);
    this.#layout = layoutOf(settings.model.dimensions);
    prepareFolder(settings.folder);
  }

  /** On disk when it returns. */
  add(collection: string, faces: IndexedFace[]): void {
    const held = this.#use(collection) ?? this.#make(collection);
    const byId = new Map(faces.map((face) => [face.faceId, face]));
    const fresh = [...byId.values()].filter((face) => !this.#isKnown(held, face));
    if (fresh.length === 0) return;
    this.#change(collection, held, (handle) => {
      this.#growFor(fresh.length, collection, held, handle);
      this.#write(fresh, held, handle);
    });
  }

  search(collection: string, query: Float32Array, ask: SearchAsk): FoundFace[] {
    const held = this.#use(collection);
    if (!held) return [];
    return searchBlocks(this.#memory, held.blocks, held.faceIds, query, ask).map(({ slot, faceId, cosine }) => ({
      faceId,
      externalImageId: held.externalImageIds[slot] as string,
      cosine,
    }));
  }

  searchFace(collection: string, faceId: string, ask: SearchAsk): FoundFace[] {
    const held = this.#use(collection);
    const slot = held?.slotOf.get(faceId);
    if (!held || slot === undefined) return [];
    // One more, since the face finds itself.
    const found = this.search(collection, this.#vectorOf(held, slot), { ...ask, limit: ask.limit + 1 });
    return found.filter((other) => other.faceId !== faceId).slice(0, ask.limit);
  }

  /** The bytes are gone when it returns. */
  delete(collection: string, faceIds: string[]): void {
    const held = this.#use(collection);
    if (!held) return;
    const slots = [...new Set(faceIds)].flatMap((faceId) => held.slotOf.get(faceId) ?? []);
    if (slots.length === 0) return;
    this.#change(collection, held, (handle) => {
      this.#wipe(held, slots, handle);
      for (const faceId of faceIds) held.slotOf.delete(faceId);
    });
  }

  /** Without a look at the content, so that it also helps against damage and after a change of the model. */
  deleteCollection(collection: string): void {
    this.#forget(collection);
    eraseFile(this.#expected(collection).file);
    this.#faceCounts.delete(fileNameOf(collection));
  }

  counts(): { collections: number; faces: number } {
    const { folder } = this.#settings;
    const names = readdirSync(folder).filter((name) => name.endsWith(FILE_ENDING));
    let faces = 0;
    for (const name of names) {
      const count = this.#faceCounts.get(name) ?? withFile(path.join(folder, name), constants.O_RDONLY, countFaces);
      this.#faceCounts.set(name, count);
      faces += count;
    }
    return { collections: names.length, faces };
  }

  #expected(collection: string): Expected {
    const { folder, model } = this.#settings;
    const header = { collection, model: model.name, dimensions: model.dimensions };
    return { file: path.join(folder, fileNameOf(collection)), header, layout: this.#layout };
  }

  #use(collection: string): LoadedCollection | undefined {
    const found = this.#loaded.get(collection) ?? this.#load(this.#expected(collection));
    if (found) this.#remember(collection, found);
    return found;
  }

  #remember(collection: string, held: LoadedCollection): void {
    this.#loaded.delete(collection);
    this.#loaded.set(collection, held);
    this.#faceCounts.set(fileNameOf(collection), held.slotOf.size);
  }

  #load(expected: Expected): LoadedCollection | undefined {
    if (!isThere(expected.file)) return undefined;
    return withFile(expected.file, constants.O_RDWR, (handle) => {
      const groups = countExpectedGroups(handle, expected);
      if (groups === undefined) return undefined;
      this.#makeRoom(groups, expected.header.collection);
      return loadCollection(handle, expected, groups, this.#memory);
    });
  }

  #make(collection: string): LoadedCollection {
    const { file, header } = this.#expected(collection);
    makeFile(file, header);
    return emptyCollection();
  }

  /** The one that is needed now is loaded even if it alone takes more than the limit. */
  #makeRoom(newBlocks: number, needed: string): void {
    const blockBytes = this.#memory.blockBytes + FACES_PER_BLOCK * IDS_BYTES;
    let blocks = newBlocks;
    for (const held of this.#loaded.values()) blocks += held.blocks.length;
    for (const [name, held] of this.#loaded) {
      if (blocks * blockBytes <= this.#settings.memoryLimitBytes) return;
      if (name === needed) continue;
      blocks -= held.blocks.length;
      this.#forget(name);
    }
  }

  #forget(collection: string): void {
    for (const block of this.#loaded.get(collection)?.blocks ?? []) this.#memory.giveBack(block);
    this.#loaded.delete(collection);
  }

  /** After a failure the file alone says what is there: the next use reads and repairs it. */
  #change(collection: string, held: LoadedCollection, work: (handle: number) => void): void {
    this.#remember(collection, held);
    try {
      withFile(this.#expected(collection).file, constants.O_RDWR, work);
      this.#remember(collection, held);
    } catch (error) {
      this.#forget(collection);
      throw error;
    }
  }

  #growFor(faces: number, collection: string, held: LoadedCollection, handle: number): void {
    const groups = held.blocks.length;
    const missing = Math.ceil((faces - held.freeSlots.length) / FACES_PER_BLOCK);
    if (missing <= 0) return;
    this.#makeRoom(missing, collection);
    for (let count = 0; count < missing; count += 1) addBlock(held, this.#memory);
    growFile(handle, this.#layout, groups, groups + missing);
  }

  #write(faces: IndexedFace[], held: LoadedCollection, handle: number): void {
    const sequence = held.lastSequence + 1;
    const slots = held.freeSlots.splice(0, faces.length);
    const contents = faces.map((face, index) => {
      const vector = bytesOf(face.embedding);
      const head = encodeHead({ ...face, sequence, vectorCheck: crc32(vector) });
      return { slot: slots[index] as number, face, head, vector };
    });
    writeSlots(handle, this.#layout, contents);
    held.lastSequence = sequence;
    const replaced = faces.flatMap(({ faceId }) => held.slotOf.get(faceId) ?? []);
    for (const { slot, face } of contents) {
      setIds(held, slot, face);
      this.#vectorOf(held, slot).set(face.embedding);
    }
    this.#wipe(held, replaced, handle);
  }

  #wipe(held: LoadedCollection, slots: number[], handle: number): void {
    wipeSlots(handle, this.#layout, slots);
    for (const slot of slots) {
      this.#vectorOf(held, slot).fill(0);
      held.faceIds[slot] = undefined;
      held.externalImageIds[slot] = undefined;
      held.freeSlots.push(slot);
    }
  }

  #isKnown(held: LoadedCollection, { faceId, externalImageId, embedding }: IndexedFace): boolean {
    const slot = held.slotOf.get(faceId);
    if (slot === undefined || held.externalImageIds[slot] !== externalImageId) return false;
    return Buffer.compare(bytesOf(this.#vectorOf(held, slot)), bytesOf(embedding)) === 0;
  }

  #vectorOf(held: LoadedCollection, slot: number): Float32Array {
    return vectorOf(held, this.#memory, slot);
  }
}

/** A kill may have come before a name was on disk or an erased file was gone. */
function prepareFolder(folder: string): void {
  makeFolderAtStart(folder);
  for (const name of readdirSync(folder)) {
    if (name.endsWith(ERASING_ENDING)) finishErasing(path.join(folder, name));
  }
  syncFolder(folder);
}

function bytesOf(embedding: Float32Array): Uint8Array {
  return new Uint8Array(embedding.buffer, embedding.byteOffset, embedding.byteLength);
}
