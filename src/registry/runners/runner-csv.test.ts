/** Files as organizers send them: what can be imported, and what they are told of the rest. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem } from "../../platform/problem.ts";
import { readRunnerCsv } from "./runner-csv.ts";

const LIMITS = { maxBytes: 2 ** 20, maxRows: 100 };

async function* inOnePiece(text: string) {
  yield Buffer.from(text);
}

const read = (text: string, limits = LIMITS) => readRunnerCsv(inOnePiece(text), limits);

function refused(text: string, code: string, ...words: RegExp[]) {
  return assert.rejects(read(text), (error) => {
    assert.ok(error instanceof Problem);
    assert.equal(error.code, code);
    for (const word of words) assert.match(error.message, word);
    return true;
  });
}

/** The one reason for which the cell under this heading is refused. */
async function reasonFor(heading: string, cell: string): Promise<string> {
  const { rows, errors } = await read(`bib,${heading}\n1,"${cell.replaceAll('"', '""')}"`);
  assert.deepEqual([rows.length, errors.length], [0, 1]);
  assert.equal(errors[0]?.column, heading);
  return errors[0]?.reason ?? "";
}

async function timingResultOf(cell: string): Promise<unknown> {
  const { rows } = await read(`bib,timing_result\n1,"${cell.replaceAll('"', '""')}"`);
  return rows[0]?.timingResult;
}

test("every column is read, and an empty cell is null", async () => {
  const file = await read(
    [
      "bib,name,finish_time,gender,age,team,timing_result,user_id",
      'a12,Kim Minsu,3:25:10,M,34,"Seoul, Runners","{""split"":[1,2]}",u_8f3kq0',
      "１３,,,,,,,",
    ].join("\r\n"),
  );
  assert.deepEqual(file, {
    columns: ["bib", "name", "finishTime", "gender", "age", "team", "timingResult", "userId"],
    rows: [
      {
        line: 2,
        bib: "A12",
        name: "Kim Minsu",
        finishTime: "03:25:10",
        gender: "M",
        age: 34,
        team: "Seoul, Runners",
        timingResult: { split: [1, 2] },
        userId: "u_8f3kq0",
      },
      {
        line: 3,
        bib: "13",
        name: null,
        finishTime: null,
        gender: null,
        age: null,
        team: null,
        timingResult: null,
        userId: null,
      },
    ],
    errors: [],
    errorCount: 0,
  });
});

test("a field without a column is not in the row", async () => {
  const { columns, rows } = await read("name,bib\nKim,1\n");
  assert.deepEqual(columns, ["name", "bib"]);
  assert.deepEqual(rows, [{ line: 2, name: "Kim", bib: "1" }]);
});

test("headings are known in English and Korean, in any case, composed or not", async () => {
  const headings = {
    bib: ["bib", "BIB_Number", "Number", "Bib number", "배번", "배번호", "참가번호", "배번".normalize("NFD")],
    name: [" Name ", "이름", "성명"],
    finishTime: ["finish_time", "Time", "기록", "완주기록"],
    gender: ["gender", "Sex", "성별"],
    age: ["AGE", "나이", "연령"],
    team: ["Team", "club", "팀", "소속"],
    timingResult: ["timing_result"],
    userId: ["user_id"],
  };
  for (const [field, names] of Object.entries(headings)) {
    for (const name of names) {
      const other = field === "bib" ? "age" : "bib";
      assert.deepEqual((await read(`${name},${other}\n1,1`)).columns, [field, other], name);
    }
  }
});

test("a header that can't be used is refused", async () => {
  await refused("bib,shoe,name,\n1,2,3,4", "csv.unknown-column", /"shoe", one without a name\./, /finish_time.*소속/);
  await refused("name,age\nKim,3", "csv.no-bib-column", /bib_number.*배번/);
  await refused("배번,name,BIB\n1,2,3", "csv.duplicate-column", /"배번" and "BIB"/);
});

test("a file without runners is refused", async () => {
  for (const text of ["", "\n\n", "bib,name", "bib,name\r\n\r\n", ",\nbib,name\n,\n"]) await refused(text, "csv.empty");
});

test("rows of nothing but delimiters and spaces are skipped", async () => {
  const { rows, errorCount } = await read("bib,name\n,\n1,a\n , \n,,,,\n2,b\n");
  assert.deepEqual(
    rows.map(({ line }) => line),
    [3, 6],
  );
  assert.equal(errorCount, 0);
});

