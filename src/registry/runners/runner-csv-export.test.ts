/** What is exported is safe in a spreadsheet, and comes back the same. */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Runner, RunnerFields } from "./runner.ts";
import { readRunnerCsv } from "./runner-csv.ts";
import { runnerCsv } from "./runner-csv-export.ts";

const nobody = { name: null, finishTime: null, gender: null, age: null, team: null, timingResult: null, userId: null };

async function* each<T>(values: T[]) {
  yield* values;
}

async function exported(runners: Runner[]): Promise<string> {
  return (await Array.fromAsync(runnerCsv(each(runners)))).join("");
}

async function readAgain(csv: string, pieceBytes: number) {
  const bytes = Buffer.from(csv);
  const count = Math.ceil(bytes.length / pieceBytes);
  const pieces = Array.from({ length: count }, (_, at) => bytes.subarray(at * pieceBytes, (at + 1) * pieceBytes));
  const { rows, errors } = await readRunnerCsv(each(pieces));
  assert.deepEqual(errors, []);
  return rows.map(({ line, ...runner }) => runner);
}

test("the file has a mark for Excel, the English names and a line for each runner", async () => {
  const timingResult = { split: [1, 2] };
  const runner = { ...nobody, bib: "A12", name: "김, 민수", finishTime: "03:25:10", age: 34, timingResult };
  assert.equal(
    await exported([runner, { ...nobody, bib: "13", timingResult: "DNF" }]),
    "\ufeffbib,name,finish_time,gender,age,team,timing_result,user_id\r\n" +
      'A12,"김, 민수",03:25:10,,34,,"{""split"":[1,2]}",\r\n' +
      "13,,,,,,DNF,\r\n",
  );
});

test("a line break that should not be there does not break the row", async () => {
  for (const name of ["a\nb", "a\rb"]) {
    assert.ok((await exported([{ ...nobody, bib: "1", name }])).endsWith(`\n1,"${name}",,,,,,\r\n`));
  }
});

test("without runners there is a header", async () => {
  assert.match(await exported([]), /^\ufeffbib,[^\n]*user_id\r\n$/);
});

test("no cell starts a formula", async () => {
  for (const start of ["=", "+", "-", "@", "＝", "＋", "－", "＠", "'="]) {
    const csv = await exported([
      { ...nobody, bib: "1", name: `${start}1+1`, team: `${start}2`, timingResult: `${start}x` },
    ]);
    assert.match(csv, new RegExp(`\n1,'[${start}]+1\\+1,,,,'[${start}]+2,'[${start}]+x,\r\n$`), start);
  }
  assert.match(await exported([{ ...nobody, bib: "1", timingResult: -5 }]), /,'-5,\r\n$/);
  for (const timingResult of ["\tx", "\rx", "\nx"]) {
    assert.match(await exported([{ ...nobody, bib: "1", timingResult }]), /,"""\\[trn]x""",\r\n$/);
  }
});

test("whatever runners are exported, the same are imported", async () => {
  const special = fc.constantFrom(
    '"',
    "'",
    "=",
    "+",
    "-",
    "@",
    ",",
    ";",
    "\t",
    "\r",
    "\n",
    "\\",
    " ",
    "\ufeff",
    "\u2028",
    "1",
  );
  const text = fc.string({ unit: fc.oneof(special, fc.string({ unit: "binary", minLength: 1, maxLength: 1 })) });
  const kept = (value: string, field: "name" | "gender" | "team") => {
    const result = RunnerFields.shape[field].safeParse(value);
    return result.success ? result.data : null;
  };
  const timingResult = fc
    .oneof(
      text,
      text.map((value) => `"${value}"`),
      fc.jsonValue(),
      fc.integer().map(String),
      fc.double().map(String),
    )
    // JSON has no -0.
    .map((value): unknown => JSON.parse(JSON.stringify(value)))
    .map((value) => (RunnerFields.shape.timingResult.safeParse(value).success ? value : null));
  const time = fc.integer({ min: 0, max: 359_999_999 }).map((ms) => {
    const [seconds, minutes] = [Math.floor(ms / 1000) % 60, Math.floor(ms / 60_000) % 60];
    const parts = [Math.floor(ms / 3_600_000), minutes, seconds].map((part) => String(part).padStart(2, "0"));
    return ms % 2 ? parts.join(":") : `${parts.join(":")}.${String(ms % 1000).padStart(3, "0")}`;
  });
  const runner: fc.Arbitrary<Runner> = fc.record(
    {
      bib: fc.stringMatching(/^[A-Z0-9가각힣][A-Z0-9가-]{0,11}$/),
      name: text.map((value) => kept(value, "name")),
      finishTime: fc.option(time),
      gender: text.map((value) => kept(value, "gender")),
      age: fc.option(fc.integer({ min: 0, max: 130 })),
      team: text.map((value) => kept(value, "team")),
      timingResult,
      userId: fc.option(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9.@+_-]{0,20}$/)),
    },
    { noNullPrototype: true },
  );
  const runners = fc.uniqueArray(runner, { selector: ({ bib }) => bib, minLength: 1, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(runners, fc.integer({ min: 1, max: 500 }), async (all, pieceBytes) => {
      assert.deepEqual(await readAgain(await exported(all), pieceBytes), all);
    }),
    { numRuns: 500 },
  );
});

test("more runners than are written at once come in order, each once", async () => {
  const all = Array.from({ length: 1200 }, (_, bib) => ({ bib: String(bib), ...nobody }));
  assert.deepEqual(await readAgain(await exported(all), 10_000), all);
});

test("runners are read only as the file is taken, and no longer than it is", async () => {
  let readCount = 0;
  let isClosed = false;
  async function* endless(): AsyncGenerator<Runner> {
    try {
      for (;;) yield { ...nobody, bib: String(++readCount) };
    } finally {
      isClosed = true;
    }
  }
  const csv = runnerCsv(endless());
  await csv.next();
  assert.equal(readCount, 0);
  const first = await csv.next();
  assert.equal(first.value?.split("\r\n").length, readCount + 1);
  await csv.return(undefined);
  assert.equal(isClosed, true);
  assert.ok(readCount <= 1000);
});
