/** The files behind what was dropped or chosen: single ones, and those in folders however deep. */

import type { FoundFile } from "./queued-file.ts";
import { isClutter } from "./refuse-file.ts";

/** What Chromium can do and the types of others do not know. */
type Reopened = FileSystemHandle & {
  queryPermission?(mode: { mode: "read" }): Promise<PermissionState>;
  requestPermission?(mode: { mode: "read" }): Promise<PermissionState>;
};
type Pickers = {
  showDirectoryPicker?: (options: object) => Promise<FileSystemDirectoryHandle>;
  showOpenFilePicker?: (options: object) => Promise<FileSystemFileHandle[]>;
};

/** `handles` can be opened again after a reload; without them, the person chooses again. */
export type Found = { files: FoundFile[]; handles: FileSystemHandle[] };

const pickers = globalThis as Pickers;
const inOrder = new Intl.Collator("en", { numeric: true });

/** `undefined` where the browser has no such dialog, or its person closed it. */
export async function pickWithHandles(what: "folder" | "files"): Promise<Found | "unsupported" | undefined> {
  const { showDirectoryPicker, showOpenFilePicker } = pickers;
  const pick =
    what === "folder"
      ? showDirectoryPicker && (async () => [await showDirectoryPicker({ id: "photos", mode: "read" })])
      : showOpenFilePicker && (() => showOpenFilePicker({ id: "photos", multiple: true }));
  if (!pick) return "unsupported";
  const handles = await pick().catch((error: unknown) => {
    if (error instanceof DOMException && error.name === "AbortError") return undefined;
    throw error;
  });
  return handles && { files: await readHandles(handles), handles };
}

export function filesOfInput({ files }: Pick<HTMLInputElement, "files">): Found {
  const found = Array.from(files ?? [], (file) => ({ path: file.webkitRelativePath || file.name, file }));
  const photos = found.filter(({ path, file }) => path === file.name || !isClutter(file.name));
  return { files: photos.sort((a, b) => inOrder.compare(a.path, b.path)), handles: [] };
}

/** What was dropped is gone after the event: all of it is taken hold of at once. */
export async function filesOfDrop({ items }: DataTransfer): Promise<Found> {
  const held = Array.from(items)
    .filter(({ kind }) => kind === "file")
    .map((item) => ({ handle: handleOf(item), entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const handles: FileSystemHandle[] = [];
  const files: FoundFile[] = [];
  for (const { handle, entry, file } of held) {
    const opened = await handle?.catch(() => undefined);
    if (opened) {
      handles.push(opened);
      files.push(...(await readHandles([opened])));
    } else if (entry) files.push(...(await readEntry(entry)));
    else if (file) files.push({ path: file.name, file });
  }
  return { files, handles };
}

function handleOf(item: DataTransferItem): Promise<FileSystemHandle | null> | undefined {
  const { getAsFileSystemHandle: hold } = item as { getAsFileSystemHandle?: () => Promise<FileSystemHandle | null> };
  return hold?.call(item);
}

export async function readHandles(handles: FileSystemHandle[], folder = ""): Promise<FoundFile[]> {
  const files: FoundFile[] = [];
  for (const handle of handles) {
    const path = `${folder}${handle.name}`;
    if (handle.kind === "directory") files.push(...(await readFolder(handle as FileSystemDirectoryHandle, path)));
    else files.push({ path, file: await (handle as FileSystemFileHandle).getFile() });
  }
  return files;
}

async function readFolder(folder: FileSystemDirectoryHandle, path: string): Promise<FoundFile[]> {
  const inside: FileSystemHandle[] = [];
  for await (const handle of folder.values()) if (!isClutter(handle.name)) inside.push(handle);
  return readHandles(inside.sort(byName), `${path}/`);
}

async function readEntry(entry: FileSystemEntry): Promise<FoundFile[]> {
  const path = entry.fullPath.replace(/^\//, "");
  if (!entry.isDirectory) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ path, file }];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const inside: FileSystemEntry[] = [];
  for (;;) {
    // It gives a hundred at a time, and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    inside.push(...some.filter(({ name }) => !isClutter(name)));
  }
  const files: FoundFile[] = [];
  for (const each of inside.sort(byName)) files.push(...(await readEntry(each)));
  return files;
}

const byName = (a: { name: string }, b: { name: string }) => inOrder.compare(a.name, b.name);

/** Whether all may be read now. Asking needs a click of the person. */
export async function mayRead(handles: FileSystemHandle[], ask: boolean): Promise<boolean> {
  for (const handle of handles as Reopened[]) {
    const mode = { mode: "read" } as const;
    const may = await (ask ? handle.requestPermission?.(mode) : handle.queryPermission?.(mode));
    if ((may ?? "granted") !== "granted") return false;
  }
  return handles.length > 0;
}