test("a bad cell is told by line and column, with what to give instead", async () => {
  assert.equal(await reasonFor("나이", "abc"), 'Age is "abc": give a whole number from 0 to 130.');
  for (const age of ["-1", "131", "3.5", "1e2", "0x1f"]) assert.match(await reasonFor("age", age), /from 0 to 130/);
  assert.match(await reasonFor("finish_time", "25:10"), /^Finish time is "25:10": give it as HH:MM:SS/);
  assert.match(await reasonFor("gender", "x".repeat(21)), /at most 20 characters/);
  assert.match(await reasonFor("name", "x".repeat(9000)), /^Name is "x{40}…": give at most 200 characters\.$/);
  assert.match(await reasonFor("team", "a\nb"), /^Team is "a b": write it in one line/);
  assert.match(await reasonFor("timing_result", "x".repeat(4001)), /at most 4000 characters/);
  assert.match(await reasonFor("user_id", "a b"), /^User id is "a b": a user's id has/);
});

test("a bad bib is told", async () => {
  const { rows, errors } = await read('bib,name\n,a\n"A B",b\n1234567890123,c\n');
  assert.deepEqual(rows, []);
  assert.deepEqual(errors, [
    { line: 2, column: "bib", code: "row.bib-missing", reason: "The bib is missing." },
    {
      line: 3,
      column: "bib",
      code: "row.value",
      field: "bib",
      reason: 'Bib is "A B": a bib has 1 to 12 letters, digits or "-", such as 1024 or A37.',
    },
    {
      line: 4,
      column: "bib",
      code: "row.value",
      field: "bib",
      reason: 'Bib is "1234567890123": a bib has 1 to 12 letters, digits or "-", such as 1024 or A37.',
    },
  ]);
});

test("a bib twice is told with the first line, as the same bib looks after all", async () => {
  const again = { code: "row.bib-repeated" };
  const { rows, errors } = await read("bib,age\n１２,30\na7,x\n12,31\nA7,32\n");
  assert.deepEqual(rows, [{ line: 2, bib: "12", age: 30 }]);
  assert.deepEqual(errors.slice(1), [
    { line: 4, column: "bib", ...again, bib: "12", firstLine: 2, reason: "Bib 12 is also on line 2." },
    { line: 5, column: "bib", ...again, bib: "A7", firstLine: 3, reason: "Bib A7 is also on line 3." },
  ]);
});

test("all that is wrong with a row is told", async () => {
  const { errors } = await read("bib,age,finish_time\n?,x,y");
  assert.deepEqual(
    errors.map(({ column }) => column),
    ["bib", "age", "finish_time"],
  );
});

test("a row with too few or too many cells is told, and the next is read", async () => {
  const { rows, errors } = await read("bib,name\n1\n2,a,b\n3,c");
  assert.deepEqual(rows, [{ line: 4, bib: "3", name: "c" }]);
  assert.deepEqual(errors, [
    { line: 2, code: "row.cells", cells: 1, columns: 2, reason: "The row has 1 cells, the header has 2." },
    { line: 3, code: "row.cells", cells: 3, columns: 2, reason: "The row has 3 cells, the header has 2." },
  ]);
});

test("rows that a quote swallowed are told by their lines, even where a cell may have lines", async () => {
  const { rows, errors } = await read('bib,timing_result\n1,"a\n2,b\n3,"c"\n4,d\n5,"e\n6,"f",g\n7,h');
  assert.deepEqual(
    rows.map(({ bib }) => bib),
    ["4", "7"],
  );
  assert.deepEqual(
    errors.map((error) => error.code === "row.quote-open" && error.lastLine),
    [4, 7],
  );
  assert.match(errors[0]?.reason ?? "", /^Lines 2 to 4 are read as one row: look for a quote/);
  assert.match(errors[1]?.reason ?? "", /^The row has 3 cells, the header has 2\. Lines 6 to 7 are read as one row/);
});

test("a timing result is JSON, or text when it is not", async () => {
  assert.deepEqual(await timingResultOf('{"a":[1,true,null]}'), { a: [1, true, null] });
  assert.deepEqual(await timingResultOf('[\n1,\n"2"]'), [1, "2"]);
  assert.equal(await timingResultOf("12.50"), 12.5);
  assert.equal(await timingResultOf('"12"'), "12");
  assert.equal(await timingResultOf(" DNF {"), "DNF {");
  assert.equal(await timingResultOf("007"), "007");
});

test("a number with too many digits stays the text it is", async () => {
  assert.equal(await timingResultOf("12345678901234567890"), "12345678901234567890");
  assert.equal(await timingResultOf("1e400"), "1e400");
  assert.equal(await timingResultOf("1e+21"), 1e21);
});

test("the quote that guards a formula is taken off again, once", async () => {
  const { rows } = await read("bib,name\n1,'=SUM(A1)\n2,''=x\n3,'quoted'\n4,'\n5,'＠home\n");
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["=SUM(A1)", "'=x", "'quoted'", "'", "＠home"],
  );
});

test("errors are listed up to 1,000 and counted on", async () => {
  const { errors, errorCount } = await read(`bib\n${"?\n".repeat(1500)}`, { ...LIMITS, maxRows: 1500 });
  assert.deepEqual([errors.length, errorCount, errors[999]?.line], [1000, 1500, 1001]);
});

test("rows above the limit are refused, bad ones counted", async () => {
  assert.equal((await read(`bib\n${"?\n".repeat(100)}`)).errorCount, 100);
  await assert.rejects(read(`bib\n${"?\n".repeat(101)}`), { kind: "too-large", code: "csv.too-many-rows" });
});

test("without limits given, 200,000 rows and 64 MiB are", async () => {
  async function* rows(count: number) {
    yield "bib\n";
    for (let bib = 0; bib < count; bib++) yield `${bib}\n`;
  }
  async function* bytes(texts: AsyncIterable<string>) {
    let text = "";
    for await (const next of texts) {
      text += next;
      if (text.length < 60_000) continue;
      yield Buffer.from(text);
      text = "";
    }
    yield Buffer.from(text);
  }
  await assert.rejects(readRunnerCsv(bytes(rows(200_001))), { code: "csv.too-many-rows", message: /than 200000 rows/ });
  const large = async function* () {
    yield Buffer.alloc(64 * 2 ** 20 + 1);
  };
  await assert.rejects(readRunnerCsv(large()), { code: "csv.too-large", message: /64 MiB/ });
});
