/** Progress of an upload: how much, how fast, how long. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createProgress } from "./progress.ts";
import { createMeter, duration } from "./upload-meter.ts";
import { mebibytes } from "./wording.ts";

const MIB = 1024 * 1024;

function open(files: number, sizeBytes: number) {
  let at = 0;
  const lines: string[] = [];
  const stream = { isTTY: true, columns: 200, write: (text: string) => void lines.push(text) };
  const now = () => at;
  const meter = createMeter(
    { files, sizeBytes },
    createProgress({ silent: false, stream, now, amount: mebibytes }),
    now,
  );
  const wait = (ms: number) => {
    at += ms;
  };
  const last = () => lines.at(-1)?.replace(/^.*\] /s, "");
  return { meter, wait, last };
}

describe("the meter", () => {
  test("tells files, bytes, speed and what is left", () => {
    const { meter, wait, last } = open(4, 400 * MIB);
    wait(200);
    meter.checked(100 * MIB);
    assert.equal(last(), "0 of 4 photos: 0.0 MiB of 400.0 MiB, checked 25%");
    meter.checked(300 * MIB);
    for (let second = 1; second <= 20; second += 1) {
      wait(1000);
      meter.sent(10 * MIB);
    }
    meter.settled(0);
    wait(200);
    meter.settled(100 * MIB);
    assert.match(last() ?? "", /^2 of 4 photos: 300\.0 MiB of 400\.0 MiB, (9\.\d|10\.\d) MiB\/s, (9|10|11) s left$/);
  });

  test("takes back what must be sent again", () => {
    const { meter, wait, last } = open(1, 10 * MIB);
    meter.checked(10 * MIB);
    wait(5000);
    meter.sent(8 * MIB);
    wait(200);
    meter.sent(-8 * MIB);
    assert.equal(last(), "0 of 1 photos: 0.0 MiB of 10.0 MiB");
    wait(200);
    meter.found(4 * MIB);
    assert.equal(last(), "0 of 1 photos: 4.0 MiB of 10.0 MiB");
  });

  test("tells time as people do", () => {
    assert.deepEqual([1, 59_000, 252_000, 11_100_000].map(duration), ["1 s", "59 s", "4 min 12 s", "3 h 5 min"]);
  });
});
