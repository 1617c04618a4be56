/** Names that can be kept, and files that are taken as photos. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { originalFileName, parseRawKey, rawKey, uniqueFileName } from "./object-keys.ts";
import { photoType, safeName } from "./upload-names.ts";

describe("a safe name", () => {
  const cases: [string, string][] = [
    ["IMG_0123.jpg", "IMG_0123.jpg"],
    ["/media/card/DCIM/IMG_1.JPG", "IMG_1.JPG"],
    ["C:\\photos\\결승선 사진.jpeg", "결승선 사진.jpeg"],
    ["../../processed/a.jpg", "a.jpg"],
    ["a\u0007b\u202egpj.jpg", "abgpj.jpg"],
    ["  a b .png ", "a b .png"],
    ["\u1100\u1161.jpg", "\uac00.jpg"],
  ];
  for (const [given, kept] of cases) {
    test(`of ${JSON.stringify(given)} is ${JSON.stringify(kept)}`, () => assert.equal(safeName(given), kept));
  }

  test("is refused when nothing is left of it", () => {
    for (const name of ["", ".", "..", "a/", " \u200b ", "..\\.."]) {
      assert.throws(() => safeName(name), { code: "photo.bad-name" }, JSON.stringify(name));
    }
  });

  test("has at most 200 bytes and keeps its extension", () => {
    const name = safeName(`${"결".repeat(100)}.jpeg`);
    assert.equal(name, `${"결".repeat(65)}.jpeg`);
    assert.ok(Buffer.byteLength(safeName("x".repeat(500))) <= 200);
  });

  test("of whatever was given makes a key of the event, and is shown as it was kept", () => {
    const event = { orgId: "han", eventId: "han-10k" };
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (given) => {
        let name: string;
        try {
          name = safeName(given);
        } catch {
          return;
        }
        const key = rawKey(event, uniqueFileName("0123456789abcdef", name));
        const place = parseRawKey(key);
        assert.equal(place?.eventId, "han-10k");
        assert.equal(originalFileName(place?.fileName ?? ""), name);
        assert.equal(safeName(name), name);
      }),
    );
  });
});

describe("a photo's type", () => {
  test("is by its extension, or as it was said", () => {
    assert.equal(photoType("a.JPG"), "image/jpeg");
    assert.equal(photoType("a.tif", "application/octet-stream"), "image/tiff");
    assert.equal(photoType("a.avif", ""), "image/avif");
    assert.equal(photoType("photo", "image/webp"), "image/webp");
    assert.equal(photoType("a.jpg", "Image/PNG; charset=binary"), "image/png");
  });

  test("is refused for what is none, with a sentence of its own for HEIC", () => {
    const none = { code: "photo.not-a-picture" };
    assert.throws(() => photoType("a.pdf"), none);
    assert.throws(() => photoType("a.pdf", "image/jpeg"), none);
    assert.throws(() => photoType("a.jpg", "application/pdf"), none);
    assert.throws(() => photoType("photo"), none);
    assert.throws(() => photoType(".jpg"), none);
    assert.throws(() => photoType("a.constructor"), none);
    assert.throws(() => photoType("a.heic"), { code: "photo.heic" });
    assert.throws(() => photoType("a.HEIF", "image/jpeg"), { code: "photo.heic" });
    assert.throws(() => photoType("photo", "image/heic-sequence"), { code: "photo.heic" });
  });
});
