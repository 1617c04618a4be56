/**
 * What the product asks of the machine below it: small ports in the words of the job, each with an engine
 * in `embedded/` and one in `aws/`. The suites in `contracts/` are their full definition.
 */

// --- Table: items under a partition and a sort key, with two sparse indexes -------------------------------

export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };

export type Key = { PK: string; SK: string };

/** `GSI1PK`/`GSI1SK` and `GSI2PK`/`GSI2SK` place an item in an index; `ttl` (epoch seconds) lets it vanish. */
export type Item = Key & { [attribute: string]: Value };

/** Conditions look at top-level attributes of the item as it was before the write. */
export type Condition =
  | { op: "exists" | "absent"; attribute: string }
  | { op: "=" | "<>"; attribute: string; value: Value }
  | { op: "<" | "<=" | ">" | ">="; attribute: string; value: string | number }
  | { op: "all" | "any"; of: Condition[] };

export type Put = { put: Item; if?: Condition };
/**
 * Creates the item when it is absent, as DynamoDB does; `add` counts an absent attribute as 0. Whether an update that
 * only removes creates it is not promised.
 */
export type Update = {
  update: Key;
  set?: { [attribute: string]: Value };
  add?: { [attribute: string]: number };
  remove?: string[];
  if?: Condition;
};
export type Delete = { delete: Key; if?: Condition };
export type Check = { check: Key; if: Condition };
export type Action = Put | Update | Delete | Check;

export type Index = "GSI1" | "GSI2";

export type Query = {
  /** Without an index the table itself is asked. An index may lag behind the table on AWS. */
  index?: Index;
  partition: string;
  /** Bounds of the sort key; `from` and `to` are inclusive. */
  sort?: { beginsWith: string } | { from?: string; to?: string };
  order?: "ascending" | "descending";
  limit: number;
  cursor?: string;
};

/** No cursor means the end. A cursor stays valid whatever is written meanwhile, and may lead to an empty last page. */
export type Page<T> = { items: T[]; cursor?: string };

export interface Table {
  /** Reads see every acknowledged write and never an expired item. Conditions do see expired items not yet removed. */
  get(key: Key): Promise<Item | undefined>;
  /** One entry per key, in the order asked. */
  batchGet(keys: Key[]): Promise<(Item | undefined)[]>;
  query(query: Query): Promise<Page<Item>>;
  /**
   * All actions or none; at most 100, each on another item. Throws ConditionFailed with the items that did not fit:
   * for a single action that may be its own earlier try whose answer was lost.
   */
  write(actions: Action[]): Promise<void>;
  /** One update that answers with the item as it is now. After a lost answer its `add` may have counted twice. */
  update(update: Update): Promise<Item>;
}

// --- Queue: at least once, in no promised order ------------------------------------------------------------

/** Given when a queue is opened; on AWS the deployed queue has the same figures. */
export type QueueSettings = { visibilityMs: number; maxReceives: number };

export type Message = { id: string; body: string; receives: number; sentAt: number; requestId?: string };

/** What a handler did not finish. `retryInMs` asks for another try sooner or later than the visibility time-out. */
export type Failure = { id: string; reason: string; retryInMs?: number };

/** Answers what it did not finish, the rest is done; throwing fails the whole batch. */
export type Handler = (messages: Message[]) => Promise<Failure[]>;

export type DeadLetter = Message & { reason: string };

/** `stop` takes no more messages and resolves when the running handlers are done. */
export type Consumer = { stop(): Promise<void> };

export interface Queue {
  /** Resolves when all are durable. After a rejection some may have been sent: sending again is safe, never lossy. */
  send(bodies: string[]): Promise<void>;
  consume(handler: Handler, options?: { batchSize?: number; concurrency?: number }): Consumer;
  /** Looks at dead letters, without taking them: at most `limit`, in no promised order. */
  peekDead(limit: number): Promise<DeadLetter[]>;
  /** Sends dead letters back to be handled afresh: those named, or all. Answers how many went. */
  redrive(ids?: string[]): Promise<number>;
  depth(): Promise<{ waiting: number; inFlight: number; dead: number }>;
}

// --- Blobs: objects in one bucket --------------------------------------------------------------------------

