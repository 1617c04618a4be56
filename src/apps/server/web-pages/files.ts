/** The built pages' files, by the address they are asked for; what can be pressed is kept pressed after the first time. */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, gzip, constants as zlib } from "node:zlib";

const FOLDER = fileURLToPath(new URL("../../../../web/dist/", import.meta.url));
const TYPES: { [extension: string]: string } = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".woff2": "font/woff2",
};
/** Fonts are pressed already. */
const PRESSED = /\.(js|css|svg|json)$/;

export type Encoding = "br" | "gzip";
/** Nothing once the file is gone: the pages were built anew, and this server is to be started again. */
export type WebFile = { contentType: string; bytes(encoding?: Encoding): Promise<Bytes | undefined> };
type Bytes = Uint8Array<ArrayBuffer>;

export type WebFiles = {
  /** A file of `/assets/`, whose name changes with its content. */
  asset(name: string): WebFile | undefined;
  /** The one document of all pages; nothing if the pages were never built. */
  document: string | undefined;
};

export function openWebFiles(folder: string = FOLDER): WebFiles {
  const assets = join(folder, "assets");
  const names = existsSync(assets) ? readdirSync(assets) : [];
  const files = new Map(names.map((name) => [name, fileAt(join(assets, name))]));
  const document = join(folder, "index.html");
  return {
    asset: (name) => files.get(name),
    document: existsSync(document) ? readFileSync(document, "utf8") : undefined,
  };
}

function fileAt(path: string): WebFile {
  const kept = new Map<Encoding, Promise<Bytes | undefined>>();
  const read = () => readFile(path).then((bytes) => new Uint8Array(bytes), ifGone);
  return {
    contentType: TYPES[extname(path)] ?? "application/octet-stream",
    bytes: (encoding) => {
      if (!encoding || !PRESSED.test(path)) return read();
      const pressed = kept.get(encoding) ?? read().then((bytes) => bytes && PRESSES[encoding](bytes));
      kept.set(encoding, pressed);
      return pressed;
    },
  };
}

function ifGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

/** Good and quick rather than best and slow: the first visitor waits for it. */
const PRESSES: { [Each in Encoding]: (bytes: Bytes) => Promise<Bytes> } = {
  br: async (bytes) => {
    const params = { [zlib.BROTLI_PARAM_QUALITY]: 6, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    return new Uint8Array(await promisify(brotliCompress)(bytes, { params }));
  },
  gzip: async (bytes) => new Uint8Array(await promisify(gzip)(bytes, { level: 6 })),
};

export function encodingFor(accepted: string | undefined): Encoding | undefined {
  return (["br", "gzip"] as const).find((each) => accepted?.includes(each));
}

export function isPressed(name: string): boolean {
  return PRESSED.test(name);
}
