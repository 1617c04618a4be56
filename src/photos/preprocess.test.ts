/** Every kind of upload becomes an upright sRGB JPEG that tells nothing but its pixels, or a problem of its own. */

import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import sharp, { type Sharp } from "sharp";
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from "thumbhash";
import { badPictures, bombPng } from "../../tests/pictures/bad-pictures.ts";
import { MAX_PHOTO_BYTES } from "./photo-size.ts";
import { type Processed, preprocess } from "./preprocess.ts";

type Colour = [number, number, number];

const RED: Colour = [224, 48, 16];
const BLUE: Colour = [20, 60, 200];
const pictures = new Map<string, Buffer>();

before(async () => {
  for (const { name, bytes } of await badPictures()) pictures.set(name, bytes);
});

function named(name: string): Buffer {
  const bytes = pictures.get(name);
  assert.ok(bytes, `there is no ${name}`);
  return bytes;
}

function plain([r, g, b]: Colour, width = 300, height = 200): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r, g, b } } });
}

/** Red on the left, blue on the right. */
function twoColours(width: number, height: number): Sharp {
  const right = { width: Math.floor(width / 2), height, channels: 3 as const, background: { r: 20, g: 60, b: 200 } };
  return plain(RED, width, height).composite([{ input: { create: right }, gravity: "east" }]);
}

async function colourAt(image: Buffer, x: number, y: number): Promise<Colour> {
  const { data, info } = await sharp(image).raw().toBuffer({ resolveWithObject: true });
  assert.equal(info.channels, 3);
  const at = (Math.floor(y * (info.height - 1)) * info.width + Math.floor(x * (info.width - 1))) * 3;
  return [data[at], data[at + 1], data[at + 2]] as Colour;
}

async function assertColour(image: Buffer, x: number, y: number, wanted: Colour, tolerance = 6): Promise<void> {
  const seen = await colourAt(image, x, y);
  const isNear = seen.every((value, n) => Math.abs(value - (wanted[n] as number)) <= tolerance);
  assert.ok(isNear, `${seen} at ${x}, ${y} instead of ${wanted}`);
}

/** The marker of each segment before the pixels. */
function segmentsOf(jpeg: Buffer): string[] {
  const segments: string[] = [];
  for (let at = 2; jpeg[at] === 0xff && jpeg[at + 1] !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2)) {
    segments.push((jpeg[at + 1] as number).toString(16));
  }
  return segments;
}

async function assertRefused(file: Uint8Array, code: string, kind = "invalid"): Promise<void> {
  await assert.rejects(preprocess(file), { name: "Problem", code, kind });
}

describe("what comes out", () => {
  test("a large photo: 3840 on the long side, a thumbnail of 640, a hash of the same look", async () => {
    const photo = await preprocess(await twoColours(6000, 4000).jpeg().toBuffer());
    assert.deepEqual(photo.dimensions, { width: 3840, height: 2560 });
    const [jpeg, thumbnail] = [await sharp(photo.jpeg).metadata(), await sharp(photo.thumbnail).metadata()];
    assert.deepEqual([jpeg.format, jpeg.width, jpeg.height], ["jpeg", 3840, 2560]);
    assert.deepEqual([thumbnail.format, thumbnail.width, thumbnail.height], ["jpeg", 640, 427]);
    for (const image of [photo.jpeg, photo.thumbnail]) {
      await assertColour(image, 0.1, 0.5, RED);
      await assertColour(image, 0.9, 0.5, BLUE);
    }
    const hash = Buffer.from(photo.thumbhash, "base64");
    assert.ok(Math.abs(thumbHashToApproximateAspectRatio(hash) - 1.5) < 0.25);
    const { r, b } = thumbHashToAverageRGBA(hash);
    assert.ok(Math.abs(r * 255 - 122) < 20 && Math.abs(b * 255 - 108) < 20, `${r} ${b}`);
  });

  test("a portrait of which the height is the long side", async () => {
    const { dimensions } = await preprocess(await plain(RED, 3000, 5000).jpeg().toBuffer());
    assert.deepEqual(dimensions, { width: 2304, height: 3840 });
  });

  test("a small photo is not enlarged", async () => {
    const { dimensions, thumbnail } = await preprocess(await plain(RED, 40, 33).png().toBuffer());
    assert.deepEqual(dimensions, { width: 40, height: 33 });
    assert.equal((await sharp(thumbnail).metadata()).width, 40);
  });

  test("every orientation is applied, mirrored ones too", async () => {
    // Where red and blue are once a viewer has turned what is stored with red on the left.
    const red = {
      1: [0.1, 0.5],
      2: [0.9, 0.5],
      3: [0.9, 0.5],
      4: [0.1, 0.5],
      5: [0.5, 0.1],
      6: [0.5, 0.1],
      7: [0.5, 0.9],
      8: [0.5, 0.9],
    };
    for (const [orientation, [x, y]] of Object.entries(red) as [string, [number, number]][]) {
      const file = await twoColours(300, 200)
        .withMetadata({ orientation: Number(orientation) })
        .jpeg()
        .toBuffer();
      const { jpeg, dimensions } = await preprocess(file);
      const shown = Number(orientation) > 4 ? { width: 200, height: 300 } : { width: 300, height: 200 };
      assert.deepEqual(dimensions, shown, orientation);
      await assertColour(jpeg, x, y, RED);
      await assertColour(jpeg, 1 - x, 1 - y, BLUE);
    }
  });

  test("the same file gives the same bytes", async () => {
    const file = await twoColours(500, 400).png().toBuffer();
    assert.deepEqual(await preprocess(file), await preprocess(new Uint8Array(file)));
  });
});

