/** `snaprace verify-draw`: with nothing but a file, from standard input, and with the proof that an event has published. */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { Hono } from "hono";
import { type CommandLine, commandLine } from "../../../tests/harness/cli.ts";
import { temporaryFolder } from "../../../tests/harness/temporary-folder.ts";
import { type SampleDraw, sampleDraw } from "../../entry/draw/sample-draw.ts";
import { drain, listen } from "../server/listen.ts";

describe("verify-draw", () => {
  let cli: CommandLine;
  let folder: string;
  let draw: SampleDraw;
  let good: string;
  const cleanups: (() => Promise<void>)[] = [];

  before(async () => {
    // Cleaned after all tests: what `before` itself registers is done as soon as `before` is.
    folder = await temporaryFolder({ after: (clean) => cleanups.push(clean) });
    cli = commandLine(join(folder, "data"));
    draw = await sampleDraw({ entrantCount: 2100, capacityTotal: 400 });
    good = join(folder, "proof.json");
    await writeFile(good, draw.proof);
  });
  after(() => Promise.all(cleanups.map((clean) => clean())));

  const requestOfRank = (rank: number) =>
    draw.entrants.find(({ ticket }) => ticket === draw.order[rank - 1])?.requestId ?? "";

  test("tells what is verified, and what to compare it with", async () => {
    const { exitCode, stdout, stderr } = await cli.run(["verify-draw", good]);
    assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.match(stdout, /^Verified: the draw is as it must be, to the last rank\.$/m);
    assert.match(stdout, /^event +han-river-10k$/m);
    assert.match(stdout, /^entrants +2,100$/m);
    assert.match(stdout, new RegExp(`^commitment +${draw.facts.commitment}$`, "m"));
    assert.match(stdout, /^beacon +none$/m);
    assert.match(stdout, /^drawn at +2027-02-01T09:00:02\.000Z$/m);
    assert.equal(existsSync(join(folder, "data")), false, "it needs no data folder");
  });

  test("tells a request's rank, to people and to scripts", async () => {
    const won = await cli.run(["verify-draw", good, "--request", requestOfRank(400)]);
    assert.match(won.stdout, /^The request has ticket \d+ and rank 400 of 2,100: it won a place\.$/m);
    const reserve = await cli.run(["verify-draw", "-", "--request", requestOfRank(1401)], { input: draw.proof });
    assert.match(reserve.stdout, /rank 1,401 of 2,100: it is number 1,001 of the reserve\.$/m);
    const requestId = requestOfRank(7);
    const json = await cli.json("verify-draw", good, "--request", requestId);
    assert.deepEqual([json.verified, json.eventId, json.entrantCount], [true, "han-river-10k", 2100]);
    assert.deepEqual(json.request, { requestId, ticket: draw.order[6], rank: 7, won: true });
    const stranger = await cli.run(["verify-draw", good, "--request", "01JD2QX5Y8V6M3T9K7R4W1ZP0N"]);
    assert.deepEqual([stranger.exitCode, stranger.stdout], [3, ""]);
    assert.match(stranger.stderr, /^draw\.request-not-found: .* is none of its 2,100 requests\.$/m);
  });

  test("tells the line that differs", async () => {
    const changed = draw.proof.replace(`\n[18,${draw.order[17]}]`, `\n[18,${draw.order[3]}]`);
    const { exitCode, stdout, stderr } = await cli.run(["verify-draw", "-", "--json"], { input: changed });
    assert.deepEqual([exitCode, stdout], [3, ""]);
    const { code, message, line } = JSON.parse(stderr);
    assert.deepEqual([code, line], ["draw.differs", 2135]);
    assert.equal(
      message,
      `order (line 2135): the draw gives rank 18 to ticket ${draw.order[17]}, and the proof says [18,${draw.order[3]}].`,
    );
    assert.equal(changed.split("\n")[2134], `[18,${draw.order[3]}],`);
  });

  test("what is no proof is wrong input", async () => {
    const text = await cli.run(["verify-draw", "-"], { input: "bib,name\n7,Kim\n" });
    assert.equal(text.exitCode, 2);
    assert.match(text.stderr, /^proof\.invalid: This is no proof of a draw\. .*JSON\.$/m);
    const other = await cli.run(["verify-draw", "-"], { input: '{"code":"draw.not-announced"}' });
    assert.match(other.stderr, /^proof\.invalid: This is no proof of a draw\. version: it is missing/);
    const missing = await cli.run(["verify-draw", join(folder, "none.json")]);
    assert.deepEqual([missing.exitCode, missing.stderr.split(":")[0]], [3, "file.not-found"]);
    for (const args of [[], [good, "--event", "han-river-10k"]]) {
      const unclear = await cli.run(["verify-draw", ...args]);
      assert.deepEqual([unclear.exitCode, unclear.stderr.split(":")[0]], [2, "usage.one-proof"]);
    }
  });

  describe("with --event", () => {
    let env: Record<string, string>;
    let close: () => Promise<void>;

    before(async () => {
      const app = new Hono();
      app.get("/api/events/:eventId/draw/proof.json", (c) => {
        if (c.req.param("eventId") !== "soon") return c.body(draw.proof);
        const problem = { code: "draw.not-announced", detail: "The results are not announced yet." };
        return c.body(JSON.stringify(problem), 409, { "content-type": "application/problem+json" });
      });
      const server = await listen(app, { host: "127.0.0.1", port: 0 });
      close = () => drain(server, 1000);
      env = { SNAPRACE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, SNAPRACE_TOKEN: "t" };
    });
    after(() => close());

    test("takes the proof from the API", async () => {
      const ended = await cli.run(["verify-draw", "--event", "han-river-10k", "--request", requestOfRank(1)], { env });
      assert.equal(ended.exitCode, 0, ended.stderr);
      assert.match(ended.stdout, /rank 1 of 2,100: it won a place\.$/m);
    });

    test("is told that it is too early", async () => {
      const ended = await cli.run(["verify-draw", "--event", "soon"], { env });
      assert.equal(ended.exitCode, 3);
      assert.equal(ended.stderr, "draw.not-announced: The results are not announced yet.\n");
    });

    test("does not take the proof of another event", async () => {
      const ended = await cli.run(["verify-draw", "--event", "lake-5k"], { env });
      assert.deepEqual([ended.exitCode, ended.stdout], [3, ""]);
      assert.match(ended.stderr, /^draw\.other-event: /);
    });
  });
});
