/** An organizer steers two events from the command line, beside a running server: one first-come, one by lottery. */

import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type CommandLine, commandLine } from "../harness/cli.ts";
import { until } from "../harness/entry-event.ts";
import { type RunningServer, startServer } from "../harness/server.ts";

const RACE = ["--org", "han", "--date", "2099-04-18", "--time-zone", "Asia/Seoul"];

describe("snaprace entry", { concurrency: false }, () => {
  let folder: string;
  let cli: CommandLine;
  let server: RunningServer;
  let organizer: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "snaprace-entry-"));
    cli = commandLine(join(folder, "data"));
    server = await startServer({ dataFolder: join(folder, "data"), LOG_LEVEL: "silent" });
    await cli.json("org", "create", "Han River Runners", "--id", "han");
    ({ stdout: organizer } = await cli.run(["token", "--role", "organizer", "--org", "han", "--user", "organizer"]));
  });
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const told = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await cli.run(["entry", ...args]);
    assert.equal(exitCode, 0, stderr);
    return stdout.trimEnd();
  };
  const refused = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await cli.run(["entry", ...args]);
    assert.equal(stdout, "");
    return [exitCode, stderr.trimEnd()];
  };
  const enter = async (eventId: string, ...userIds: string[]) => {
    const tokens = await Promise.all(userIds.map((user) => cli.run(["token", "--role", "runner", "--user", user])));
    for (const { stdout } of tokens) {
      const headers = { authorization: `Bearer ${stdout.trim()}` };
      const url = `${server.url}/api/events/${eventId}/participations`;
      assert.equal((await fetch(url, { method: "POST", headers })).status, 202);
    }
  };
  /** For looking again and again, which commands are too slow for. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
  const get = async (eventId: string, below: string): Promise<any> => {
    const headers = { authorization: `Bearer ${organizer.trim()}` };
    return (await fetch(`${server.url}/api/admin/events/${eventId}${below}`, { headers })).json();
  };
  const settled = (eventId: string) =>
    until(async () => {
      const { byStatus } = await get(eventId, "/summary");
      return byStatus.QUEUED + byStatus.PROCESSING === 0;
    });
  const statuses = async (eventId: string): Promise<string[]> => {
    const { items } = await get(eventId, "/requests");
    return items.map(({ userId, status }: { [name: string]: string }) => `${userId} ${status}`);
  };

  describe("first-come", () => {
    before(async () => {
      const entry = ["--first-come", "1", "--opens", "2098-01-01T00:00:00Z"];
      await cli.json("event", "create", "Han 10K", "--id", "han-10k", ...RACE, ...entry);
    });

    test("opens, and shows what came of it", async () => {
      assert.match(await told("show", "han-10k"), /^entries +not open yet$/m);
      assert.equal(await told("requests", "han-10k"), "han-10k has no requests yet.");
      assert.equal(await told("open", "han-10k"), "Entries of han-10k are open.");
      await enter("han-10k", "kim", "lee", "park");
      await settled("han-10k");
      const shown = await told("show", "han-10k");
      assert.match(shown, /^places +0 of 1 left, first-come$/m);
      assert.match(shown, /^in line +3 tickets, 0 without a result$/m);
      assert.match(await told("summary", "han-10k"), /^SUCCEEDED +1\nREJECTED +2$/m);
      assert.match(await told("fairness", "han-10k"), /^inversions +none/m);
    });

    test("lists requests, as many and of the kind that was asked for", async () => {
      const all = (await told("requests", "han-10k")).split("\n");
      assert.match(all[0] ?? "", /^TICKET +REQUEST +USER +STATUS/);
      assert.deepEqual(
        all.slice(1).map((line) => line.split(/ +/)[2]),
        ["kim", "lee", "park"],
      );
      const newest = await cli.json("entry", "requests", "han-10k", "--status", "rejected", "--newest", "--limit", "1");
      assert.deepEqual([newest.items.length, newest.items[0].userId], [1, "park"]);
      const [exitCode, sentence] = await refused("requests", "han-10k", "--status", "lost");
      assert.equal(exitCode, 2);
      assert.match(String(sentence), /Give one of QUEUED, /);
    });

    test("gives new places to the next in line, and tells why", async () => {
      const sentence = "han-10k has 2 places. Who is next in line gets the new ones.";
      assert.equal(await told("capacity", "han-10k", "2"), sentence);
      await until(async () => (await statuses("han-10k")).includes("lee SUCCEEDED"));
      assert.deepEqual(await statuses("han-10k"), ["kim SUCCEEDED", "lee SUCCEEDED", "park REJECTED"]);
      assert.deepEqual(await refused("capacity", "han-10k", "1"), [
        3,
        "entry.fixed: 2 places are taken: the capacity can't be less.",
      ]);
      const { requestId } = (await get("han-10k", "/requests")).items[1];
      const shown = await told("request", requestId);
      assert.match(shown, /^user +lee$/m);
      assert.match(shown, /SUCCEEDED +The capacity was raised to 2\. Ticket 2 was next in line\.$/);
      assert.equal((await cli.json("entry", "request", requestId)).log.length, 4);
    });

    test("writes them all to a CSV file", async () => {
      const file = join(folder, "requests.csv");
      assert.equal(await told("requests", "han-10k", "--csv", file), `Wrote the requests of han-10k to ${file}.`);
      const csv = await readFile(file, "utf8");
      assert.match(csv, /^\ufeffticket,request_id,[^\n]*\r\n1,\w{26},kim,SUCCEEDED,/);
      assert.equal(csv.split("\r\n").length, 5);
      assert.equal((await cli.run(["entry", "requests", "han-10k", "--csv", "-"])).stdout, csv);
    });

    test("pauses and closes, and has no draw", async () => {
      assert.match(await told("pause", "han-10k"), /^Entries of han-10k are paused\./);
      assert.match(await told("close", "han-10k"), /^Entries of han-10k are closed\./);
      assert.deepEqual(await refused("draw", "han-10k"), [
        3,
        "draw.first-come: Places of this event go first-come: there is no draw.",
      ]);
    });
  });

  test("a lottery is drawn with its beacon and announced when it is time", async () => {
    const times = ["--opens", "2026-01-01T00:00:00Z", "--cutoff", "2098-01-01T00:00:00Z"];
    const entry = ["--lottery", "1", ...times, "--announce", "2098-01-02T00:00:00Z", "--beacon", "drand round 9"];
    await cli.json("event", "create", "Jeju Trail", "--id", "jeju", ...RACE, ...entry);
    await enter("jeju", "kim", "lee");
    assert.deepEqual((await refused("draw", "jeju"))[0], 3);
    await cli.json("event", "edit", "jeju", "--cutoff", new Date().toISOString());
    await until(async () => (await get("jeju", "/entry")).draw.frozenAt !== null);
    assert.match(await told("show", "jeju"), /^frozen +\d.*, 2 entrants$/m);
    assert.deepEqual(await refused("draw", "jeju"), [
      3,
      "draw.needs-beacon: The draw waits for its beacon: drand round 9. Give its value as --beacon.",
    ]);
    assert.equal(
      await told("draw", "jeju", "--beacon", "0xfeed"),
      "The draw of jeju is made. Results come at 2098-01-02T00:00:00Z.",
    );
    const early = await refused("announce", "jeju");
    assert.match(String(early[1]), /Set an earlier time with `snaprace event edit jeju --announce` first\.$/);
    assert.deepEqual(await statuses("jeju"), ["kim QUEUED", "lee QUEUED"]);
    await cli.json("event", "edit", "jeju", "--announce", new Date().toISOString());
    await until(async () => (await get("jeju", "/entry")).announcedAt < Date.now());
    assert.equal(await told("announce", "jeju"), "The results of jeju are announced.");
    await settled("jeju");
    assert.deepEqual((await statuses("jeju")).map((line: string) => line.split(" ")[1]).sort(), [
      "REJECTED",
      "SUCCEEDED",
    ]);
  });

  test("dead letters are listed and sent back, by whom they concern", async () => {
    const sentences = [
      [["dead-letters", "jeju"], "There are no dead letters of jeju."],
      [["dead-letters", "--others"], "There are no other dead letters."],
      [["redrive", "jeju"], "Sent 0 dead letters of jeju back."],
      [["redrive", "jeju", "98", "99"], "Sent 0 dead letters of jeju back. 2 ids named none."],
      [["redrive", "--others", "99"], "Sent 0 other dead letters back. 1 id named none."],
    ] as const;
    const said = await Promise.all(sentences.map(([args]) => told(...args)));
    assert.deepEqual(
      said,
      sentences.map(([, sentence]) => sentence),
    );
    assert.deepEqual(await refused("dead-letters"), [
      2,
      "usage.whose-letters: Give the event's id, or --others for those of no event.",
    ]);
  });
});
