/** Amounts as people write them. */

const MIB = 1024 * 1024;

/** "1 event", "1,200 events". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

export function mebibytes(sizeBytes: number): string {
  return `${(sizeBytes / MIB).toFixed(1)} MiB`;
}
