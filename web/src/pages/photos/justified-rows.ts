/** Photos in rows of one width, each row as high as its photos make it; a photo keeps its row while others come. */

export type Shape = { width: number; height: number };
export type Cell<Photo extends Shape = Shape> = { photo: Photo; index: number; widthPixels: number };
export type Row<Photo extends Shape = Shape> = { cells: Cell<Photo>[]; heightPixels: number };

export type Space = { widthPixels: number; gapPixels: number; targetPixels: number };

/** Panoramas and upright strips would make rows of one photo, or none at all. */
const WIDEST = 2.4;
const NARROWEST = 0.5;
/** A row that is not full is no higher than this, as a share of the wished height. */
const TALLEST = 1.15;

const ratioOf = ({ width, height }: Shape) => Math.min(WIDEST, Math.max(NARROWEST, width / height || 1));

/**
 * Rows are filled from `anchor` on: downwards with what follows it, upwards with what came before. So photos that come
 * at either end change only the row that is not full yet. Without `isEnd` that row waits for the rest of its photos.
 */
export function justifiedRows<Photo extends Shape>(
  photos: readonly Photo[],
  space: Space,
  { anchor = 0, isEnd = true }: { anchor?: number; isEnd?: boolean } = {},
): Row<Photo>[] {
  const numbered = photos.map((photo, index) => ({ photo, index }));
  const above = fill(numbered.slice(0, anchor).reverse(), space);
  const below = fill(numbered.slice(anchor), space);
  // A row that waits while it is the only one would leave the page empty.
  const waits = !isEnd && below.full.length > 0;
  const openRows = new Set([above.open, below.open]);
  return [above.open, ...above.full.toReversed(), ...below.full, ...(waits ? [] : [below.open])]
    .filter((group) => group.length > 0)
    .map((group) =>
      rowOf(
        group.toSorted((a, b) => a.index - b.index),
        space,
        !openRows.has(group),
      ),
    );
}

type Numbered<Photo> = { photo: Photo; index: number };

/** A row is full when one more photo would bring it further from the wished height than it is. */
function fill<Photo extends Shape>(photos: Numbered<Photo>[], space: Space) {
  const full: Numbered<Photo>[][] = [];
  let open: Numbered<Photo>[] = [];
  for (const photo of photos) {
    const longer = [...open, photo];
    const [before, after] = [open, longer].map((group) => Math.abs(heightOf(group, space) - space.targetPixels));
    const isPast = heightOf(longer, space) <= space.targetPixels;
    if (isPast && open.length > 0 && (before ?? 0) < (after ?? 0)) {
      full.push(open);
      open = [photo];
    } else open = longer;
    if (heightOf(open, space) <= space.targetPixels) {
      full.push(open);
      open = [];
    }
  }
  return { full, open };
}

function heightOf(group: Numbered<Shape>[], { widthPixels, gapPixels }: Space): number {
  const ratios = group.reduce((sum, { photo }) => sum + ratioOf(photo), 0);
  return (widthPixels - gapPixels * (group.length - 1)) / ratios;
}

/** Whole pixels, and the last photo takes what is left of them: no hair lines between photos. */
function rowOf<Photo extends Shape>(group: Numbered<Photo>[], space: Space, isFull: boolean): Row<Photo> {
  const fitting = heightOf(group, space);
  const stretches = fitting <= space.targetPixels * TALLEST || isFull;
  const heightPixels = Math.round(stretches ? fitting : space.targetPixels);
  let left = space.widthPixels;
  const cells = group.map(({ photo, index }, place) => {
    const wished = Math.round(ratioOf(photo) * heightPixels);
    const widthPixels = stretches && place === group.length - 1 ? left : Math.min(left, wished);
    left -= widthPixels + space.gapPixels;
    return { photo, index, widthPixels };
  });
  return { cells, heightPixels };
}
