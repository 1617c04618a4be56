/** A photographer reads photos and compares faces from the command line, with good pictures and bad ones, and no server. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { DEFAULT_MIN_CONFIDENCE } from "../../src/photos/bibs.ts";
import type { Box } from "../../src/platform/ports.ts";
import { DEFAULT_BIB_PATTERN } from "../../src/registry/events.ts";
import { type CommandLine, commandLine, type Ended } from "../harness/cli.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";
import { type BadPicture, badPictures } from "../pictures/bad-pictures.ts";
import { drawScene, type SceneTruth } from "../pictures/scene.ts";

const people = fileURLToPath(new URL("../../node_modules/@vladmandic/face-api/demo/sample5.jpg", import.meta.url));

type Read = {
  file: string;
  width: number;
  height: number;
  bibs: { bib: string; confidence: number; box: Box; face?: number }[];
  partial: unknown[];
  faces: { box: Box; quality: number }[];
  refused?: { text: string; reason: string }[];
  error?: { code: string; message: string };
};

const linesOf = <Line>({ stdout }: Ended): Line[] => {
  assert.match(stdout, /\n$/);
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
};

const middleOf = ({ left, top, width, height }: Box) => ({ x: left + width / 2, y: top + height / 2 });
const isWithin = (inner: Box, { left, top, width, height }: Box) => {
  const { x, y } = middleOf(inner);
  return x > left && x < left + width && y > top && y < top + height;
};

describe("pictures from the command line", { concurrency: false }, () => {
  let folder: string;
  let cli: CommandLine;
  const cleanups: (() => Promise<void>)[] = [];
  before(async () => {
    folder = await temporaryFolder({ after: (clean) => cleanups.push(clean) });
    cli = commandLine(join(folder, "data"));
  });
  after(() => Promise.all(cleanups.map((clean) => clean())));

  describe("snaprace read", () => {
    let truth: SceneTruth;
    let scene: string;
    let bad: BadPicture[];
    before(async () => {
      const drawn = await drawScene({ seed: 40, kind: "plain", width: 1200, orientation: 8 });
      truth = drawn.truth;
      scene = join(folder, "scene.jpg");
      await writeFile(scene, drawn.jpeg);
      await mkdir(join(folder, "bad"));
      bad = await badPictures();
      for (const [n, { bytes }] of bad.entries()) await writeFile(join(folder, "bad", `${n}.jpg`), bytes);
    });

    test("tells scripts a line a photo, good and bad ones, in their order", async () => {
      const drawn = join(folder, "drawn");
      const args = [scene, join(folder, "none.jpg"), join(folder, "bad"), "--json", "--draw", drawn];
      const ended = await cli.run(["read", ...args]);
      assert.equal(ended.exitCode, 3, "that of the first failure, a file that is not there");
      const [first, missing, ...others] = linesOf<Read>(ended);
      checkScene(first as Read, truth);
      assert.deepEqual([first?.file, first?.refused], [scene, undefined]);
      assert.deepEqual(missing, {
        file: join(folder, "none.jpg"),
        error: { code: "file.not-found", message: `There is no file ${join(folder, "none.jpg")}.` },
      });
      assert.equal(others.length, bad.length);
      for (const [n, picture] of bad.entries()) checkBad(others[n] as Read, join(folder, "bad", `${n}.jpg`), picture);
      const failed = [missing, ...others].filter((line) => line?.error).length;
      const message = `${failed} of ${bad.length + 2} photos could not be read.`;
      assert.deepEqual(JSON.parse(ended.stderr), { code: "photos.not-read", message });
      assert.equal((await readdir(drawn)).length, bad.length + 2 - failed);
      const { width, height, format } = await sharp(join(drawn, "scene.jpg")).metadata();
      assert.deepEqual([format, width, height], ["jpeg", truth.width, truth.height]);
      assert.equal(existsSync(join(folder, "data")), false, "it needs no data folder");
    });

    test("tells people, and why something is no bib of theirs", async () => {
      const [stranger, ...runners] = truth.bibs.map(({ number }) => number);
      const roster = join(folder, "roster.csv");
      await writeFile(roster, `name,bib\n${runners.map((bib) => `Kim,${bib}\n`).join("")}`);
      const { exitCode, stdout, stderr } = await cli.run(["read", scene, "--roster", roster, "--why"]);
      assert.equal(exitCode, 0, stderr);
      assert.equal(stdout.split("\n")[0], `${scene}  ${truth.width} x ${truth.height}`);
      for (const bib of runners)
        assert.match(stdout, new RegExp(`^  bib +${bib} +[01]\\.\\d\\d +at \\d+,\\d+ size \\d+x\\d+ +face \\d$`, "m"));
      assert.match(stdout, new RegExp(`^  refused +${stranger} .* roster$`, "m"));
      assert.match(stdout, /^ {2}refused +TENMILES2026 .* pattern$/m);
    });

    test("says in its help which rules hold without options", async () => {
      const help = (await cli.run(["read", "--help"])).stdout.replaceAll(/\s+/g, " ");
      assert.ok(help.includes(`(default: ${DEFAULT_BIB_PATTERN})`), help);
      assert.ok(help.includes(`(default: ${DEFAULT_MIN_CONFIDENCE})`), help);
    });

    test("refuses what it can't go by before it looks", async () => {
      const told = async (...args: string[]) => {
        const { exitCode, stdout, stderr } = await cli.run(["read", scene, ...args]);
        assert.equal(stdout, "");
        return [exitCode, stderr.split(":")[0]];
      };
      assert.deepEqual(await told("--pattern", "([0-9]+)+"), [2, "usage.invalid-argument"]);
      assert.deepEqual(await told("--pattern", "[0-9"), [2, "usage.invalid-argument"]);
      assert.deepEqual(await told("--min-confidence", "1.5"), [2, "usage.invalid-argument"]);
      assert.deepEqual(await told("--draw", folder), [3, "draw.same-folder"]);
      assert.deepEqual(await told("--roster", scene), [2, "csv.encoding"]);
      assert.deepEqual(await told("--models", join(folder, "none.json")), [78, "models.manifest-invalid"]);
    });

    test("ends on Ctrl-C, with what it printed so far", async () => {
      const child = cli.start(["read", ...Array.from({ length: 50 }, () => join(folder, "bad", "8.jpg")), "--json"]);
      const lines: string[] = [];
      const stdout = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      stdout.on("line", (line) => {
        if (lines.length === 0) child.kill("SIGINT");
        lines.push(line);
      });
      const [stderr, [exitCode]] = await Promise.all([
        text(child.stderr as NodeJS.ReadableStream),
        once(child, "close"),
      ]);
      assert.deepEqual([exitCode, stderr], [130, ""]);
      assert.ok(lines.length > 0 && lines.length < 50, `${lines.length} lines`);
      for (const line of lines) assert.equal((JSON.parse(line) as Read).bibs[0]?.bib, bad[8]?.number);
    });
  });

  describe("snaprace compare", () => {
    const crops = { one: { left: 740, top: 60 }, again: { left: 770, top: 90 }, other: { left: 1360, top: 370 } };
    const at = (name: string) => join(folder, `${name}.jpg`);
    before(async () => {
      for (const [name, place] of Object.entries(crops)) {
        const crop = sharp(people).extract({ ...place, width: 270, height: 300 });
        if (name === "again") crop.modulate({ brightness: 1.25 }).resize(180);
        await crop.jpeg().toFile(at(name));
      }
      await sharp({ create: { width: 200, height: 200, channels: 3, background: "#777" } })
        .jpeg()
        .toFile(at("nobody"));
    });

    test("the same person is more alike than another", async () => {
      const { exitCode, stdout, stderr } = await cli.run(["compare", at("one"), at("again")]);
      assert.equal(exitCode, 0, stderr);
      const [similarity, ...files] = stdout.trimEnd().split("  ");
      assert.deepEqual(files, [at("one"), at("again")]);
      assert.ok(Number(similarity) > 0.9, stdout);
    });

    test("many pairs, each picture looked at once", async () => {
      // Standard input can be read but once.
      await writeFile(
        at("pairs"),
        `# pairs\n- ${at("again")}\n\n-,${at("other")}\n${at("nobody")}\t-\n- ${at("none")}\n- -\n`,
      );
      const child = cli.start(["compare", "--pairs", at("pairs"), "--json"]);
      await sharp(at("one"))
        .toBuffer()
        .then((bytes) => child.stdin?.end(bytes));
      const [stdout, stderr, [exitCode]] = await Promise.all([
        text(child.stdout as NodeJS.ReadableStream),
        text(child.stderr as NodeJS.ReadableStream),
        once(child, "close"),
      ]);
      const lines = linesOf<{ a: string; b: string; similarity?: number; error?: { code: string; file: string } }>({
        exitCode,
        stdout,
        stderr,
      });
      const [same, other, nobody, none, self] = lines;
      assert.deepEqual([same?.a, same?.b, lines.length], ["-", at("again"), 5]);
      assert.ok((same?.similarity ?? 0) > 0.9, stdout);
      assert.ok((other?.similarity ?? 1) < 0.5, stdout);
      assert.ok((self?.similarity ?? 0) > 0.999, stdout);
      assert.deepEqual([nobody?.error?.code, nobody?.error?.file], ["picture.no-face", at("nobody")]);
      assert.deepEqual([none?.error?.code, none?.error?.file], ["file.not-found", at("none")]);
      assert.equal(exitCode, 2, "that of the first failure, a picture without a face");
      assert.deepEqual(JSON.parse(stderr), {
        code: "pairs.not-compared",
        message: "2 of 5 pairs could not be compared.",
      });
    });

    test("needs two pictures or a file of pairs", async () => {
      for (const args of [[], [at("one")], [at("one"), at("one"), at("one")], [at("one"), at("one"), "--pairs", "-"]]) {
        const { exitCode, stderr } = await cli.run(["compare", ...args]);
        assert.deepEqual([exitCode, stderr.split(":")[0]], [2, "usage.two-pictures"]);
      }
    });
  });
});

/** Bibs are where they were drawn, each with the face that was drawn above it. */
function checkScene({ width, height, bibs, faces }: Read, truth: SceneTruth): void {
  assert.deepEqual([width, height], [truth.width, truth.height]);
  assert.deepEqual(bibs.map(({ bib }) => bib).sort(), truth.bibs.map(({ number }) => number).sort());
  for (const { number, box, faceBox } of truth.bibs) {
    const found = bibs.find(({ bib }) => bib === number);
    assert.ok(found && isWithin(found.box, box), `${number} is elsewhere`);
    const face = faces[found.face ?? -1];
    assert.ok(face && faceBox && isWithin(face.box, faceBox), `${number} has another face`);
    assert.ok(found.confidence >= 0.75 && face.quality > 0.3, JSON.stringify({ found, face }));
  }
}

function checkBad(line: Read, file: string, { name, number }: BadPicture): void {
  assert.equal(line.file, file);
  if (number !== undefined)
    assert.deepEqual(
      line.bibs?.map(({ bib }) => bib),
      [number],
      `${name}: ${JSON.stringify(line)}`,
    );
  else if (name === "20000x50") assert.deepEqual([line.bibs, line.width], [[], 20_000]);
  else assert.match(line.error?.code ?? "", /^picture\.(unreadable|too-small|too-large)$/, name);
}
