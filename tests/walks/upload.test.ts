/** A photographer uploads from the command line, through everything that happens to a connection on race day. */

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { readAddress } from "../../src/apps/server/address.ts";
import { type CommandLine, commandLine } from "../harness/cli.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { type Fate, openUploadProxy, type UploadProxy } from "../harness/upload-proxy.ts";

const main = fileURLToPath(new URL("../../src/apps/cli/main.ts", import.meta.url));
const EVENT = "han-10k";
const RACE = ["--org", "han", "--date", "2099-04-18", "--time-zone", "Asia/Seoul"];
const SMALL_BYTES = 300_000;
const LARGE_BYTES = 25_000_000;
const PATIENCE_MS = 60_000;

describe("snaprace upload", { concurrency: false }, () => {
  let folder: string;
  let dataFolder: string;
  let cli: CommandLine;
  let proxy: UploadProxy;
  let server: RunningServer;
  let settings: { dataFolder: string } & Record<string, string>;
  let env: Record<string, string>;
  let photos: string;
  let rounds = 0;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "snaprace-upload-"));
    dataFolder = join(folder, "data");
    cli = commandLine(dataFolder);
    await cli.json("org", "create", "Han River Runners", "--id", "han");
    await cli.json("event", "create", "Han 10K", ...RACE, "--id", EVENT, "--draft");
    await cli.json("photographer", "create", "Kim Minji", "--org", "han", "--id", "minji");
    await cli.json("photographer", "assign", "minji", "--event", EVENT);
    const { token } = await cli.json("token", "--role", "photographer", "--photographer", "minji");
    proxy = await openUploadProxy();
    // The bytes are no pictures: nobody is to look at them.
    settings = { dataFolder, SNAPRACE_PUBLIC_URL: proxy.url, SNAPRACE_WORKERS: "off", LOG_LEVEL: "silent" };
    server = await startServer(settings);
    const port = new URL(readAddress(dataFolder)?.url ?? "").port;
    settings = { ...settings, PORT: port };
    proxy.leadTo(`http://127.0.0.1:${port}`);
    env = { SNAPRACE_URL: proxy.url, SNAPRACE_TOKEN: token, XDG_STATE_HOME: join(folder, "state") };
  });
  beforeEach(async () => {
    rounds += 1;
    photos = join(folder, `photos-${rounds}`);
    await mkdir(photos);
  });
  afterEach(() => {
    proxy.onRequest(() => "pass");
    proxy.taken.splice(0);
  });
  after(async () => {
    await server?.stop("SIGKILL");
    proxy?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const files = async (count: number, sizeBytes = SMALL_BYTES) => {
    for (let n = 1; n <= count; n += 1) await writeFile(join(photos, `IMG_${n}.jpg`), randomBytes(sizeBytes));
  };
  const args = (...more: string[]) => ["upload", photos, "--event", EVENT, ...more];
  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
  const upload = async (exitCode: number, ...more: string[]): Promise<any> => {
    const ended = await cli.run([...args(...more), "--json"], { env });
    assert.equal(ended.exitCode, exitCode, ended.stderr);
    return JSON.parse(ended.stdout);
  };
  /** Not by its launcher, which a SIGKILL would end alone. */
  const start = () => spawn(process.execPath, [main, ...args()], { env: { ...env, PATH: process.env.PATH } });
  /** Holds bytes once so many were taken; gives what lets go of them. */
  const holdAfter = (count: number) => {
    const held = Promise.withResolvers<Fate>();
    let passed = 0;
    proxy.onRequest(({ isBytes }) => {
      if (!isBytes) return "pass";
      passed += 1;
      return passed <= count ? "pass" : held.promise;
    });
    return held;
  };
  const untilTaken = async (count: number) => {
    const deadline = Date.now() + PATIENCE_MS;
    while (proxy.taken.length < count) {
      assert.ok(Date.now() < deadline, `${proxy.taken.length} of ${count} were taken`);
      await sleep(20);
    }
  };
  const assertOnce = (count: number) => {
    assert.equal(proxy.taken.length, count, proxy.taken.join("\n"));
    assert.equal(new Set(proxy.taken).size, count);
  };

  test("sends photos of folders in folders, each once, and says what it left out", async () => {
    await files(10);
    await mkdir(join(photos, "finish", "late"), { recursive: true });
    await writeFile(join(photos, "finish", "late", "결승선.png"), randomBytes(1000));
    const twin = randomBytes(2000);
    await writeFile(join(photos, "twin 1.jpg"), twin);
    await writeFile(join(photos, "finish", "twin 2.jpg"), twin);
    await writeFile(join(photos, ".hidden.jpg"), twin);
    await writeFile(join(photos, "IMG_1.cr2"), twin);
    await writeFile(join(photos, "IMG_2.mov"), twin);
    await writeFile(join(photos, "empty.jpg"), "");
    await writeFile(join(photos, "phone.heic"), twin.subarray(1));
    await symlink(photos, join(photos, "round.jpg"));
    await symlink(join(photos, "nothing"), join(photos, "broken.jpg"));
    const first = await upload(3);
    const counts = { sent: 12, known: 0, duplicate: 1, refused: 2, failed: 1, skipped: 4, left: 0 };
    assert.deepEqual(first.counts, counts);
    assertOnce(12);
    const { state, of } = first.files.find(({ file }: { file: string }) => file.endsWith("twin 1.jpg"));
    assert.deepEqual([state, of], ["duplicate", join(photos, "finish", "twin 2.jpg")]);
    const codes = first.files.flatMap(({ problem }: { problem?: { code: string } }) => problem?.code ?? []);
    assert.deepEqual(codes.sort(), ["file.not-found", "photo.empty", "photo.heic"]);

    const again = await cli.run(args(), { env });
    assert.equal(again.exitCode, 3);
    assert.match(again.stdout, /^Sent 0 photos \(0\.0 MiB\) to han-10k in \d+ s\.\n12 photos were there already\.\n/);
    assert.match(again.stdout, /\nRefused: 2 files\.\n {2}.*empty\.jpg: The file is empty\./);
    assert.match(again.stdout, /\nSkipped 3 files that are no photos \(.*\.cr2 1.*\) and 1 hidden\.$/m);
    assert.match(again.stderr, /^photos\.not-uploaded: 3 files of 16 files could not be uploaded\.\n$/);
    assertOnce(12);
  });

  test("goes on after it was killed, and sends nothing twice", async () => {
    await files(12);
    holdAfter(5);
    const child = start();
    await untilTaken(5);
    await kill(child, "SIGKILL");
    proxy.onRequest(() => "pass");
    const { counts } = await upload(0);
    assert.deepEqual([counts.sent, counts.known], [7, 5]);
    assertOnce(12);
  });

  test("goes on with the parts of a large photo that are missing", async () => {
    await files(1, LARGE_BYTES);
    holdAfter(2);
    const child = start();
    await untilTaken(2);
    await kill(child, "SIGKILL");
    proxy.onRequest(() => "pass");
    const { counts } = await upload(0);
    assert.deepEqual([counts.sent, counts.known], [1, 0]);
    assert.deepEqual(
      proxy.taken.map((path) => path.split("#")[1]),
      ["1", "2", "3"],
    );
    assert.equal((await upload(0)).counts.known, 1);
  });

  test("waits while the server is restarted, also in the middle of a large photo", async () => {
    await files(6);
    await writeFile(join(photos, "A_large.jpg"), randomBytes(LARGE_BYTES));
    const held = holdAfter(4);
    const child = start();
    const ended = watch(child);
    await untilTaken(4);
    await server.stop("SIGKILL");
    proxy.onRequest(() => "pass");
    held.resolve("cut");
    while (!ended.printed.stderr.includes("It is tried again")) await sleep(20);
    server = await startServer(settings);
    const { exitCode, stdout, stderr } = await ended.ending;
    assert.equal(exitCode, 0, stderr);
    assert.match(stdout, /^Sent 7 photos /);
    assertOnce(9);
  });

  test("tries again when connections break, servers are busy and URLs have expired", async () => {
    await files(8);
    await writeFile(join(photos, "large.jpg"), randomBytes(LARGE_BYTES));
    const fates = new Map<string, Fate[]>();
    const bad: Fate[] = ["cut", { status: 503 }, { status: 403 }, { status: 429, headers: { "retry-after": "0" } }];
    let next = 0;
    proxy.onRequest(({ path, method }) => {
      const once = fates.get(path) ?? [bad[next++ % bad.length] as Fate];
      fates.set(path, once);
      if (method !== "PUT" && next % 2 === 0) return "pass";
      const fate = once.pop() ?? "pass";
      // The API's own refusals are the API's.
      return method !== "PUT" && typeof fate === "object" && fate.status === 403 ? "pass" : fate;
    });
    const { counts } = await upload(0);
    assert.deepEqual([counts.sent, counts.failed], [9, 0]);
    assertOnce(11);
  });

  test("counts as sent what arrived though the answer was lost", async () => {
    await files(1);
    let answers = 0;
    proxy.onRequest(async ({ isBytes }) => {
      if (!isBytes || answers++ > 0) return "pass";
      // The object is put by somebody else's run meanwhile, and this connection breaks.
      const other = await cli.run([...args(), "--json"], { env });
      assert.equal(other.exitCode, 0, other.stderr);
      return "cut";
    });
    const { counts } = await upload(0);
    assert.deepEqual([counts.sent, counts.known], [1, 0]);
    assertOnce(1);
  });

  test("stops at Ctrl-C, and says how to go on", async () => {
    await files(9);
    holdAfter(3);
    const child = start();
    const ended = watch(child);
    await untilTaken(3);
    child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await ended.ending;
    assert.deepEqual([exitCode, stdout], [130, ""]);
    assert.match(stderr, /Stopped after \d photos?\. Run the same command again: it goes on where it stopped\.\n$/);
    proxy.onRequest(() => "pass");
    const { counts } = await upload(0);
    assert.equal(counts.sent + counts.known, 9);
    assertOnce(9);
  });

  test("is told at once what is wrong with the event, the photographer, the token and the path", async () => {
    await files(2);
    const run = async (more: string[], other: Record<string, string> = {}) => {
      const { exitCode, stdout, stderr } = await cli.run(["upload", ...more], { env: { ...env, ...other } });
      assert.equal(stdout, "");
      return [exitCode, stderr.split(":")[0]];
    };
    const { token: operator } = await cli.json("token", "--role", "operator", "--user", "op");
    const asOperator = { SNAPRACE_TOKEN: operator };
    assert.deepEqual(await run([photos, "--event", "nothing"]), [4, "access.forbidden"]);
    assert.deepEqual(await run([photos, "--event", "nothing"], asOperator), [3, "event.not-found"]);
    assert.deepEqual(await run([photos, "--event", EVENT], { SNAPRACE_TOKEN: "x" }), [4, "token.invalid"]);
    assert.deepEqual(await run([photos, "--event", EVENT, "--photographer", "tom"]), [4, "upload.other-photographer"]);
    const notAssigned = [2, "upload.photographer-not-assigned"];
    assert.deepEqual(await run([photos, "--event", EVENT, "--photographer", "tom"], asOperator), notAssigned);
    assert.deepEqual(await run([join(photos, "nowhere"), "--event", EVENT]), [3, "file.not-found"]);
    const empty = join(photos, "empty");
    await mkdir(empty);
    assert.deepEqual(await run([empty, "--event", EVENT]), [3, "photos.none"]);
    assertOnce(0);
  });

  test("needs no server on the data folder", async () => {
    await server.stop();
    await files(2);
    await writeFile(join(photos, "large.jpg"), randomBytes(LARGE_BYTES));
    const local = await cli.run(args("--photographer", "minji"), { env: { XDG_STATE_HOME: join(folder, "state") } });
    assert.equal(local.exitCode, 0, local.stderr);
    assert.match(local.stdout, /^Sent 3 photos .*\n.*No server runs on the data folder/);
    server = await startServer(settings);
    const { counts } = await upload(0);
    assert.deepEqual([counts.sent, counts.known], [0, 3]);
    assertOnce(0);
  });
});

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const closed = once(child, "close");
  child.kill(signal);
  await closed;
}

function watch(child: ChildProcess) {
  const printed = { stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    printed.stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    printed.stderr += chunk;
  });
  const ending = once(child, "close").then(([exitCode]) => ({ exitCode, ...printed }));
  return { printed, ending };
}
