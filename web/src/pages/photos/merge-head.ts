/** What the newest page tells of photos that are shown already: which came, which are gone, which say something else now. */

export type Listed = { ulid: string };
export type Head<Photo extends Listed> = { items: Photo[]; cursor?: string | undefined };

export type Merged<Photo extends Listed> = {
  /** New ones, newest first. */
  fresh: Photo[];
  /** Those known before, as they are now. */
  known: Photo[];
  /** More came than the page holds: between it and the known ones are others. */
  hasGap: boolean;
};

/** Both lists are newest first, which is the order of their ids from the largest on. */
export function mergeHead<Photo extends Listed>(known: readonly Photo[], head: Head<Photo> | undefined): Merged<Photo> {
  if (!head) return { fresh: [], known: [...known], hasGap: false };
  const now = new Map(head.items.map((photo) => [photo.ulid, photo]));
  const ids = new Set(known.map(({ ulid }) => ulid));
  const last = head.cursor === undefined ? "" : (head.items.at(-1)?.ulid ?? "");
  const fresh = head.items.filter(({ ulid }) => !ids.has(ulid));
  const hasGap = known.length > 0 && last !== "" && fresh.length === head.items.length;
  const kept = known.filter(({ ulid }) => ulid < last || now.has(ulid));
  return { fresh, known: kept.map((photo) => now.get(photo.ulid) ?? photo), hasGap };
}
