/** The command line as people and scripts use it: with no server, beside one, and to move an installation. */

import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type CommandLine, commandLine } from "../harness/cli.ts";
import { findFreePort } from "../harness/free-port.ts";
import { type RunningServer, startServer } from "../harness/server.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

const ZONE = ["--date", "2099-04-18", "--time-zone", "Asia/Seoul"];

describe("the command line", { concurrency: false }, () => {
  let folder: string;
  let dataFolder: string;
  let cli: CommandLine;

  before(async () => {
    folder = await temporaryFolder({ after });
    dataFolder = join(folder, "data");
    cli = commandLine(dataFolder);
  });

  /** The token stays in use until the server runs. */
  let early: string;

  test("gives a token before anything else is there, and nothing but the token", async () => {
    const { exitCode, stdout, stderr } = await cli.run([
      "token",
      "--role",
      "organizer",
      "--org",
      "han",
      "--user",
      "kim",
    ]);
    assert.deepEqual([exitCode, stderr], [0, ""]);
    assert.match(stdout, /^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    early = stdout.trim();
  });

  test("tells wrong usage in a sentence, in JSON if asked, with exit code 2", async () => {
    const cases = [
      { args: ["evnt"], told: /^usage\.unknown-command: .*Did you mean event\?/ },
      { args: ["org", "list", "--jsn"], told: /^usage\.unknown-option: .*Did you mean --json\?/ },
      { args: ["token", "--role", "organizer", "--user", "kim"], told: /^usage\.role-needs: .*--org/ },
      { args: ["token", "--role", "runner", "--user", "kim", "--org", "han"], told: /^usage\.role-takes: .*--org/ },
      { args: ["token", "--role", "runner", "--user", "kim", "--days", "366"], told: /365/ },
      { args: ["org", "show", ".."], told: /^usage\.invalid-argument: .*organization's id/ },
      { args: ["org"], told: /^Usage: snaprace org/ },
    ];
    await Promise.all(
      cases.map(async ({ args, told }) => {
        const { exitCode, stdout, stderr } = await cli.run(args);
        assert.deepEqual([exitCode, stdout], [2, ""], args.join(" "));
        assert.match(stderr, told);
      }),
    );
    const { exitCode, stdout, stderr } = await cli.run(["event", "show", "--json"]);
    assert.deepEqual([exitCode, stdout], [2, ""]);
    assert.equal(JSON.parse(stderr).code, "usage.missing-argument");
  });

  test("prints its help and its version", async () => {
    const [nothing, help, ofCommand, version] = await Promise.all(
      [[], ["--help"], ["runners", "import", "--help"], ["--version"]].map((args) => cli.run(args)),
    );
    assert.equal(nothing?.exitCode, 0);
    assert.equal(nothing?.stdout, help?.stdout);
    assert.match(help?.stdout ?? "", /Examples:\n {2}\$ snaprace demo/);
    assert.match(ofCommand?.stdout ?? "", /Examples:\n {2}\$ snaprace runners import runners\.csv/);
    assert.match(version?.stdout ?? "", /^\d+\.\d+\.\d+\n$/);
  });

  describe("without a server", () => {
    test("makes an organization in a new data folder", async () => {
      const made = await cli.run(["org", "create", "Han River Runners", "--id", "han", "--accent-color", "#c2410c"]);
      assert.deepEqual([made.exitCode, made.stdout], [0, "Made the organization han.\n"], made.stderr);
      assert.match(made.stderr, /^Setting up the data folder/);
    });

    test("makes an event and imports its runners", async () => {
      const event = await cli.json("event", "create", "Han 10K", "--org", "han", "--id", "han-10k", ...ZONE);
      assert.equal(event.eventId, "han-10k");
      const input = "bib,name\n1,김민지\nA2,Tom\n";
      const read = await cli.run(["runners", "import", "-", "--event", "han-10k"], { input });
      assert.deepEqual([read.exitCode, read.stderr], [0, ""]);
      assert.equal(read.stdout, "Imported 2 runners of han-10k: 2 added, 0 changed, 0 as they were.\n");
    });

    test("tells what is missing and what is wrong, with their exit codes", async () => {
      const missing = await cli.run(["org", "show", "nobody"]);
      assert.deepEqual(missing, {
        exitCode: 3,
        stdout: "",
        stderr: "organization.not-found: There is no organization nobody.\n",
      });
      const wrong = await cli.run(["org", "edit", "han", "--accent-color", "red", "--json"]);
      assert.deepEqual([wrong.exitCode, wrong.stdout], [2, ""]);
      const { code, message, errors } = JSON.parse(wrong.stderr);
      assert.equal(code, "input.invalid");
      assert.match(message, /^--accent-color: /);
      assert.equal(errors[0].field, "branding.accentColor");
    });

    test("waits for another command, which Ctrl-C ends", async () => {
      const holding = watch(cli.start(["runners", "import", "-", "--event", "han-10k"]));
      const owner = join(dataFolder, "owner");
      const before = await readFile(owner, "utf8");
      while ((await readFile(owner, "utf8")) === before) await sleep(50);
      const waiting = watch(cli.start(["org", "list"]));
      while (!waiting.printed.stderr.includes("Waiting for the data folder")) await sleep(50);
      holding.child.kill("SIGINT");
      assert.deepEqual(await holding.ending, { exitCode: 130, stdout: "", stderr: "" });
      const { exitCode, stdout } = await waiting.ending;
      assert.equal(exitCode, 0);
      assert.match(stdout, /^han +Han River Runners/m);
    });
  });

  describe("beside a server", () => {
    let server: RunningServer;
    before(async () => {
      server = await startServer({ dataFolder, LOG_LEVEL: "silent" });
    });
    after(async () => {
      // It leaves its address behind, which must lead nobody astray.
      await server?.stop("SIGKILL");
    });

    test("its tokens are the server's, whenever they were made", async () => {
      const late = (await cli.json("token", "--role", "photographer", "--photographer", "minji", "--days", "1")).token;
      const answers = await Promise.all(
        [early, late, `${early}x`].map((token) => {
          const headers = { authorization: `Bearer ${token}` };
          return fetch(`${server.url}/api/admin/organizations/han`, { headers });
        }),
      );
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 403, 401],
      );
    });

    test("works from elsewhere with the address and a token", async () => {
      const env = { SNAPRACE_DATA: join(folder, "elsewhere"), SNAPRACE_TOKEN: early, SNAPRACE_URL: server.url };
      const list = await cli.run(["org", "list", "--json"], { env });
      assert.deepEqual(
        JSON.parse(list.stdout).items.map(({ orgId }: { orgId: string }) => orgId),
        ["han"],
      );
      const refused = await cli.run(["org", "show", "other"], { env });
      assert.equal(refused.exitCode, 3);
    });

    test("takes an organization through its life", async () => {
      const made = await cli.json("org", "create", "Lake Runners", "--id", "lake", "--organizer", "a@example.com");
      assert.equal(made.orgId, "lake");
      const twice = await cli.run(["org", "create", "Lake Runners", "--id", "lake"]);
      assert.match(twice.stderr, /^organization\.exists: /);
      assert.equal(twice.exitCode, 3);
      await cli.json("org", "edit", "lake", "--accent-color", "#123456", "--website", "https://lake.example");
      await cli.json("org", "edit", "lake", "--name", "Lakers", "--website", "");
      await cli.json("org", "add-organizer", "lake", "B@example.com");
      await cli.json("org", "remove-organizer", "lake", "a@example.com");
      const { name, branding, organizers } = await cli.json("org", "show", "lake");
      assert.deepEqual([name, branding], ["Lakers", { accentColor: "#123456" }]);
      assert.deepEqual(
        organizers.map(({ email }: { email: string }) => email),
        ["b@example.com"],
      );
      const { stdout } = await cli.run(["org", "list"]);
      assert.equal(
        stdout,
        "ID    NAME               SUBDOMAIN\nhan   Han River Runners  han\nlake  Lakers             lake\n",
      );
    });

    test("takes an event through its life", async () => {
      const made = await cli.json(
        ...["event", "create", "Lake 5K", "--org", "lake", "--id", "lake-5k", ...ZONE, "--draft", "--no-faces"],
        ...["--lottery", "40", "--opens", "2098-01-01T00:00:00Z", "--cutoff", "2098-02-01T00:00:00Z"],
        ...["--announce", "2098-02-02T09:00:00+09:00", "--bib-format", "L000"],
      );
      assert.deepEqual([made.published, made.photos.faceIndexing, made.entry.eventType], [false, false, "LOTTERY"]);
      await cli.json("event", "edit", "lake-5k", "--publish", "--faces", "--location", "Seokchon Lake");
      const changed = await cli.json(
        "event",
        "edit",
        "lake-5k",
        "--first-come",
        "50",
        "--cancel-until",
        "2098-03-01T00:00:00Z",
      );
      assert.deepEqual(changed.entry, {
        eventType: "FIRST_COME",
        capacityTotal: 50,
        opensAt: "2098-01-01T00:00:00.000Z",
        cancelUntil: "2098-03-01T00:00:00.000Z",
        bibStart: 1,
        bibFormat: "L000",
      });
      assert.deepEqual([changed.published, changed.photos.faceIndexing], [true, true]);
      assert.equal((await cli.json("event", "edit", "lake-5k", "--no-entry")).entry, null);
      const shown = await cli.run(["event", "show", "lake-5k"]);
      assert.match(shown.stdout, /^location +Seokchon Lake$/m);
      assert.match(shown.stdout, /^entry +none$/m);
      const none = await cli.run(["event", "list", "--org", "nobody"]);
      assert.deepEqual([none.exitCode, none.stdout], [3, ""]);
    });

    test("imports files, tells bad rows by their lines, and gives back what it took", async () => {
      const file = join(folder, "runners.csv");
      const bad = Array.from({ length: 30 }, (_, n) => `,Nobody ${n}`).join("\n");
      await writeFile(file, `bib,name\n7,Kim\n${bad}\n`);
      const refused = await cli.run(["runners", "import", file, "--event", "lake-5k"]);
      assert.deepEqual([refused.exitCode, refused.stdout], [2, ""]);
      const lines = refused.stderr.trimEnd().split("\n");
      assert.equal(lines[0], "line 3: The bib is missing.");
      assert.equal(lines[19], "line 22: The bib is missing.");
      assert.equal(lines[20], "and 10 more");
      assert.match(lines[21] ?? "", /^runners\.bad-rows: 30 of 31 rows/);
      assert.equal(lines.length, 22);

      await writeFile(file, "bib,name,age\n7,Kim,33\n10,Lee,\n9,박서준,41\n");
      const dry = await cli.json("runners", "import", file, "--event", "lake-5k", "--dry-run");
      assert.deepEqual([dry.dryRun, dry.added], [true, 3]);
      assert.equal((await cli.json("runners", "import", file, "--event", "lake-5k")).added, 3);
      const listed = await cli.json("runners", "list", "--event", "lake-5k", "--limit", "2");
      assert.deepEqual(
        listed.items.map(({ bib }: { bib: string }) => bib),
        ["7", "9"],
      );
      const exported = await cli.run(["runners", "export", "--event", "lake-5k"]);
      assert.match(exported.stdout, /^\ufeffbib,name,.*\r\n7,Kim,,,33,.*\r\n9,박서준,,,41,.*\r\n10,Lee,/);
      await cli.json("runners", "export", "--event", "lake-5k", "--output", file);
      assert.equal(await readFile(file, "utf8"), exported.stdout);
      assert.equal((await cli.json("runners", "import", file, "--event", "lake-5k")).unchanged, 3);
      const nowhere = await cli.run(["runners", "import", join(folder, "none.csv"), "--event", "lake-5k"]);
      assert.deepEqual([nowhere.exitCode, nowhere.stderr.split(":")[0]], [3, "file.not-found"]);
    });

    test("takes a photographer through their life", async () => {
      const ofLake = ["--org", "lake"];
      await cli.json("photographer", "create", "Kim Minji", ...ofLake, "--id", "minji", "--handle", "@Minji.Runs");
      await cli.json("photographer", "assign", "minji", "--event", "lake-5k", "--role", "finish line");
      const changed = await cli.json("photographer", "edit", "minji", ...ofLake, "--handle", "", "--bio", "Fast.");
      assert.deepEqual([changed.instagramHandle, changed.bio], [null, "Fast."]);
      assert.equal((await cli.json("event", "show", "lake-5k")).photographers[0].role, "finish line");
      await cli.json("photographer", "unassign", "minji", "--event", "lake-5k");
      const again = await cli.run(["photographer", "unassign", "minji", "--event", "lake-5k"]);
      assert.equal(again.exitCode, 3);
      assert.match((await cli.run(["photographer", "show", "minji", ...ofLake])).stdout, /^bio +Fast\.$/m);
      assert.equal((await cli.json("photographer", "list", ...ofLake)).items.length, 1);
      assert.equal((await cli.run(["photographer", "remove", "minji", ...ofLake])).exitCode, 2);
      await cli.json("photographer", "remove", "minji", ...ofLake, "--yes");
      assert.equal((await cli.json("photographer", "list", ...ofLake)).items.length, 0);
    });

    test("removes only what is meant, and says before what would go", async () => {
      const event = await cli.run(["event", "remove", "lake-5k"]);
      assert.deepEqual([event.exitCode, event.stdout], [2, ""]);
      assert.match(event.stderr, /^remove\.not-confirmed: This would remove the event lake-5k \(Lake 5K, 2099-04-18\)/);
      const organization = await cli.run(["org", "remove", "lake"]);
      assert.match(organization.stderr, /the organization lake \(Lakers\) with its 1 event and its 0 photographers/);
      assert.deepEqual(await cli.json("event", "remove", "lake-5k", "--yes"), { removed: "lake-5k" });
      assert.deepEqual(await cli.json("org", "remove", "lake", "--yes"), { removed: "lake" });
      assert.equal((await cli.run(["org", "remove", "lake", "--yes"])).exitCode, 3);
    });

    test("makes the demo, brings it back as it was, and removes it", async () => {
      const first = await cli.run(["demo"]);
      assert.equal(first.exitCode, 0, first.stderr);
      assert.match(first.stdout, new RegExp(`${server.url}/organizer .*organizer@example\\.com`));
      const published = await (await fetch(`${server.url}/api/events?organization=demo`)).json();
      assert.equal((published as { items: unknown[] }).items.length, 3);
      const state = async () => ({
        runners: (await cli.json("runners", "export", "--event", "demo-photos")).items.map(withoutTimes),
        event: withoutTimes(await cli.json("event", "show", "demo-photos")),
      });
      const before = await state();
      assert.equal(before.runners.length, 300);
      assert.equal(before.event.photographers.length, 2);

      const input = "bib,name,age\n1001,Somebody Else,99\n9999,Nobody,1\n";
      await cli.run(["runners", "import", "-", "--event", "demo-photos"], { input });
      await cli.json("event", "edit", "demo-photos", "--name", "Changed", "--draft", "--no-faces");
      await cli.json("photographer", "unassign", "demo-minji", "--event", "demo-photos");
      const again = await cli.json("demo");
      assert.equal(again.serverUrl, server.url);
      assert.deepEqual(await state(), before);

      assert.deepEqual(await cli.json("demo", "--remove"), { removed: "demo" });
      assert.deepEqual(await cli.json("demo", "--remove"), { removed: null });
      assert.equal((await cli.run(["event", "show", "demo-photos"])).exitCode, 3);
    });

    test("does not mind when nobody reads on", async () => {
      const { child, ending } = watch(cli.start(["org", "list"]));
      child.stdout?.destroy();
      assert.deepEqual(await ending, { exitCode: 0, stdout: "", stderr: "" });
    });

    test("can't export or import while the server runs", async () => {
      const refused = await cli.run(["export", join(folder, "moving"), "--json"]);
      assert.equal(refused.exitCode, 3);
      assert.equal(JSON.parse(refused.stderr).code, "data.in-use");
    });
  });

  test("serves", async () => {
    const port = String(await findFreePort());
    const { child, printed, ending } = watch(cli.start(["serve", "--port", port, "--json"]));
    while (!printed.stdout.includes("}")) await sleep(50);
    const { url } = JSON.parse(printed.stdout);
    assert.equal(url, `http://127.0.0.1:${port}`);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    child.kill("SIGTERM");
    assert.equal((await ending).exitCode, 0);
  });

  test("moves everything to a new data folder", async () => {
    const moving = join(folder, "moving");
    const runners = await cli.json("runners", "list", "--event", "han-10k");
    const manifest = await cli.json("export", moving);
    assert.equal(manifest.registry.find(({ name }: { name: string }) => name === "event_runners").count, 2);
    const other = commandLine(join(folder, "new-data"));
    const moved = await other.run(["import", moving]);
    assert.equal(moved.exitCode, 0, moved.stderr);
    assert.match(moved.stdout, /^Imported \d+ rows, /);
    assert.deepEqual(await other.json("runners", "list", "--event", "han-10k"), runners);
    const nothing = await cli.run(["export", join(folder, "nothing"), "--data", join(folder, "no-data")]);
    assert.deepEqual([nothing.exitCode, nothing.stderr.split(":")[0]], [3, "data.not-found"]);
  });
});

function watch(child: ChildProcess) {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.on("data", (chunk) => {
      printed[name] += chunk;
    });
  }
  const ending = once(child, "close").then(([exitCode]) => ({ exitCode, ...printed }));
  return { child, printed, ending };
}

function withoutTimes<T extends object>({
  createdAt: _created,
  updatedAt: _updated,
  ...rest
}: T & { createdAt?: string; updatedAt?: string }) {
  const json = JSON.stringify(rest, (name, value) => (name === "assignedAt" ? undefined : value));
  return JSON.parse(json);
}