describe("nothing of the file but its pixels gets out", () => {
  const IFD0 = { Make: "SecretMake", Model: "SecretModel", Artist: "SecretArtist" };
  const IFD2 = { DateTimeOriginal: "2026:04:05 10:03:21", LensModel: "SecretLens", BodySerialNumber: "SecretSerial" };
  const IFD3 = {
    GPSLatitudeRef: "N",
    GPSLatitude: "37/1 33/1 59/1",
    GPSLongitudeRef: "E",
    GPSLongitude: "126/1 58/1 40/1",
  };
  const xmp =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></x:xmpmeta>';

  for (const format of ["jpeg", "webp", "png", "avif"] as const) {
    test(`${format}: no EXIF, GPS, XMP or profile in the pictures; time and camera in the answer`, async () => {
      const file = await plain(RED)
        .withExif({ IFD0, IFD2, IFD3 })
        .withXmp(xmp)
        .withIccProfile("p3")
        .toFormat(format)
        .toBuffer();
      const uploaded = await sharp(file).metadata();
      assert.ok(
        uploaded.exif?.includes("SecretArtist") && uploaded.xmp && uploaded.icc,
        "the upload lacks what must go",
      );
      const photo = await preprocess(file);
      for (const image of [photo.jpeg, photo.thumbnail]) {
        // Tables and the size, nothing else: no APP1 (e1) for EXIF and XMP, no APP2 (e2) for a profile, no comment (fe).
        assert.deepEqual([...new Set(segmentsOf(image))].sort(), ["c0", "c4", "db"]);
        for (const trace of ["Secret", "Exif", "xmp", "ICC_PROFILE", "GPS"]) assert.ok(!image.includes(trace), trace);
        const { exif, icc, xmp: left, iptc, orientation } = await sharp(image).metadata();
        assert.deepEqual(
          { exif, icc, left, iptc, orientation },
          { exif: undefined, icc: undefined, left: undefined, iptc: undefined, orientation: undefined },
        );
      }
      assert.equal(photo.takenAt, "2026-04-05T10:03:21");
      assert.deepEqual(photo.camera, { make: "SecretMake", model: "SecretModel", lens: "SecretLens" });
    });
  }

  test("broken EXIF is no error, and what is not there is not in the answer", async () => {
    const file = await plain(RED).withExif({ IFD0 }).jpeg().toBuffer();
    const at = file.indexOf("Exif\0\0");
    const photo = await preprocess(
      Buffer.concat([file.subarray(0, at + 6), Buffer.alloc(40, 0xee), file.subarray(at + 46)]),
    );
    assert.deepEqual(Object.keys(photo).sort(), ["dimensions", "format", "jpeg", "thumbhash", "thumbnail"]);
  });

  test("a TIFF's own tags tell the camera", async () => {
    const tiff = await plain(RED).tiff({ compression: "none" }).toBuffer();
    const { camera, format } = await preprocess(withMake(tiff, "Leica"));
    assert.deepEqual([camera, format], [{ make: "Leica" }, "tiff"]);
  });
});

