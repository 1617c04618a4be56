/** Hands a photo's address to another program, or puts it where it can be pasted from. */

import { photoPath } from "./photo-addresses.ts";

export type Shared = "shared" | "copied" | "given-up" | "failed";

export async function sharePhoto(photo: { eventId: string; ulid: string }, title: string): Promise<Shared> {
  const url = new URL(photoPath(photo), window.location.origin).href;
  if (typeof navigator.share === "function") {
    try {
      await navigator.share({ title, url });
      return "shared";
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return "given-up";
    }
  }
  try {
    await navigator.clipboard.writeText(url);
    return "copied";
  } catch {
    return "failed";
  }
}
