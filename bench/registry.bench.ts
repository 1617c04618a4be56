/** The registry's promises in figures: importing and exporting a big field, and what verifying a caller costs. */

import { randomBytes } from "node:crypto";
import { createAccessTokens } from "../src/platform/access-tokens.ts";
import { DATABASES, openDatabases, type TestProgram } from "../tests/harness/program.ts";
import type { Row } from "./run.ts";

const RUNNERS = 50_000;
const TOKENS = 20_000;

export async function run() {
  const rows: Row[] = [];
  for (const database of DATABASES) {
    const databases = await openDatabases(database);
    try {
      rows.push(...(await measureFiles(database, await databases.open())));
    } finally {
      await databases.close();
    }
  }
  rows.push(measureTokens());
  return { name: "registry", rows };
}

async function measureFiles(database: string, program: TestProgram): Promise<Row[]> {
  const { orgId, organizer } = await program.makeOrganization();
  const event = { eventId: "big", name: "Big", date: "2090-01-01", timeZone: "Asia/Seoul" };
  await organizer("POST", `/admin/organizations/${orgId}/events`, event);
  const seconds = async (work: () => Promise<{ status: number; body: unknown }>) => {
    const startedAt = performance.now();
    const { status, body } = await work();
    if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body).slice(0, 500)}`);
    return (performance.now() - startedAt) / 1000;
  };
  const upload = (file: string) => () => organizer("POST", "/admin/events/big/runners/import", streamOf(file));
  const file = runnersFile("Team");
  const measures: [string, () => Promise<{ status: number; body: unknown }>][] = [
    ["import", upload(file)],
    ["the same file again", upload(file)],
    ["import with every team changed", upload(runnersFile("Club"))],
    ["export", () => organizer("GET", "/admin/events/big/runners.csv")],
  ];
  const rows: Row[] = [];
  for (const [measure, work] of measures) {
    const value = await seconds(work);
    rows.push({
      measure: `${measure}, ${RUNNERS} runners, ${database}`,
      value,
      unit: "s",
      target: "< 10",
      ok: value < 10,
    });
  }
  return rows;
}

function runnersFile(team: string): string {
  const lines = Array.from({ length: RUNNERS }, (_, n) => {
    const time = `0${(n % 5) + 1}:${String(n % 60).padStart(2, "0")}:10`;
    return `${n + 1},Runner ${n},${time},${n % 2 ? "F" : "M"},${20 + (n % 50)},${team} ${n % 100},"{""chip"":""${n}""}"`;
  });
  return `bib,name,finish_time,gender,age,team,timing_result\n${lines.join("\n")}\n`;
}

/** In pieces, as it would come over a wire. */
function streamOf(text: string): ReadableStream {
  const bytes = Buffer.from(text);
  const pieces = function* () {
    for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
  };
  return ReadableStream.from(pieces());
}

/** No token twice: on entry's hot path everybody comes with their own. */
function measureTokens(): Row {
  const tokens = createAccessTokens(randomBytes(32), { now: Date.now, revokedBefore: () => 0 });
  const made = Array.from({ length: TOKENS }, (_, n) =>
    tokens.issue(
      { userId: `u-${n}`, operator: false, organizations: ["a"], photographers: [], session: true, tokenId: `t-${n}` },
      60_000,
    ),
  );
  const startedAt = performance.now();
  for (const token of made) tokens.verify(token);
  const value = ((performance.now() - startedAt) * 1000) / TOKENS;
  return { measure: "verifying a token, no database", value, unit: "µs" };
}