export type BlobEntry = { key: string; sizeBytes: number; etag: string; createdAt: number };
export type BlobHead = BlobEntry & { contentType: string; metadata: { [name: string]: string } };
export type BlobBody = Uint8Array | AsyncIterable<Uint8Array>;

/** The holder may send exactly these bytes' worth, of this type and metadata, to this key, once or again until it expires. */
export type UploadGrant = {
  key: string;
  sizeBytes: number;
  contentType: string;
  metadata?: { [name: string]: string };
  expiresInMs: number;
};
export type SignedUpload = { method: "PUT"; url: string; headers: { [name: string]: string } };
/**
 * The holder may read the object until it expires, counted from `asOf` (epoch milliseconds; else from now). The same
 * grant as of the same time is the same URL, so that browsers need not fetch what they have.
 */
export type DownloadGrant = { key: string; expiresInMs: number; fileName?: string; asOf?: number };

/** A large object that comes in parts. A part counts once it was sent whole; the object is there only when completed. */
export type PartsGrant = { key: string; contentType: string; metadata?: { [name: string]: string } };
/** One upload in parts. It ends when it is completed or abandoned, or by itself seven days after it began. */
export type PartsUpload = { key: string; uploadId: string };
/** Parts are counted from 1 to 10,000, of 1 byte to 100 MiB; each but the last has 5 MiB or more. */
export type PartGrant = PartsUpload & { part: number; sizeBytes: number; expiresInMs: number };
export type SentPart = { part: number; sizeBytes: number; etag: string };

export interface Blobs {
  /** Replaces atomically: a reader gets the old object or the new one, whole. */
  put(
    key: string,
    body: BlobBody,
    about: { contentType: string; metadata?: { [name: string]: string } },
  ): Promise<BlobHead>;
  get(key: string): Promise<{ head: BlobHead; body: AsyncIterable<Uint8Array> } | undefined>;
  /** The object in one piece. Of one that is larger only the head comes. */
  getWhole(key: string, mostBytes: number): Promise<{ head: BlobHead; bytes?: Buffer } | undefined>;
  head(key: string): Promise<BlobHead | undefined>;
  list(ask: { prefix: string; limit: number; cursor?: string }): Promise<Page<BlobEntry>>;
  /** Deleting what is not there is no error. */
  delete(keys: string[]): Promise<void>;
  signUpload(grant: UploadGrant): Promise<SignedUpload>;
  /** With a file name, browsers save instead of show. */
  signDownload(grant: DownloadGrant): Promise<string>;
  /** Answers the upload's id. */
  beginParts(grant: PartsGrant): Promise<string>;
  /** Sending a part again replaces it. That the upload has ended is noticed when the part is sent. */
  signPart(grant: PartGrant): Promise<SignedUpload>;
  /** The parts that are there, in order. Undefined: there is no such upload, or it has ended. */
  listParts(upload: PartsUpload): Promise<SentPart[] | undefined>;
  /**
   * Makes the object of parts 1 to `parts`, as `put` would; others are dropped. Asked again it gives the same answer, as
   * long as the object is still the one that it made.
   */
  completeParts(ask: PartsUpload & { parts: number }): Promise<BlobHead>;
  /** Abandoning what is not there is no error, and leaves a completed object alone. */
  abandonParts(upload: PartsUpload): Promise<void>;
}

// --- Workflow: one Amazon States Language file, run once per name ---------------------------------------------

export type ExecutionStatus = "RUNNING" | "SUCCEEDED" | "FAILED" | "TIMED_OUT" | "ABORTED";

export type Execution = {
  name: string;
  status: ExecutionStatus;
  startedAt: number;
  stoppedAt?: number;
  input: Value;
  output?: Value;
  error?: string;
  cause?: string;
};

export type HistoryEvent = { at: number; type: string; state?: string; error?: string; cause?: string };

/** One function per Task state, by the state's name. A thrown error's `name` is what Retry and Catch match. */
export type Tasks = { [state: string]: (input: Value) => Promise<Value> };

/** `notify`: the queue that gets a message for every execution that fails (see execution-failed.ts). */
export type WorkflowDefinition = { name: string; asl: { [field: string]: Value }; tasks: Tasks; notify?: string };