/** Its directory, copied to the end with one more tag. */
function withMake(tiff: Buffer, make: string): Buffer {
  const from = tiff.readUInt32LE(4);
  const count = tiff.readUInt16LE(from);
  const entry = Buffer.alloc(12);
  entry.writeUInt16LE(0x010f, 0);
  entry.writeUInt16LE(2, 2);
  entry.writeUInt32LE(make.length + 1, 4);
  entry.writeUInt32LE(tiff.length, 8);
  const text = Buffer.from(`${make}\0`.padEnd(8, "\0"));
  const entries = Array.from({ length: count }, (_, n) => tiff.subarray(from + 2 + n * 12, from + 14 + n * 12));
  const sorted = [...entries, entry].sort((a, b) => a.readUInt16LE(0) - b.readUInt16LE(0));
  const size = Buffer.alloc(2);
  size.writeUInt16LE(count + 1);
  const longer = Buffer.concat([tiff, text, size, ...sorted, Buffer.alloc(4)]);
  longer.writeUInt32LE(tiff.length + text.length, 4);
  return longer;
}

describe("colours", () => {
  test("every format", async () => {
    for (const format of ["jpeg", "png", "webp", "tiff", "avif", "gif"] as const) {
      const photo = await preprocess(await twoColours(300, 200).toFormat(format).toBuffer());
      assert.equal(photo.format, format);
      await assertColour(photo.jpeg, 0.1, 0.5, RED);
      await assertColour(photo.jpeg, 0.9, 0.5, BLUE);
    }
  });

  test("Display P3 in 8 and in 16 bits, and an sRGB profile", async () => {
    const files = [
      await plain(RED).withIccProfile("p3").jpeg({ quality: 95 }).toBuffer(),
      await plain(RED).withIccProfile("p3").toColourspace("rgb16").png().toBuffer(),
      await plain(RED).withIccProfile("srgb").toColourspace("rgb16").tiff().toBuffer(),
      await plain(RED).withIccProfile("srgb").jpeg({ quality: 95 }).toBuffer(),
      await plain(RED).toColourspace("rgb16").png().toBuffer(),
    ];
    for (const file of files) await assertColour((await preprocess(file)).jpeg, 0.5, 0.5, RED, 4);
    const unconverted = await preprocess(withoutProfile(files[0] as Buffer));
    await assert.rejects(assertColour(unconverted.jpeg, 0.5, 0.5, RED, 4), "the profile makes no difference");
  });

  test("CMYK with and without a profile, and grey", async () => {
    const cmyk = await plain(RED).toColourspace("cmyk").withIccProfile("cmyk").tiff().toBuffer();
    await assertColour((await preprocess(cmyk)).jpeg, 0.5, 0.5, RED, 20);
    const bare = await plain(RED).toColourspace("cmyk").jpeg({ quality: 95 }).toBuffer();
    await assertColour((await preprocess(bare)).jpeg, 0.5, 0.5, RED, 20);
    const grey = await plain([90, 90, 90]).toColourspace("b-w").jpeg().toBuffer();
    await assertColour((await preprocess(grey)).jpeg, 0.5, 0.5, [90, 90, 90]);
  });

  test("what is see-through is on white, in 16 bits too", async () => {
    const half = { r: 224, g: 48, b: 16, alpha: 0.5 };
    const glass = sharp({ create: { width: 100, height: 100, channels: 4, background: half } });
    for (const file of [
      await glass.clone().png().toBuffer(),
      await glass.clone().toColourspace("rgb16").png().toBuffer(),
    ]) {
      await assertColour((await preprocess(file)).jpeg, 0.5, 0.5, [240, 152, 136]);
    }
  });

  test("an animation is its first picture", async () => {
    const frames = [await plain(RED).png().toBuffer(), await plain(BLUE).png().toBuffer()];
    for (const format of ["gif", "webp"] as const) {
      const { jpeg, dimensions } = await preprocess(
        await sharp(frames, { join: { animated: true } })
          .toFormat(format)
          .toBuffer(),
      );
      assert.deepEqual(dimensions, { width: 300, height: 200 });
      await assertColour(jpeg, 0.5, 0.5, RED);
    }
  });

  test("unusual forms look like the plain one", async () => {
    const forms = [
      "16-bit PNG",
      "progressive JPEG",
      "palette PNG",
      "JPEG with EXIF orientation 6",
      "animated GIF",
      "greyscale JPEG",
      "CMYK JPEG",
    ];
    const wanted = await preprocess(named("progressive JPEG"));
    for (const form of forms) {
      const photo = await preprocess(named(form));
      assert.deepEqual(photo.dimensions, wanted.dimensions, form);
      assert.ok((await greyDifference(photo, wanted)) < 12, form);
    }
  });
});

