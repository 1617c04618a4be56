/** How a model's answer becomes characters, and that the line it gets to see is the turned one in the picture. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Pyramid } from "./raster.ts";
import { type ReadLine, readLine } from "./text-reader.ts";

const LETTERS = ["", "1", "2", "7", " "];
const AREA = { x: 50, y: 30, width: 60, height: 20, angle: 0 };

type Seen = { input: Float32Array; shape: readonly number[] };

/** Black, with one white pixel. */
function pictureWith(x: number, y: number): Pyramid {
  const [width, height] = [100, 60];
  const data = new Uint8Array(width * height * 3);
  data.fill(255, (y * width + x) * 3, (y * width + x) * 3 + 3);
  return { width, height, levels: [{ width, height, data }] };
}

/** A reader whose model always gives these steps, each with the probability of every letter. */
function readerOf(steps: number[][]) {
  const seen: Seen[] = [];
  const run = async (input: Float32Array, shape: readonly number[]) => {
    seen.push({ input, shape });
    return [new Float32Array(steps.flat())];
  };
  return { seen, reader: { model: { run }, letters: LETTERS } };
}

async function read(steps: number[][]): Promise<ReadLine> {
  return await readLine(readerOf(steps).reader, pictureWith(0, 0), AREA);
}

/** Almost sure of one letter. */
const step = (letter: string, confidence = 0.875) =>
  LETTERS.map((each) => (each === letter ? confidence : each === "" ? 1 - confidence : 0));
const NOTHING = [1, 0, 0, 0, 0];

describe("the answer", () => {
  test("is one character for as long as it repeats, and again after nothing", async () => {
    assert.equal((await read([step("1"), step("1"), step("2"), step("2")])).text, "12");
    assert.equal((await read([step("1"), NOTHING, step("1"), step("1")])).text, "11");
    assert.equal((await read([step("1"), step(" "), step("7"), NOTHING])).text, "1 7");
  });

  test("of nothing is an empty line without confidence", async () => {
    assert.deepEqual(await read([NOTHING, NOTHING]), {
      text: "",
      confidence: 0,
      characters: [],
      beyond: { start: 0, end: 0 },
    });
  });

  test("tells where each character was seen", async () => {
    const { characters } = await read([NOTHING, step("1"), step("1"), step("2")]);
    assert.deepEqual(
      characters.map(({ from, to }) => [from, to]),
      [
        [0.25, 0.75],
        [0.75, 1],
      ],
    );
  });

  test("tells what was seen beyond its ends, too unsure to be read", async () => {
    const { text, beyond } = await read([NOTHING, step("7", 0.25), step("1"), step("2"), step("7", 0.375), NOTHING]);
    assert.equal(text, "12");
    assert.deepEqual(beyond, { start: 0.25, end: 0.375 });
  });

  test("takes neither a space nor the rest of a character for something beyond", async () => {
    const { beyond } = await read([
      step(" ", 0.25),
      step("1", 0.25),
      step("1"),
      step("2"),
      step("2", 0.25),
      step(" ", 0.25),
    ]);
    assert.deepEqual(beyond, { start: 0, end: 0 });
  });

  test("is as sure of a character as where it is surest, and of the line as on the mean", async () => {
    const { characters, confidence } = await read([
      step("1", 0.625),
      step("1", 0.75),
      step("1", 0.6875),
      step("2", 0.5625),
    ]);
    assert.deepEqual(
      characters.map((each) => each.confidence),
      [0.75, 0.5625],
    );
    assert.equal(confidence, (0.75 + 0.5625) / 2);
  });

  test("tells what else a character could be, best first, from where it is surest", async () => {
    const { characters } = await read([
      [0, 0.5, 0.375, 0.125, 0],
      [0, 0.625, 0.125, 0.25, 0],
    ]);
    assert.deepEqual(characters[0]?.others, [
      { text: "7", confidence: 0.25 },
      { text: "2", confidence: 0.125 },
    ]);
  });
});

describe("the line that the model gets to see", () => {
  const brightest = ({ input, shape }: Seen) => {
    const [, , , width = 0] = shape;
    const at = input.indexOf(Math.max(...input.subarray(0, input.length / 3)));
    return { x: (at % width) / width, y: Math.floor(at / width) / 48 };
  };

  test("is 48 pixels high, as wide as it is long, in steps of 16", async () => {
    const { seen, reader } = readerOf([NOTHING]);
    await readLine(reader, pictureWith(0, 0), AREA);
    await readLine(reader, pictureWith(0, 0), AREA, 0.5);
    await readLine(reader, pictureWith(0, 0), { ...AREA, width: 5 });
    await readLine(reader, pictureWith(0, 0), { ...AREA, width: 5000 });
    assert.deepEqual(
      seen.map(({ shape }) => shape),
      [
        [1, 3, 48, 144],
        [1, 3, 48, 192],
        [1, 3, 48, 48],
        [1, 3, 48, 800],
      ],
    );
    for (const { input, shape } of seen) assert.equal(input.length, 3 * 48 * (shape[3] ?? 0));
  });

  test("has black at -1 and white at 1, and what is in its middle in the middle", async () => {
    const { seen, reader } = readerOf([NOTHING]);
    await readLine(reader, pictureWith(50, 30), { ...AREA, x: 50.5, y: 30.5 });
    const [view] = seen as [Seen];
    assert.equal(Math.min(...view.input), -1);
    assert.ok(Math.max(...view.input) > 0.2);
    const { x, y } = brightest(view);
    assert.ok(Math.abs(x - 0.5) < 0.02 && Math.abs(y - 0.5) < 0.05, `${x}, ${y}`);
  });

  test("is turned with the text: what lies further along the line is further to the right", async () => {
    const angle = Math.PI / 6;
    const { seen, reader } = readerOf([NOTHING]);
    const along = { x: Math.round(50 + 20 * Math.cos(angle)), y: Math.round(30 + 20 * Math.sin(angle)) };
    await readLine(reader, pictureWith(along.x, along.y), { ...AREA, angle });
    const { x, y } = brightest(seen[0] as Seen);
    assert.ok(Math.abs(x - (0.5 + 20 / 60)) < 0.04 && Math.abs(y - 0.5) < 0.08, `${x}, ${y}`);
  });
});
