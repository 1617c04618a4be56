/** The draw's promises in figures: a hundred thousand entrants drawn, announced, and checked by script and by browser. */

import { execFileSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { proofFile } from "../src/entry/lottery.ts";
import { tick } from "../src/entry/schedule.ts";
import { openEmbeddedSubject } from "../src/platform/embedded/subject.ts";
import { openBrowser } from "../tests/harness/browser.ts";
import { openScene, type Scene } from "../tests/harness/entry.ts";
import { ANNOUNCED_MS, CUTOFF_MS, drawOf, fileText, LOTTERY } from "../tests/harness/entry-lottery.ts";
import { startServer } from "../tests/harness/server.ts";
import type { Row } from "./run.ts";

const ENTRANTS = 100_000;
const PLACES = 10_000;
const AT_ONCE = 1000;

const verifier = fileURLToPath(new URL("../src/entry/draw/verify-draw.mjs", import.meta.url));

export async function run() {
  const subject = await openEmbeddedSubject();
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-draw-"));
  try {
    const scene = await openScene(subject, { ...LOTTERY, capacityTotal: PLACES });
    for (let entered = 0; entered < ENTRANTS; entered += AT_ONCE) await enterSome(scene, entered);
    scene.clock.goTo(CUTOFF_MS);
    const draw = await secondsOf(() => tick(scene.entry));
    const { drawnAt, entrants } = await drawOf(scene);
    if (drawnAt === undefined || entrants !== ENTRANTS)
      throw new Error(`Of ${ENTRANTS} entrants ${entrants} were drawn.`);
    const proof = (await fileText(scene, proofFile(scene.eventId))) as string;
    const file = join(folder, "proof.json");
    await writeFile(file, proof);
    const script = await secondsOf(() => execFileSync(process.execPath, [verifier, file]));
    const browser = await verifyInBrowser(file);
    scene.clock.goTo(ANNOUNCED_MS);
    const announce = await secondsOf(() => tick(scene.entry));
    return { name: "draw", rows: [...rowsOf({ draw, script, browser }), announced(announce)] };
  } finally {
    await subject.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function enterSome(scene: Scene, from: number): Promise<void> {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => scene.ask(`runner-${from + index}`)));
}

async function secondsOf(work: () => unknown): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

/** A person opens the page and gives it the file. */
async function verifyInBrowser(file: string): Promise<number> {
  const dataFolder = await mkdtemp(join(tmpdir(), "snaprace-bench-draw-"));
  const server = await startServer({ dataFolder });
  const browser = await openBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`${server.url}/draw`);
    return await secondsOf(async () => {
      await page.locator("input[type=file]").setInputFiles(file);
      await page.getByRole("heading", { name: "Verified" }).waitFor();
    });
  } finally {
    await browser.close();
    await server.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

function rowsOf({ draw, script, browser }: { draw: number; script: number; browser: number }): Row[] {
  const row = (measure: string, value: number, mostSeconds: number): Row => ({
    measure: `${measure}, ${ENTRANTS} entrants`,
    value,
    unit: "s",
    target: `< ${mostSeconds}`,
    ok: value < mostSeconds,
  });
  return [
    row("freeze, draw and publish", draw, 10),
    row("verify by script", script, 5),
    row("verify by browser", browser, 5),
  ];
}

const announced = (value: number): Row => ({ measure: `announce, ${ENTRANTS} results`, value, unit: "s" });
