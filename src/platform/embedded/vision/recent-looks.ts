/** One look at a picture serves all who ask for it within a short while: its text and its faces are wanted at the same time. */

import type { LookFor, Seen } from "./eye.ts";
import { pictureHash } from "./picture-hash.ts";

/** Some 2 KB for each face: few enough to forget about. */
const MAX_REMEMBERED = 32;

export function recentLooks(run: (image: Uint8Array, lookFor: LookFor) => Promise<Seen>): {
  everything(image: Uint8Array): Promise<Seen>;
} {
  const looks = new Map<string, Promise<Seen>>();
  return {
    everything: (image) => {
      const id = pictureHash(image);
      const known = looks.get(id);
      if (known) return known;
      const look = run(image, "everything");
      looks.set(id, look);
      // A try that failed is no answer to the next one.
      look.catch(() => looks.delete(id));
      for (const [oldest] of looks) {
        if (looks.size <= MAX_REMEMBERED) break;
        looks.delete(oldest);
      }
      return look;
    },
  };
}
