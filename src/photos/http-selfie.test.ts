/** Searching by selfie over HTTP: what is found, what is refused with which words, and how often one may ask. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Hono } from "hono";
import sharp from "sharp";
import { EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { openPhotoScene, type PhotoScene } from "../../tests/harness/photo-scene.ts";
import { createAccessTokens, type TokenHolder } from "../platform/access-tokens.ts";
import { turnedFor } from "../platform/contracts/recognition-forms.ts";
import { drawTexts, FOUR, selfieOf, THREE } from "../platform/contracts/recognition-samples.ts";
import { createApi } from "../platform/http/api.ts";
import { apiOnHono } from "../platform/http/on-hono.ts";
import { createRateLimit } from "../platform/http/rate-limit.ts";
import type { Box } from "../platform/ports.ts";
import { asProblem } from "../platform/problem.ts";
import type { EventForPhotos } from "../registry/events.ts";
import { selfieRoutes } from "./http-selfie.ts";
import { type PhotoItem, photoKey } from "./items.ts";
import { faceCollection } from "./object-keys.ts";

const MEGABYTE = 1024 * 1024;
const JPEG = { "content-type": "image/jpeg" };

let scene: PhotoScene;
let app: Hono;
let selfie: Buffer;
let three: PhotoItem;
let smaller: PhotoItem;
const cleanups: (() => Promise<void>)[] = [];
const tokens = createAccessTokens(Buffer.alloc(32, 1), { now: Date.now, revokedBefore: () => 0 });

before(async () => {
  scene = await openPhotoScene({ after: (clean) => cleanups.unshift(clean) }, { workers: false, ownFaces: true });
  app = appOf();
  selfie = await selfieOf(THREE);
  three = await scene.add({ bibs: ["1234"] });
  smaller = await scene.add({ bibs: ["77"] });
  const four = await scene.add({ bibs: ["1234"] });
  const deleted = await scene.add();
  await scene.photos.table.write([{ delete: photoKey(EVENT, deleted.ulid) }]);
  const photo = THREE.photo();
  const resized = await sharp(photo).resize(1300).jpeg({ quality: 70 }).toBuffer();
  const remember = (image: Buffer, { ulid }: PhotoItem) =>
    scene.engines.recognition.indexFaces(faceCollection(EVENT), image, ulid);
  await Promise.all([remember(photo, three), remember(photo, deleted)]);
  // The same person twice in one photo, as a mirror shows it.
  await Promise.all([remember(resized, smaller), remember(await sharp(resized).flop().toBuffer(), smaller)]);
  await remember(FOUR.photo(), four);
});
after(async () => {
  for (const clean of cleanups) await clean();
});

function appOf(settings?: { maxHeldBytes: number }): Hono {
  const unlimited = createRateLimit({ requests: 100_000, windowMs: 1000, now: Date.now });
  const api = createApi({
    routes: selfieRoutes(scene.photos, settings),
    caller: { tokens, renew: async () => undefined, publicUrl: "http://127.0.0.1:8080" },
    facts: {
      organizationOf: async () => undefined,
      isAssigned: async () => false,
      eventOfRequest: async () => undefined,
    },
    userLimit: unlimited,
    addressLimit: unlimited,
    addressOf: (request) => request.header("x-address") ?? "",
    refuse: (error) => {
      const { httpStatus, code, message, retryInMs = 0 } = asProblem(error);
      return { status: httpStatus, headers: {}, body: JSON.stringify({ code, message, retryInMs }) };
    },
  });
  return apiOnHono(api, { document: {} as never, corsOrigins: [] });
}

/** The answer, or the problem. */
type Told = {
  faces: number;
  used: { box: Box };
  items: { ulid: string; similarity: number; alreadyShown: boolean; imageUrl: string }[];
  code?: string;
  message?: string;
  retryInMs?: number;
};

let callers = 0;

/** Each from another address, unless a test says from where. */
async function search(body: RequestInit["body"], headers: { [name: string]: string } = JPEG, query = "", on = app) {
  callers += 1;
  const answer = await on.request(`http://127.0.0.1:8080/api/events/${EVENT.eventId}/selfie-search${query}`, {
    method: "POST",
    body: body ?? null,
    headers: { "x-address": String(callers), ...headers },
    duplex: "half",
  } as RequestInit);
  return { status: answer.status, body: (await answer.json()) as Told };
}

