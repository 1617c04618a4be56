/** Records and their lines, for all the ways in which CSV is written. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CsvRecord, readCsvRecords } from "./csv-records.ts";

async function recordsOf(text: string, pieceCharacters = 7): Promise<CsvRecord[]> {
  async function* pieces() {
    for (let start = 0; start < text.length; start += pieceCharacters) {
      yield Buffer.from(text.slice(start, start + pieceCharacters));
    }
  }
  const records: CsvRecord[] = [];
  await readCsvRecords(pieces(), (record) => records.push(record));
  return records;
}

const cellsOf = async (text: string) => (await recordsOf(text)).map(({ cells }) => cells);

test("the header's delimiter holds for the file", async () => {
  const cells = [
    ["bib", "name"],
    ["1", "a"],
  ];
  for (const delimiter of [",", ";", "\t"]) {
    assert.deepEqual(await cellsOf(`bib${delimiter}name\n1${delimiter}a\n`), cells, JSON.stringify(delimiter));
  }
  assert.deepEqual(await cellsOf("bib;name;team\n1;Kim, A, B, C;x"), [
    ["bib", "name", "team"],
    ["1", "Kim, A, B, C", "x"],
  ]);
  assert.deepEqual(await cellsOf('\n"bib, or number,";name\n1;a'), [["bib, or number,", "name"], cells[1]]);
  assert.deepEqual(await cellsOf('"bib,\nno,";name\n1;a'), [["bib,\nno,", "name"], cells[1]]);
  assert.deepEqual(await cellsOf("bib\n1"), [["bib"], ["1"]]);
});

test("a byte order mark, spaces before quotes and quotes inside a cell are no trouble", async () => {
  assert.deepEqual(await cellsOf('\ufeff"bib",name\n1, "Kim, A"\n2,5\'11" tall\n3,"say ""hi"""\n'), [
    ["bib", "name"],
    ["1", "Kim, A"],
    ["2", "5'11\" tall"],
    ["3", 'say "hi"'],
  ]);
});

test("nothing has no records", async () => {
  for (const text of ["", "\n", "\r\n \r\n", "\ufeff"]) assert.deepEqual(await recordsOf(text), []);
});

test("a record's line is where it starts, whatever line ends and blank lines come before", async () => {
  const lineEnd = fc.constantFrom("\n", "\r\n", "\r");
  const cell = fc.array(fc.oneof(fc.constantFrom("a", "각", ",", '"', " "), lineEnd), { minLength: 1, maxLength: 6 });
  const quoted = cell.map((parts) => `"x${parts.join("").replaceAll('"', '""')}"`);
  const record = fc.array(fc.oneof(fc.constant("y"), quoted), { minLength: 2, maxLength: 3 });
  const part = fc.tuple(fc.oneof(record, fc.constant([])), lineEnd);
  await fc.assert(
    fc.asyncProperty(fc.array(part), fc.integer({ min: 1, max: 50 }), async (parts, pieceCharacters) => {
      let text = "bib,name\r\n";
      const expected = [1];
      for (const [cells, end] of parts) {
        if (cells.length > 0) expected.push(text.split(/\r\n|\r|\n/).length);
        // A lone CR and the LF of a blank line after it would be one line end.
        text += cells.join(",") + (text.endsWith("\r") && cells.length === 0 ? "\r" : end);
      }
      const lines = (await recordsOf(text, pieceCharacters)).map(({ line }) => line);
      assert.deepEqual(lines, expected);
    }),
    { numRuns: 300 },
  );
});

test("a quote that is never closed is refused with the line of its row", async () => {
  await assert.rejects(recordsOf('bib,name\r\n1,"a\r\nb"\r\n\r\n2,"c\n3,d\n'), {
    code: "csv.unclosed-quote",
    message: /line 5 /,
  });
});

test("a row without an end is refused before it fills the memory", async () => {
  async function* endless() {
    yield Buffer.from('bib,name\n1,a\n\n2,"b\n');
    for (;;) yield Buffer.from("3,c\n".repeat(100));
  }
  await assert.rejects(
    readCsvRecords(endless(), () => {}),
    { code: "csv.row-too-long", message: /line 4 / },
  );
});

test("a header without an end is refused without waiting for one", async () => {
  let sentBytes = 0;
  async function* header() {
    for (; sentBytes < 1_000_000; sentBytes += 1000) yield Buffer.alloc(1000, "a");
  }
  await assert.rejects(
    readCsvRecords(header(), () => {}),
    { code: "csv.row-too-long", message: /line 1 / },
  );
  assert.ok(sentBytes < 100_000);
});

test("what `take` throws ends the reading and closes the source", async () => {
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.from("bib,name\n");
    } finally {
      isClosed = true;
    }
  }
  const refusal = new Error("enough");
  const take = () => {
    throw refusal;
  };
  await assert.rejects(readCsvRecords(endless(), take), (error) => error === refusal);
  assert.equal(isClosed, true);
});
