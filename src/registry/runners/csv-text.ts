/** A CSV file's bytes as UTF-8, checked and in small pieces; what is too large or something else is refused by line. */

import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Problem } from "../../platform/problem.ts";

const PIECE_BYTES = 64 * 1024;
const SIGNATURE_BYTES = 4;
/** The first bytes of .xlsx (a ZIP archive) and .xls files. */
const SPREADSHEETS = [Buffer.from("PK\x03\x04"), Buffer.from([0xd0, 0xcf, 0x11, 0xe0])];
const [LF, CR] = [0x0a, 0x0d];

/** Every piece ends with a whole character. */
export async function* readCsvText(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Buffer> {
  const check = textCheck();
  let isStart = true;
  let held: Buffer = Buffer.alloc(0);
  for await (const piece of piecesOf(bytes, maxBytes)) {
    const whole = held.length > 0 ? Buffer.concat([held, piece]) : piece;
    if (isStart && whole.length < SIGNATURE_BYTES) {
      held = whole;
      continue;
    }
    if (isStart) refuseSpreadsheet(whole);
    isStart = false;
    const end = whole.length - unfinishedBytes(whole);
    held = whole.subarray(end);
    yield check(whole.subarray(0, end));
  }
  if (held.length > 0) yield check(held);
}

async function* piecesOf(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Buffer> {
  let sizeBytes = 0;
  for await (const chunk of bytes) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    for (let start = 0; start < chunk.byteLength; start += PIECE_BYTES) {
      const lengthBytes = Math.min(PIECE_BYTES, chunk.byteLength - start);
      yield Buffer.from(chunk.buffer, chunk.byteOffset + start, lengthBytes);
      // A large file takes seconds; other requests get their turn in between.
      await nextTurn();
    }
  }
}

/** How many bytes at the end begin a character that goes on in the next piece. */
function unfinishedBytes(text: Buffer): number {
  for (let back = 1; back <= Math.min(3, text.length); back++) {
    const byte = text[text.length - back] ?? 0;
    const isContinuation = (byte & 0xc0) === 0x80;
    if (isContinuation) continue;
    const neededBytes = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return neededBytes > back ? back : 0;
  }
  return 0;
}

/** Gives the text back or throws with the line, counted over all that it has seen. */
function textCheck(): (text: Buffer) => Buffer {
  let line = 1;
  let previous: number | undefined;
  const countLines = (text: Buffer) => {
    // By position: over every byte of a file, an iterator takes ten times as long.
    for (let position = 0; position < text.length; position++) {
      const byte = text[position];
      if (byte === CR || (byte === LF && previous !== CR)) line++;
      previous = byte;
    }
  };
  return (text) => {
    if (isText(text)) {
      countLines(text);
      return text;
    }
    countLines(text.subarray(0, badLineStart(text)));
    throw wrongEncoding(line);
  };
}

// UTF-16 shows by its NUL bytes, which are valid UTF-8.
const isText = (bytes: Buffer) => isUtf8(bytes) && !bytes.includes(0);

function badLineStart(text: Buffer): number {
  let start = 0;
  for (let end = 0; end < text.length; end++) {
    if (text[end] !== LF && text[end] !== CR) continue;
    if (!isText(text.subarray(start, end))) return start;
    start = end + 1;
  }
  return start;
}

function refuseSpreadsheet(start: Buffer): void {
  if (!SPREADSHEETS.some((signature) => start.subarray(0, SIGNATURE_BYTES).equals(signature))) return;
  throw new Problem(
    "invalid",
    "csv.not-csv",
    'This is a spreadsheet file, not CSV. Open it in Excel, save it as "CSV UTF-8" and send that file.',
  );
}

function wrongEncoding(line: number): Problem {
  return new Problem(
    "invalid",
    "csv.encoding",
    `Line ${line} is not UTF-8 text. Open the file in Excel, save it as "CSV UTF-8" and send that file.`,
  );
}

function tooLarge(maxBytes: number): Problem {
  return new Problem(
    "too-large",
    "csv.too-large",
    `The file is larger than ${maxBytes / 2 ** 20} MiB. Split it and send the parts one after another.`,
  );
}
