/** Files of pairs, with whatever stands between the paths. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePairs } from "./compare-pairs.ts";

test("spaces, tabs and commas separate; comments and empty lines are skipped", () => {
  const content =
    "# selfies\r\na.jpg b.jpg\r\n\r\n  c.jpg   d.jpg  \nmy face.jpg\tmy finish.jpg\n  # more\n/x/e f.jpg, g.jpg\n";
  assert.deepEqual(parsePairs(content, "pairs.txt"), [
    { a: "a.jpg", b: "b.jpg" },
    { a: "c.jpg", b: "d.jpg" },
    { a: "my face.jpg", b: "my finish.jpg" },
    { a: "/x/e f.jpg", b: "g.jpg" },
  ]);
});

test("lines without two paths are told, all at once", () => {
  assert.throws(
    () => parsePairs("a.jpg b.jpg\nc.jpg\n\nd.jpg e.jpg f.jpg\ng.jpg,\n", "pairs.txt"),
    (error) => {
      const { code, message, details } = error as {
        code: string;
        message: string;
        details: { errors: { line: number }[] };
      };
      assert.deepEqual([code, details.errors.map(({ line }) => line)], ["pairs.bad-rows", [2, 4, 5]]);
      assert.match(message, /^pairs\.txt has 3 lines /);
      return true;
    },
  );
  assert.throws(() => parsePairs("# nothing\n\n", "pairs.txt"), { code: "pairs.empty" });
});
