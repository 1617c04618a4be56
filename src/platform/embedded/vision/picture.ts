/** Opens a picture from its bytes: turned as a viewer shows it, in colour, at a size worth looking at. */

import sharp from "sharp";
import { checkPicture, MAX_PIXELS, STORED_SIDE_PIXELS, tooLarge, unreadable } from "../../picture-limits.ts";
import { Problem } from "../../problem.ts";
import { buildPyramid, type Pyramid } from "./raster.ts";

const MIN_SIDE_PIXELS = 32;
/** What is larger than stored photos comes down to this: enough to read the bib of a runner a third as high as the picture. */
const SCALED_SIDE = 3000;

/** Of an animation it is the first picture. */
export async function openPicture(image: Uint8Array): Promise<Pyramid> {
  try {
    const source = sharp(image, { limitInputPixels: MAX_PIXELS, failOn: "truncated" });
    const about = await source.metadata();
    checkPicture(about, MIN_SIDE_PIXELS);
    // Scaling stored photos takes longer than it saves.
    const isLarge = Math.max(about.width, about.height) > STORED_SIDE_PIXELS;
    const upright = source.autoOrient();
    const { data, info } = await (isLarge ? upright.resize(SCALED_SIDE, SCALED_SIDE, { fit: "inside" }) : upright)
      .flatten({ background: "white" })
      .toColourspace("srgb")
      .raw({ depth: "uchar" })
      .toBuffer({ resolveWithObject: true });
    if (info.channels !== 3) throw new Error(`the picture has ${info.channels} channels`);
    return await buildPyramid({ width: info.width, height: info.height, data });
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw /exceeds pixel limit/.test(String(error)) ? tooLarge(error) : unreadable(error);
  }
}
