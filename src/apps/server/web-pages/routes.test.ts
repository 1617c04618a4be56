/** How the pages are served: one document for every address, each with its own head, and files that never change. */

import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { Hono } from "hono";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { openWebFiles } from "./files.ts";
import { webPageRoutes } from "./routes.ts";

const SCRIPT = `console.log("${"race ".repeat(500)}")`;
const DOCUMENT = "<!doctype html><head><!--about--><title>x</title><!--/about--></head><div id=root></div>";
const EVENT = { name: '10K "<b>& more', date: "2099-05-02", location: "Seoul", organization: { name: "Runners" } };
const PHOTO = {
  bibs: ["1024"],
  width: 3840,
  height: 2560,
  thumbnailUrl: "http://127.0.0.1:8080/blobs/thumb?signed",
  photographer: { displayName: "Minji", handle: null },
};

async function openApp(
  scope: Parameters<typeof temporaryFolder>[0],
  { built = true, engines = "embedded", leave = async (_folder: string) => {} } = {},
) {
  const folder = await temporaryFolder(scope);
  if (built) {
    await mkdir(join(folder, "assets"));
    await writeFile(join(folder, "index.html"), DOCUMENT);
    await writeFile(join(folder, "assets/main-1.js"), SCRIPT);
    await writeFile(join(folder, "assets/font-1.woff2"), "font");
  }
  const api = new Hono()
    .get("/api/events/race", (c) => c.json(EVENT))
    .get("/api/events/race/photos/01J", (c) => c.json(PHOTO));
  const config = { publicUrl: "https://race.example", engines: engines as "embedded" };
  const app = new Hono().route("/", webPageRoutes({ config, api, files: openWebFiles(folder) }));
  await leave(folder);
  return (path: string, headers: { [name: string]: string } = {}) => app.request(path, { headers });
}

test("every address of a page is the document, and its head says what it is about", async (t) => {
  const get = await openApp(t);
  for (const path of ["/", "/me", "/sign-in?next=%2Fme", "/organizer/events/race/photos", "/requests/r-1"]) {
    const answer = await get(path);
    assert.equal(answer.status, 200, path);
    assert.match(await answer.text(), /<title>SnapRace<\/title>[\s\S]*<div id=root>/);
  }
  const event = await (await get("/events/race")).text();
  assert.match(event, /<title>10K &quot;&lt;b&gt;&amp; more<\/title>/);
  assert.match(event, /og:description" content="2099-05-02 · Seoul · Runners"/);
  assert.doesNotMatch(event, /<b>|og:image/);
});

test("a photo's head has a card with the picture, whose own address stays the same", async (t) => {
  const get = await openApp(t);
  const page = await (await get("/events/race/photos/01J")).text();
  assert.match(page, /og:image" content="https:\/\/race\.example\/events\/race\/photos\/01J\/card\.jpg"/);
  assert.match(page, /og:image:width" content="640"[\s\S]*og:image:height" content="427"/);
  assert.match(page, /<title>1024 · 10K/);
  assert.match(page, /Photo: Minji/);
  const card = await get("/events/race/photos/01J/card.jpg");
  assert.deepEqual([card.status, card.headers.get("location")], [302, PHOTO.thumbnailUrl]);
  assert.equal((await get("/events/race/photos/gone/card.jpg")).status, 404);
});

test("what is not there is a 404 that still shows a page, and to programs none", async (t) => {
  const get = await openApp(t);
  for (const path of ["/events/none", "/events/race/photos/gone"]) {
    const answer = await get(path);
    assert.equal(answer.status, 404, path);
    assert.match(await answer.text(), /id=root/);
  }
  const nowhere = await get("/nowhere", { accept: "text/html,*/*" });
  assert.deepEqual([nowhere.status, /id=root/.test(await nowhere.text())], [404, true]);
  for (const [path, accept] of [
    ["/nowhere", "application/json"],
    ["/api/nowhere", "text/html"],
    ["/blobs/nowhere", "text/html"],
    ["/assets/nowhere.js", "text/html"],
  ] as const) {
    assert.doesNotMatch(await (await get(path, { accept })).text(), /id=root/, path);
  }
});

test("files are pressed as the browser likes, and kept for ever", async (t) => {
  const get = await openApp(t);
  const presses = { br: brotliDecompressSync, gzip: gunzipSync, "br, gzip": brotliDecompressSync };
  for (const [accepted, open] of Object.entries(presses)) {
    const answer = await get("/assets/main-1.js", { "accept-encoding": accepted });
    assert.equal(answer.headers.get("content-encoding"), accepted.split(",")[0]);
    assert.match(answer.headers.get("cache-control") ?? "", /immutable/);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.ok(bytes.length < SCRIPT.length / 10);
    assert.equal(open(bytes).toString(), SCRIPT);
  }
  const plain = await get("/assets/main-1.js");
  assert.deepEqual([plain.headers.get("content-encoding"), await plain.text()], [null, SCRIPT]);
  const font = await get("/assets/font-1.woff2", { "accept-encoding": "br" });
  assert.deepEqual([font.headers.get("content-encoding"), font.headers.get("content-type")], [null, "font/woff2"]);
  for (const name of ["..%2Findex.html", "%2e%2e/index.html", "main-1.js%00"]) {
    assert.equal((await get(`/assets/${name}`)).status, 404, name);
  }
});

test("files that go away under a running server are not found, which is no defect", async (t) => {
  const get = await openApp(t, { leave: (folder) => rm(join(folder, "assets"), { recursive: true }) });
  for (const name of ["font-1.woff2", "main-1.js"]) {
    assert.equal((await get(`/assets/${name}`, { "accept-encoding": "br" })).status, 404, name);
  }
});

test("scripts and styles come from here alone", async (t) => {
  const policy = (await (await openApp(t))("/")).headers.get("content-security-policy") ?? "";
  for (const rule of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]) {
    assert.ok(policy.split("; ").includes(rule), `${rule} in ${policy}`);
  }
  assert.doesNotMatch(policy, /unsafe/);
  const onAws = (await (await openApp(t, { engines: "aws" }))("/")).headers.get("content-security-policy") ?? "";
  assert.match(onAws, /connect-src 'self' https:\/\/\*\.amazonaws\.com/);
});

test("without a build, the page says what to run", async (t) => {
  const answer = await (await openApp(t, { built: false }))("/");
  assert.equal(answer.status, 503);
  assert.match(await answer.text(), /node scripts\/build-web\.mjs/);
});
