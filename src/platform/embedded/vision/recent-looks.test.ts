/** One look serves all who ask for the same picture soon after each other, and a failed one serves nobody else. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { LookFor, Seen } from "./eye.ts";
import { recentLooks } from "./recent-looks.ts";

const REMEMBERED = 32;

/** Every look gives another answer, so that a shared one can be told. */
function counting() {
  const looks: { image: Uint8Array; lookFor: LookFor }[] = [];
  const run = async (image: Uint8Array, lookFor: LookFor): Promise<Seen> => {
    looks.push({ image, lookFor });
    return { width: looks.length, height: 1, words: [], faces: [] };
  };
  return { looks, recent: recentLooks(run) };
}

const picture = (name: string) => Buffer.from(name);

test("the same bytes are looked at once, for everything, at the same time and later", async () => {
  const { looks, recent } = counting();
  const [first, second] = await Promise.all([recent.everything(picture("a")), recent.everything(picture("a"))]);
  assert.equal(first, second);
  assert.equal(await recent.everything(picture("a")), first);
  assert.deepEqual(looks, [{ image: picture("a"), lookFor: "everything" }]);
});

test("other bytes are looked at by themselves", async () => {
  const { looks, recent } = counting();
  const [a, b] = [await recent.everything(picture("a")), await recent.everything(picture("b"))];
  assert.notEqual(a, b);
  assert.equal(looks.length, 2);
});

test("a look that failed is told to all who wait for it, and the next one tries again", async () => {
  let tries = 0;
  const recent = recentLooks(async () => {
    tries += 1;
    if (tries === 1) throw new Error("no luck");
    return { width: tries, height: 1, words: [], faces: [] };
  });
  const together = await Promise.allSettled([recent.everything(picture("a")), recent.everything(picture("a"))]);
  assert.deepEqual(
    together.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  assert.equal((await recent.everything(picture("a"))).width, 2);
});

test("the oldest look is forgotten when there are too many", async () => {
  const { looks, recent } = counting();
  for (let i = 0; i < REMEMBERED; i += 1) await recent.everything(picture(`${i}`));
  await recent.everything(picture("0"));
  assert.equal(looks.length, REMEMBERED);
  await recent.everything(picture("one too many"));
  await recent.everything(picture("1"));
  assert.equal(looks.length, REMEMBERED + 1);
  await recent.everything(picture("0"));
  assert.equal(looks.length, REMEMBERED + 2);
});
