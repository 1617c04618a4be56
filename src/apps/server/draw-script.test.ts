/** The draw page as it is served, and what comes with it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { drawPageRoutes } from "./routes.ts";

const routes = drawPageRoutes();

test("its policy lets its own scripts run and ask this server, and nothing else", async () => {
  const answer = await routes.request("/draw?event=any");
  assert.equal(answer.status, 200);
  const policy = answer.headers.get("content-security-policy") ?? "";
  assert.match(policy, /^default-src 'none';/);
  assert.match(policy, /script-src 'self'; connect-src 'self';/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|\*/);
});

test("no script and no style stands in the page itself", async () => {
  const page = await (await routes.request("/draw")).text();
  assert.match(page, /<title>SnapRace · Check a draw<\/title>/);
  assert.match(page, /<noscript><p class="panel">Your browser does not run scripts here/);
  for (const [, attributes, inside] of page.matchAll(/<script([^>]*)>([^<]*)</g)) {
    assert.match(attributes ?? "", /src="/);
    assert.equal(inside, "");
  }
  assert.doesNotMatch(page, /<style|\sstyle="|\son\w+="|javascript:/);
});

test("what the page and its scripts ask for is there, with the right type", async () => {
  const page = await (await routes.request("/draw")).text();
  const script = await (await routes.request("/draw.js")).text();
  const own = [...page.matchAll(/(?:src|href)="(\/(?:draw|verify)[^"]+)"/g), ...script.matchAll(/"(\/[\w-]+\.m?js)"/g)];
  const paths = new Set(own.map(([, path]) => path ?? ""));
  assert.deepEqual(
    [...paths].toSorted(),
    ["/draw-sha256.js", "/draw-show.js", "/draw.css", "/draw.js", "/verify-draw.mjs"].toSorted(),
  );
  for (const path of paths) {
    const answer = await routes.request(path);
    assert.equal(answer.status, 200);
    const type = path.endsWith(".css") ? "text/css" : "text/javascript";
    assert.equal(answer.headers.get("content-type"), `${type}; charset=utf-8`);
  }
});

test("the script that people take along is the one that the command line runs", async () => {
  const served = await (await routes.request("/verify-draw.mjs")).text();
  const file = new URL("../../../entry/draw/verify-draw.mjs", import.meta.url);
  assert.equal(served, readFileSync(file, "utf8"));
});