function formWith(...files: Uint8Array<ArrayBuffer>[]): FormData {
  const form = new FormData();
  form.append("bib", "1234");
  for (const [n, file] of files.entries()) form.append(`selfie${n}`, new File([file], "IMG_1.jpg"));
  return form;
}

const bytes = (buffer: Buffer) => new Uint8Array(buffer);
const ulidsOf = ({ body }: { body: Told }) => new Set(body.items.map(({ ulid }) => ulid));

describe("a selfie", () => {
  test("finds its person's photos, each once, the most alike first, and marks those of the bib", async () => {
    const answer = await search(bytes(selfie), JPEG, "?bib=1234");
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual(ulidsOf(answer), new Set([three.ulid, smaller.ulid]));
    assert.equal(answer.body.items.length, 2);
    const [first, second] = answer.body.items as [Told["items"][0], Told["items"][0]];
    assert.ok(first.similarity >= second.similarity && second.similarity >= 0.8 && first.similarity <= 1);
    for (const item of answer.body.items) {
      assert.equal(item.alreadyShown, item.ulid === three.ulid);
      assert.match(item.imageUrl, /^http/);
    }
    assert.equal(answer.body.faces, 1);
    assert.ok(answer.body.used.box.height > 0.2);
    assert.ok(!(await search(bytes(selfie))).body.items.some(({ alreadyShown }) => alreadyShown));
  });

  test("may come in a form, in any type, and turned as phones store it", async () => {
    const png = await sharp(selfie).png().toBuffer();
    const webp = await sharp(selfie).webp().toBuffer();
    const answers = [
      await search(formWith(bytes(selfie)), {}),
      await search(bytes(await turnedFor(6, selfie))),
      await search(bytes(png), { "content-type": "image/png" }),
      await search(bytes(webp), { "content-type": "application/octet-stream" }),
    ];
    for (const answer of answers) assert.deepEqual(ulidsOf(answer), new Set([three.ulid, smaller.ulid]));
  });

  test("with several people says how many, and is searched with the largest", async () => {
    const { body } = await search(bytes(THREE.photo()));
    assert.equal(body.faces, 3);
    assert.ok(body.items.length >= 2);
  });

  test("finds nothing where no faces are known yet", async () => {
    const elsewhere = { orgId: EVENT.orgId, eventId: "empty-event" };
    await withEvent({ ...PHOTO_EVENT, ...elsewhere }, async () => {
      const answer = await app.request(`http://x/api/events/${elsewhere.eventId}/selfie-search`, {
        method: "POST",
        body: bytes(selfie),
        headers: JPEG,
      });
      assert.deepEqual([answer.status, ((await answer.json()) as Told).items], [200, []]);
    });
  });
});

async function withEvent(event: EventForPhotos, work: () => Promise<void>): Promise<void> {
  const before = scene.facts.events.get(event.eventId);
  scene.facts.events.set(event.eventId, event);
  scene.photos.events.forget(event.eventId);
  try {
    await work();
  } finally {
    if (before) scene.facts.events.set(event.eventId, before);
    scene.photos.events.forget(event.eventId);
  }
}

