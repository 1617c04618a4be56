/** An organizer looks after an event's photos from the command line, beside a running server. */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type CommandLine, commandLine } from "../harness/cli.ts";
import { until } from "../harness/entry-event.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { drawBib } from "../pictures/scene.ts";

describe("snaprace photos", { concurrency: false }, () => {
  let folder: string;
  let cli: CommandLine;
  let server: RunningServer;
  let number: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "snaprace-photos-"));
    cli = commandLine(join(folder, "data"));
    server = await startServer({ dataFolder: join(folder, "data"), LOG_LEVEL: "silent" });
    await cli.json("org", "create", "Han River Runners", "--id", "han");
    const race = ["--org", "han", "--date", "2099-04-18", "--time-zone", "Asia/Seoul"];
    await cli.json("event", "create", "Han 10K", "--id", "han-10k", ...race);
    const { jpeg, truth } = await drawBib({ seed: 3, kind: "plain" });
    number = truth.bibs[0]?.number ?? "";
    await mkdir(join(folder, "card"));
    await writeFile(join(folder, "card/IMG_1.jpg"), jpeg);
    await writeFile(join(folder, "card/IMG_2.jpg"), jpeg.subarray(0, jpeg.length / 2));
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const told = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await cli.run(["photos", ...args]);
    assert.equal(exitCode, 0, stderr);
    return stdout.trimEnd();
  };
  const refused = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await cli.run(["photos", ...args]);
    assert.equal(stdout, "");
    return [exitCode, stderr.trimEnd()];
  };
  const settled = () =>
    until(async () => {
      const { uploaded, processing } = await cli.json("photos", "status", "han-10k");
      return uploaded === 2 && processing === 0;
    });

  test("shows how photos stand, and what failed and why", async () => {
    assert.equal(await told("list", "han-10k"), "han-10k has no photos yet.");
    assert.equal(await told("failed", "han-10k"), "No photo of han-10k has failed.");
    const sent = await cli.run(["upload", join(folder, "card"), "--event", "han-10k"]);
    assert.equal(sent.exitCode, 0, sent.stderr);
    await settled();
    const status = await told("status", "han-10k");
    assert.match(status, /^uploaded +2\nprocessing +0\ndone +1\nfailed +1$/m);
    assert.match(status, /^runners +no roster$/m);
    assert.match(await told("list", "han-10k", "--bib", number), new RegExp(`IMG_1\\.jpg +${number}`));
    assert.equal(await told("list", "han-10k", "--bib", "X9"), "han-10k has no photos of X9.");
    assert.match(await told("failed", "han-10k"), /IMG_2\.jpg .*photo\.truncated/);
  });

  test("runs photos again", async () => {
    const { items } = await cli.json("photos", "failed", "han-10k");
    const [{ ulid }] = items;
    assert.match(await told("reprocess", "han-10k", ulid), /^\w{26} \(IMG_2\.jpg\) is being worked on, attempt 2\.$/);
    await settled();
    const shown = await told("upload", "han-10k", ulid);
    assert.match(shown, /^attempts +2$/m);
    assert.match(shown, /ExecutionFailed +photo\.truncated/);
    assert.match(await told("reprocess", "han-10k", "--all"), /^All photos of han-10k are being run again; /);
    await until(async () => (await cli.json("photos", "status", "han-10k")).jobs.reprocess.finishedAt);
    await settled();
    assert.match(await told("status", "han-10k"), /^run again +all, ended .*: 2 of 2 photos seen$/m);
    assert.deepEqual(await refused("reprocess", "han-10k"), [
      2,
      "usage.which-photos: Give photos' ids, or --failed, or --all.",
    ]);
  });

  test("deletes a photo and forgets faces, when that is meant", async () => {
    const [{ ulid }] = (await cli.json("photos", "list", "han-10k")).items;
    const [exitCode, sentence] = await refused("delete", "han-10k", ulid);
    assert.equal(exitCode, 2);
    assert.match(String(sentence), /Add --yes if you mean it/);
    assert.equal(await told("delete", "han-10k", ulid, "--yes"), "Deleted 1 photo of han-10k.");
    assert.equal(await told("list", "han-10k"), "han-10k has no photos yet.");
    assert.match(await told("status", "han-10k"), /^deleted +1$/m);
    assert.match(await told("forget-faces", "han-10k", "--yes"), /^The faces of han-10k are being forgotten\./);
    await until(async () => (await cli.json("photos", "status", "han-10k")).faces.state === "forgotten");
    assert.equal((await refused("delete", "han-10k", "nonsense", "--yes"))[0], 2);
  });

  test("knows of dead letters", async () => {
    assert.equal(await told("dead-letters", "han-10k"), "There are no dead letters of han-10k.");
    assert.equal(await told("dead-letters", "--others"), "There are no other dead letters.");
    assert.equal(await told("redrive", "han-10k"), "Sent 0 dead letters of han-10k back.");
  });
});