/** Of 255, in the mean. */
async function greyDifference(a: Processed, b: Processed): Promise<number> {
  const [left, right] = await Promise.all([a, b].map(({ jpeg }) => sharp(jpeg).greyscale().raw().toBuffer()));
  assert.ok(left && right && left.length === right.length);
  return left.reduce((sum, value, n) => sum + Math.abs(value - (right[n] as number)), 0) / left.length;
}

function withoutProfile(jpeg: Buffer): Buffer {
  const at = jpeg.indexOf(Buffer.from("ICC_PROFILE")) - 4;
  return Buffer.concat([jpeg.subarray(0, at), jpeg.subarray(at + 2 + jpeg.readUInt16BE(at + 2))]);
}

describe("each bad file has a problem of its own", () => {
  test("empty, too large, no picture, HEIC", async () => {
    await assertRefused(named("empty"), "photo.empty");
    await assertRefused(new Uint8Array(MAX_PHOTO_BYTES + 1), "photo.too-large", "too-large");
    await assertRefused(named("not an image"), "photo.not-a-picture", "unsupported-type");
    await assertRefused(Buffer.from("%PDF-1.7\n%renamed to photo.jpg"), "photo.not-a-picture", "unsupported-type");
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="99" height="99"/>';
    await assertRefused(Buffer.from(svg), "photo.not-a-picture", "unsupported-type");
    await assertRefused(Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), "photo.heic", "unsupported-type");
  });

  test("more pixels than may be unpacked", async () => {
    await assertRefused(bombPng(50_000), "photo.too-many-pixels", "too-large");
    await assertRefused(named("30000x30000 in a few bytes"), "photo.too-many-pixels", "too-large");
  });

  test("too small, also once a strip is scaled down", async () => {
    await assertRefused(named("1x1"), "photo.too-small");
    await assertRefused(await plain(RED, 31, 500).jpeg().toBuffer(), "photo.too-small");
    await assertRefused(named("20000x50"), "photo.too-small");
    await preprocess(await plain(RED, 32, 32).jpeg().toBuffer());
  });

  test("cut anywhere, in every format", async () => {
    await assertRefused(named("only a JPEG's first bytes"), "photo.truncated");
    const noise = { type: "gaussian" as const, mean: 128, sigma: 60 };
    const grain = sharp({ create: { width: 300, height: 200, channels: 3, background: "grey", noise } });
    const files = [
      ...(await Promise.all(
        (["jpeg", "png", "webp", "tiff", "avif", "gif"] as const).map((each) =>
          grain.clone().toFormat(each).toBuffer(),
        ),
      )),
      await grain.clone().jpeg({ progressive: true }).toBuffer(),
      await grain.clone().png({ progressive: true }).toBuffer(),
    ];
    for (const file of files) {
      for (const share of [0.1, 0.5, 0.97]) {
        await assertRefused(file.subarray(0, Math.floor(file.length * share)), "photo.truncated");
      }
    }
  });

  test("a large photo that is cut is refused though only its half is unpacked", async () => {
    const file = await twoColours(12_000, 1000).jpeg().toBuffer();
    await assertRefused(file.subarray(0, Math.floor(file.length * 0.9)), "photo.truncated");
  });
});
