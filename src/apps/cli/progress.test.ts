/** Progress: a bar for people at a terminal, lines for logs, nothing for scripts. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createProgress, type ProgressSettings } from "./progress.ts";
import { widthOf } from "./table.ts";

function scene(settings: Partial<ProgressSettings["stream"]> & { silent?: boolean }) {
  const written: string[] = [];
  const clock = { now: 0 };
  const { silent = false, ...stream } = settings;
  const progress = createProgress({
    silent,
    stream: { ...stream, write: (text) => written.push(text) },
    now: () => clock.now,
  });
  return { progress, written, clock };
}

const CLEAR = "\r\u001b[K";

test("on a terminal it draws a bar, ten times a second at most, and takes it away", () => {
  const { progress, written, clock } = scene({ isTTY: true, columns: 80 });
  progress.show("Rows", 0, 1000);
  clock.now = 99;
  progress.show("Rows", 100, 1000);
  clock.now = 100;
  progress.show("Rows", 500, 1000);
  progress.end();
  assert.deepEqual(written, [
    `${CLEAR}[${"-".repeat(30)}] Rows: 0 of 1,000`,
    `${CLEAR}[${"#".repeat(15)}${"-".repeat(15)}] Rows: 500 of 1,000`,
    CLEAR,
  ]);
});

test("the end is drawn however soon it comes", () => {
  const { progress, written } = scene({ isTTY: true, columns: 80 });
  progress.show("Rows", 999, 1000);
  progress.show("Rows", 1000, 1000);
  assert.equal(written.at(-1), `${CLEAR}[${"#".repeat(30)}] Rows: 1,000 of 1,000`);
});

test("it never fills the last column, and does without the bar where there is no room", () => {
  for (const columns of [12, 20, 25, 40, 200]) {
    const { progress, written } = scene({ isTTY: true, columns });
    progress.show("러너 runners", 10, 20);
    assert.ok(widthOf(written[0]?.replace(CLEAR, "") ?? "") < columns, `${columns} columns: ${written[0]}`);
  }
});

test("without a total there is no bar to fill", () => {
  const { progress, written } = scene({ isTTY: true, columns: 80 });
  progress.show("Rows", 7);
  assert.deepEqual(written, [`${CLEAR}Rows: 7`]);
});

test("elsewhere it writes a line every three seconds, and none for what is quick", () => {
  const { progress, written, clock } = scene({});
  for (clock.now = 0; clock.now <= 7000; clock.now += 500) progress.show("Rows", clock.now, 7000);
  progress.end();
  assert.deepEqual(written, ["Rows: 3,000 of 7,000\n", "Rows: 6,000 of 7,000\n"]);
});

test("scripts see nothing", () => {
  const { progress, written, clock } = scene({ isTTY: true, silent: true });
  clock.now = 10_000;
  progress.show("Rows", 1, 2);
  progress.end();
  assert.deepEqual(written, []);
});