describe("what can't be searched with is refused with its own words:", () => {
  const heic = Buffer.from("\0\0\0\x18ftypmif1\0\0\0\0mif1heic and more", "latin1");
  const faceless = async () => (await drawTexts(600, 400, [{ text: "7", x: 100, y: 300, sizePixels: 200 }])).png;
  const far = async () =>
    sharp({ create: { width: 640, height: 480, channels: 3, background: "grey" } })
      .composite([{ input: await sharp(selfie).resize(30).toBuffer(), left: 300, top: 200 }])
      .png()
      .toBuffer();
  const pictures: [code: string, status: number, make: () => Promise<Buffer> | Buffer][] = [
    ["picture.no-face", 400, faceless],
    ["selfie.face-too-small", 400, far],
    ["selfie.face-unclear", 400, () => sharp(selfie).resize(900).blur(14).jpeg().toBuffer()],
    ["picture.unreadable", 400, () => Buffer.from("This is no picture.")],
    ["picture.unreadable", 400, () => selfie.subarray(0, selfie.length / 2)],
    ["picture.unreadable", 400, () => Buffer.alloc(0)],
    ["selfie.heic", 415, () => heic],
    ["http.body-too-large", 413, () => Buffer.alloc(15 * MEGABYTE + 1)],
  ];
  for (const [code, status, make] of pictures) {
    test(`${code}, ${status}`, async () => {
      const answer = await search(bytes(await make()));
      assert.deepEqual([answer.body.code, answer.status], [code, status], answer.body.message);
    });
  }

  test("AVIF has the same container as HEIC, and is looked at", async () => {
    assert.equal((await search(bytes(await sharp(selfie).avif().toBuffer()))).status, 200);
  });

  test("forms and types", async () => {
    const asForm = { "content-type": "multipart/form-data; boundary=x" };
    const answers = [
      await search(formWith(), {}),
      await search(formWith(bytes(selfie), bytes(selfie)), {}),
      await search("no form", asForm),
      await search(formWith(new Uint8Array(15 * MEGABYTE + 1)), {}),
      await search("text", { "content-type": "text/plain" }),
    ];
    assert.deepEqual(
      answers.map(({ status, body: { code } }) => [status, code]),
      [
        [400, "selfie.no-picture"],
        [400, "selfie.no-picture"],
        [400, "selfie.no-picture"],
        [413, "picture.too-large"],
        [415, "selfie.bad-type"],
      ],
    );
  });
});

describe("an event", () => {
  const as = (holder: Partial<TokenHolder>) => {
    const nobody = { operator: false, organizations: [], photographers: [], session: false, tokenId: "t" };
    return { ...JPEG, authorization: `Bearer ${tokens.issue({ userId: "u", ...nobody, ...holder }, 60_000)}` };
  };
  const codeFor = async (event: Partial<EventForPhotos>, headers = JPEG) => {
    let code: unknown;
    await withEvent({ ...PHOTO_EVENT, ...event }, async () => {
      code = (await search("no picture", headers)).body.code;
    });
    return code;
  };

  test("that is a draft is not there, but for those who work on it", async () => {
    assert.equal(await codeFor({ published: false }), "event.not-found");
    assert.equal(await codeFor({ published: false }, as({ userId: "runner" })), "event.not-found");
    const organizer = as({ userId: "organizer", organizations: [EVENT.orgId] });
    assert.equal(await codeFor({ published: false }, organizer), "picture.unreadable");
  });

  test("without search by face says so, and so does one whose faces are gone by now", async () => {
    assert.equal(await codeFor({ faceIndexing: false }), "selfie.off");
    assert.equal(await codeFor({ facesUntil: Date.now() - 1 }), "selfie.off");
  });

  test("lets one person ask ten times a minute, and one address sixty times", async () => {
    const times = async (count: number, headers: { [name: string]: string }) => {
      const codes = [];
      for (let n = 0; n < count; n += 1) codes.push((await search("no picture", { ...JPEG, ...headers })).status);
      return codes;
    };
    const expected = (most: number) => [...Array(most).fill(400), 429];
    assert.deepEqual(await times(11, as({ userId: "eager" })), expected(10));
    assert.deepEqual(await times(1, as({ userId: "patient" })), [400]);
    assert.deepEqual(await times(61, { "x-address": "the venue" }), expected(60));
    const { retryInMs = 0 } = (await search("no picture", { ...JPEG, "x-address": "the venue" })).body;
    assert.ok(retryInMs > 0 && retryInMs <= 60_000, `${retryInMs}`);
  });
});

test("pictures that come slowly are held up to a limit, and let go when their sender has left", async () => {
  const small = appOf({ maxHeldBytes: selfie.length + 1000 });
  let leave = () => {};
  const slow = new ReadableStream({
    start: (stream) => {
      stream.enqueue(bytes(selfie));
      leave = () => stream.error(new Error("gone"));
    },
  });
  const left = search(slow, JPEG, "", small);
  const refused = await search(bytes(selfie), JPEG, "", small);
  assert.deepEqual([refused.status, refused.body.code], [503, "selfie.busy"]);
  leave();
  assert.equal((await left).status, 500);
  assert.equal((await search(bytes(selfie), JPEG, "", small)).status, 200);
});