export interface Workflow {
  /** However often a name is started, there is one execution of it. */
  start(name: string, input: Value): Promise<void>;
  status(name: string): Promise<Execution | undefined>;
  history(name: string): Promise<HistoryEvent[]>;
  listFailed(ask: { limit: number; cursor?: string }): Promise<Page<Omit<Execution, "input" | "output">>>;
  /** Runs a failed execution again from the state that failed. */
  rerun(name: string): Promise<void>;
}

// --- Recognition: text and faces in pictures ----------------------------------------------------------------

/** Fractions of the picture's width and height, from its top left corner, of the picture as a viewer shows it. */
export type Box = { left: number; top: number; width: number; height: number };

/** Confidence, quality and similarity are from 0 to 1. */
export type Word = {
  text: string;
  confidence: number;
  box: Box;
  /** Per character of the text, other readings with their confidence, best first, where the engine has them. */
  alternatives?: { text: string; confidence: number }[][];
  /**
   * The text may go on there: hidden, in whole or in part, or outside of the picture. `inside`: after how many of the characters one
   * between them is hidden. Where the engine can tell.
   */
  cut?: { start: boolean; end: boolean; inside?: number[] };
};
export type Face = { faceId: string; box: Box; quality: number };
/** A face in a picture that is searched with. Its height is that in the picture as it was looked at, which may be a smaller one. */
export type SelfieFace = { box: Box; quality: number; heightPixels: number };
export type FaceMatch = { faceId: string; externalImageId: string; similarity: number };
export type ImageSearch = { /** The largest first. */ faces: [SelfieFace, ...SelfieFace[]]; matches: FaceMatch[] };
export type TextAsk = { watermarkZones: Box[]; minConfidence: number };
export type FaceAsk = { minSimilarity: number; limit: number };

/**
 * The same picture gets the same answer every time. What is no picture, or too small or large to look at, is refused
 * with a Problem (`picture.unreadable`, `picture.too-small`, `picture.too-large`).
 */
export interface Recognition {
  /** Words whose middle lies in a watermark zone, or that are less sure than asked, are left out. */
  detectText(image: Uint8Array, ask: TextAsk): Promise<Word[]>;
  /**
   * Remembers the faces that are large and clear enough, and answers with them; none is no error. The collection is
   * made on first use. Whether the same picture under the same id is remembered once or again is not promised.
   */
  indexFaces(collection: string, image: Uint8Array, externalImageId: string): Promise<Face[]>;
  /** Faces like this one, best first, without itself. A face that is not there has no matches. */
  searchFaces(collection: string, faceId: string, ask: FaceAsk): Promise<FaceMatch[]>;
  /**
   * Faces like the largest in the picture, and all that are in the picture; nothing of it is kept. Without a face it is
   * refused: `picture.no-face`. On AWS these are two calls at once, DetectFaces and SearchFacesByImage, and two to pay for.
   */
  searchByImage(collection: string, image: Uint8Array, ask: FaceAsk): Promise<ImageSearch>;
  /** Deleting what is not there is no error. */
  deleteFaces(collection: string, faceIds: string[]): Promise<void>;
  deleteCollection(collection: string): Promise<void>;
}

// --- Mail: letters to people --------------------------------------------------------------------------------

export type Letter = { to: string; subject: string; text: string };

export interface Mail {
  /** Resolves when the letter is handed on; whether it arrives nobody can promise. */
  send(letter: Letter): Promise<void>;
}

// --- Clock and the whole set -----------------------------------------------------------------------------------

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** One set of engines. Opening a thing twice by the same name gives the same thing. */
export interface Engines {
  clock: Clock;
  table(name: string): Table;
  queue(name: string, settings: QueueSettings): Queue;
  /** `notify`: the queue that gets an object-created message for every object put (see object-created.ts). */
  blobs(bucket: string, settings?: { notify?: string }): Blobs;
  workflow(definition: WorkflowDefinition): Workflow;
  recognition: Recognition;
  mail: Mail;
  /** Throws a Problem that says what is wrong when the engines can't work now. */
  checkReady(): Promise<void>;
  close(): Promise<void>;
}
