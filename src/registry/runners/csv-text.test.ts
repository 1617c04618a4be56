/** Bytes that are text, bytes that are not, and bytes that come cut. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Problem } from "../../platform/problem.ts";
import { readCsvText } from "./csv-text.ts";

const MIB = 2 ** 20;

async function* inPieces(bytes: Buffer, pieceBytes: number) {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

async function textOf(bytes: Buffer, pieceBytes = bytes.length + 1): Promise<string> {
  let text = "";
  for await (const piece of readCsvText(inPieces(bytes, pieceBytes), MIB)) text += piece.toString();
  return text;
}

function refused(bytes: Buffer, code: string, words: RegExp, pieceBytes?: number) {
  return assert.rejects(textOf(bytes, pieceBytes), (error) => {
    assert.ok(error instanceof Problem);
    assert.equal(error.code, code);
    assert.match(error.message, words);
    return true;
  });
}

test("text comes through whole, however its bytes are cut", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 }).filter((value) => !value.includes("\0"));
  await fc.assert(
    fc.asyncProperty(text, fc.integer({ min: 1, max: 9 }), async (value, pieceBytes) => {
      assert.equal(await textOf(Buffer.from(value), pieceBytes), value.toWellFormed());
    }),
  );
});

test("a large chunk is cut into pieces between its characters", async () => {
  const text = `a${"각".repeat(100_000)}`;
  assert.equal(await textOf(Buffer.from(text)), text);
});

test("Korean in the old Windows encoding is refused with its line", async () => {
  const name = Buffer.from([0xc0, 0xcc, 0xb8, 0xa7]);
  for (const lineEnd of ["\n", "\r\n", "\r"]) {
    const before = Buffer.from(["bib,name", "1,a", "2,"].join(lineEnd));
    const bytes = Buffer.concat([before, name, Buffer.from(`${lineEnd}3,b`)]);
    for (const pieceBytes of [1, 2, 3, 100]) {
      await refused(bytes, "csv.encoding", /^Line 3 .*CSV UTF-8/, pieceBytes);
    }
  }
});

test("an accent in Latin-1 is refused, at the end of the file too", async () => {
  await refused(Buffer.from("bib,name\n1,Jos\xe9\n", "latin1"), "csv.encoding", /^Line 2 /);
  await refused(Buffer.from("bib,name\n1,Jos\xe9", "latin1"), "csv.encoding", /^Line 2 /);
  await refused(Buffer.from([0xe9]), "csv.encoding", /^Line 1 /);
});

test("UTF-16 is refused, with its mark and without", async () => {
  await refused(Buffer.from("\ufeffbib,name\n1,a", "utf16le"), "csv.encoding", /^Line 1 /);
  await refused(Buffer.from("bib,name\n1,a", "utf16le"), "csv.encoding", /^Line 1 /);
  await refused(Buffer.from("bib,name\n1,a", "utf16le").swap16(), "csv.encoding", /^Line 1 /);
});

test("a spreadsheet is called one", async () => {
  for (const pieceBytes of [1, 100]) {
    await refused(Buffer.from("PK\x03\x04\x14\0\x06\0"), "csv.not-csv", /spreadsheet/, pieceBytes);
    await refused(Buffer.from("d0cf11e0a1b11ae1", "hex"), "csv.not-csv", /spreadsheet/, pieceBytes);
  }
  assert.equal(await textOf(Buffer.from("PK,name\n1,a")), "PK,name\n1,a");
});

test("a file above the limit is refused as soon as it is, and its source is closed", async () => {
  assert.equal((await textOf(Buffer.alloc(MIB, "a"))).length, MIB);
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(1000, "a");
    } finally {
      isClosed = true;
    }
  }
  const read = async () => {
    for await (const _ of readCsvText(endless(), MIB));
  };
  await assert.rejects(read, { kind: "too-large", code: "csv.too-large", message: /1 MiB/ });
  assert.equal(isClosed, true);
});
