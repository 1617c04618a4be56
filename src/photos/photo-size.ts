/** How large an uploaded file may be. Apart from what opens pictures, which is loaded only with the first of them. */

import { Problem } from "../platform/problem.ts";

export const MAX_PHOTO_BYTES = 100 * 2 ** 20;

export function empty(): Problem {
  return new Problem(
    "invalid",
    "photo.empty",
    "The file is empty. Upload it again, from the camera's card if need be.",
  );
}

export function tooLarge(): Problem {
  const message = "The file is larger than 100 MiB. Save the photo as a JPEG and upload that.";
  return new Problem("too-large", "photo.too-large", message);
}
