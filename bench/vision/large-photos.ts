/** Files as large as cameras make them: race photos enlarged, or drawn scenes where there are none. */

import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { BIB_KINDS, drawScene } from "../../tests/pictures/scene.ts";
import { Random } from "../../tests/simulation/random.ts";
import { readRacePhotos } from "./race-photos.ts";
import type { Rig } from "./rig.ts";

/** A small picture and the numbers it shows. */
export type Sample = { image: Uint8Array; numbers: string[] };
export type CameraSize = { name: string; long: number; short: number };

export const CAMERA_SIZES: CameraSize[] = [
  { name: "12 MP", long: 4240, short: 2832 },
  { name: "24 MP", long: 6000, short: 4000 },
];
export const MOST_FACES = 6;
const SEED = 11;
/** Of 255: what a camera adds at a usual exposure. An enlarged photo without it is smoother than any real one. */
const NOISE = 3;
/** Long enough that nobody sees it repeat, and prime, so that it falls on other pixels in each row. */
const NOISE_LENGTH = 1_000_003;
const JPEG_QUALITY = 90;

export async function pickSamples({ settings, eye, looks }: Rig): Promise<Sample[]> {
  const samples: Sample[] = [];
  const take = async (image: Uint8Array, numbers: string[], faces?: number) => {
    const count = faces ?? (await eye.look(image, "faces")).faces.length;
    if (count <= MOST_FACES) samples.push({ image, numbers });
  };
  if (settings.bibsFolder !== undefined) {
    for (const photo of new Random(SEED).shuffled(await readRacePhotos(settings.bibsFolder))) {
      if (samples.length === settings.timedPhotos) break;
      await take(await readFile(photo.path), photo.numbers, looks.get(photo.file)?.faces.length);
    }
    return samples;
  }
  for (let seed = 1; samples.length < settings.timedPhotos; seed += 1) {
    const { jpeg, truth } = await drawScene({
      seed,
      kind: BIB_KINDS[seed % BIB_KINDS.length] as (typeof BIB_KINDS)[0],
    });
    const whole = truth.bibs.filter(({ hidden }) => !hidden);
    await take(
      jpeg,
      whole.map(({ number }) => number),
    );
  }
  return samples;
}

export async function enlarge(image: Uint8Array, { long, short }: CameraSize): Promise<Buffer> {
  const source = sharp(image).autoOrient();
  const { autoOrient: size } = await source.metadata();
  const [width, height] = size.width >= size.height ? [long, short] : [short, long];
  const { data, info } = await source
    .resize(width, height, { fit: "fill", kernel: "lanczos3" })
    .removeAlpha()
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  const noise = makeNoise();
  const pixels = new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength);
  for (let i = 0; i < pixels.length; i += 1) {
    pixels[i] = (pixels[i] as number) + (noise[i % NOISE_LENGTH] as number);
  }
  const raw = { width: info.width, height: info.height, channels: info.channels };
  return sharp(data, { raw }).jpeg({ quality: JPEG_QUALITY }).toBuffer();
}

/** Three even chances together are near enough to the bell curve. */
function makeNoise(): Float32Array {
  const random = new Random(SEED);
  const spread = () => random.fraction() + random.fraction() + random.fraction() - 1.5;
  return Float32Array.from({ length: NOISE_LENGTH }, () => spread() * 2 * NOISE);
}
