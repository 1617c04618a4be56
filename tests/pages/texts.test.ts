/** Every text of the pages is there in both languages, with the same values in it. */

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

type Texts = { [key: string]: string | Texts };

const folder = fileURLToPath(new URL("../../web/src/texts/", import.meta.url));
const parts = globSync("en/*.json", { cwd: folder }).map((name) => basename(name));

/** Plural forms count as one text: English has two, Korean one. */
function flatten(texts: Texts, above = ""): Map<string, string> {
  const flat = new Map<string, string>();
  for (const [key, value] of Object.entries(texts)) {
    if (typeof value === "string") flat.set((above + key).replace(/_(zero|one|other)$/, ""), value);
    else for (const [below, text] of flatten(value, `${above}${key}.`)) flat.set(below, text);
  }
  return flat;
}

const read = (language: string, part: string) =>
  flatten(JSON.parse(readFileSync(`${folder}${language}/${part}`, "utf8")) as Texts);

/** What is filled in, and which marks are around it. */
const holes = (text: string) => [...new Set(text.match(/\{\{[^}]+\}\}|<\/?\w+>/g) ?? [])].sort();

function differences(english: Map<string, string>, korean: Map<string, string>): string[] {
  const missing = [...english.keys()].filter((key) => !korean.has(key)).map((key) => `${key} is not in Korean`);
  const extra = [...korean.keys()].filter((key) => !english.has(key)).map((key) => `${key} is not in English`);
  const empty = [...english, ...korean].filter(([, text]) => text.trim() === "").map(([key]) => `${key} is empty`);
  const unlike = [...english]
    .filter(([key, text]) => korean.has(key) && `${holes(text)}` !== `${holes(korean.get(key) ?? "")}`)
    .map(([key]) => `${key} is filled in differently`);
  return [...missing, ...extra, ...empty, ...unlike];
}

assert.ok(parts.length > 3, "the texts were not found");
for (const part of parts) {
  test(`${part} says the same in both`, () => assert.deepEqual(differences(read("en", part), read("ko", part)), []));
}

test("what is missing, extra, empty or filled in differently is noticed", () => {
  const english = flatten({ a: "A", b: { c: "{{n}} photos", d: "D" } });
  const korean = flatten({ b: { c: "사진", d: " " }, e: "E" });
  assert.deepEqual(differences(english, korean), [
    "a is not in Korean",
    "e is not in English",
    "b.d is empty",
    "b.c is filled in differently",
  ]);
});

test("Korean texts are Korean", () => {
  const latin = parts.flatMap((part) => {
    const english = read("en", part);
    // Names of things stay as they are; a sentence does not.
    return [...read("ko", part)].filter(([key, text]) => text === english.get(key) && text.split(" ").length > 3);
  });
  assert.deepEqual(latin, []);
});
