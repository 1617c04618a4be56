/** Reads single tags of a TIFF file or of an EXIF block, which has a TIFF's form; whatever the file claims, little is read. */

/** Cameras write less than a hundred. */
const MAX_ENTRIES = 500;
const MAX_TEXT_BYTES = 400;
const ENTRY_BYTES = 12;
const EXIF_MARK = "Exif\0\0";
const TYPES = { text: 2, short: 3, long: 4, utf8: 129 };

/** A tag that is missing, of another type or outside the file is undefined. */
export type Tags = { text(tag: number): string | undefined; number(tag: number): number | undefined };
export type TiffTags = { first: Tags; directory(offset: number | undefined): Tags };

type Entry = { type: number; count: number; valueAt: number };

export function readTiffTags(block: Uint8Array): TiffTags | undefined {
  const marked = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  const bytes = marked.toString("latin1", 0, EXIF_MARK.length) === EXIF_MARK ? marked.subarray(6) : marked;
  const order = bytes.toString("latin1", 0, 4);
  if (bytes.length < 8 || (order !== "II*\0" && order !== "MM\0*")) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = order === "II*\0";
  const directory = (offset = 0) => tagsOf(bytes, view, isLittle, offset);
  return { first: directory(view.getUint32(4, isLittle)), directory };
}

function tagsOf(bytes: Buffer, view: DataView, isLittle: boolean, offset: number): Tags {
  const entries = readEntries(view, isLittle, offset);
  return {
    text(tag) {
      const entry = entries.get(tag);
      if (entry === undefined || (entry.type !== TYPES.text && entry.type !== TYPES.utf8)) return undefined;
      const start = entry.count <= 4 ? entry.valueAt : view.getUint32(entry.valueAt, isLittle);
      const text = bytes.toString("utf8", start, start + Math.min(entry.count, MAX_TEXT_BYTES));
      return text.split("\0", 1)[0];
    },
    number(tag) {
      const entry = entries.get(tag);
      if (entry?.type === TYPES.short) return view.getUint16(entry.valueAt, isLittle);
      return entry?.type === TYPES.long ? view.getUint32(entry.valueAt, isLittle) : undefined;
    },
  };
}

function readEntries(view: DataView, isLittle: boolean, offset: number): Map<number, Entry> {
  const entries = new Map<number, Entry>();
  if (offset < 8 || offset + 2 > view.byteLength) return entries;
  const count = Math.min(view.getUint16(offset, isLittle), MAX_ENTRIES);
  for (let n = 0; n < count; n += 1) {
    const at = offset + 2 + n * ENTRY_BYTES;
    if (at + ENTRY_BYTES > view.byteLength) break;
    const entry = { type: view.getUint16(at + 2, isLittle), count: view.getUint32(at + 4, isLittle), valueAt: at + 8 };
    entries.set(view.getUint16(at, isLittle), entry);
  }
  return entries;
}
