/** The pages' texts in Korean and English: one file for each language and part of the product, loaded when it is needed. */

import { orUnreachable } from "../api/call.ts";
import type draw from "./en/draw.json";
import type entry from "./en/entry.json";
import type organizer from "./en/organizer.json";
import type photographer from "./en/photographer.json";
import type photos from "./en/photos.json";
import type runner from "./en/runner.json";
import type shared from "./en/shared.json";
import type { Texts } from "./say.ts";

export const LANGUAGES = ["en", "ko"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The English files say which texts there are; a test sees to it that the Korean ones have the same. */
type Parts = {
  shared: typeof shared;
  runner: typeof runner;
  draw: typeof draw;
  entry: typeof entry;
  photos: typeof photos;
  photographer: typeof photographer;
  organizer: typeof organizer;
};
export type Part = keyof Parts;

/** `a.b` for `{"a": {"b": …}}`; the forms of a plural are one text. */
type Paths<Tree> = {
  [Name in keyof Tree & string]: Tree[Name] extends string ? WithoutForm<Name> : `${Name}.${Paths<Tree[Name]>}`;
}[keyof Tree & string];
type WithoutForm<Name extends string> = Name extends `${infer Stem}_${"zero" | "one" | "other"}` ? Stem : Name;
export type TextKey<Name extends Part> = Paths<Parts[Name]>;

type Tree = { [name: string]: string | Tree };

const files = import.meta.glob<{ default: Tree }>(["./en/*.json", "./ko/*.json"]);
const REMEMBERED = "snaprace.language";

/** By language and part; those that are there have their value with them, as React's `use` looks for it. */
const parts = new Map<string, Promise<Texts> & { status?: "fulfilled"; value?: Texts }>();
const listeners = new Set<() => void>();
let current: Language = wishedLanguage();

export function currentLanguage(): Language {
  return current;
}

/** How the reader's region writes what is said in this language: `en-GB` for somebody in London. */
export function localeOf(language: Language): string {
  return navigator.languages.find((each) => each.toLowerCase().startsWith(language)) ?? language;
}

/** Calls back when the language changed, until told to stop. */
export function onLanguageChange(listen: () => void): () => void {
  listeners.add(listen);
  return () => listeners.delete(listen);
}

export function loadTexts(part: Part, language: Language = current): Promise<Texts> {
  const name = `${language}/${part}`;
  const there = parts.get(name);
  if (there) return there;
  const promise = readTexts(name);
  parts.set(name, promise);
  promise.then(
    (value) => Object.assign(promise, { status: "fulfilled", value }),
    // Not kept when it failed: the next one who asks may have a better connection.
    () => parts.delete(name),
  );
  return promise;
}

async function readTexts(name: string): Promise<Texts> {
  const load = files[`./${name}.json`];
  const file = load && (await orUnreachable(load()));
  if (!file) throw new Error(`There are no texts ${name}.`);
  return flatten(file.default);
}

function flatten(tree: Tree, above = ""): Texts {
  const flat: Texts = new Map();
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") flat.set(above + name, value);
    else for (const [path, text] of flatten(value, `${above}${name}.`)) flat.set(path, text);
  }
  return flat;
}

export async function startTexts(): Promise<void> {
  await loadTexts("shared");
  document.documentElement.lang = current;
}

/** Changes at once, when all that is shown now can be said in the other language. */
export async function chooseLanguage(language: Language): Promise<void> {
  const shown = [...parts.keys()].map((name) => name.split("/")[1] as Part);
  await Promise.all([...new Set(shown)].map((part) => loadTexts(part, language)));
  current = language;
  document.documentElement.lang = language;
  for (const listen of listeners) listen();
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // A browser that stores nothing asks again next time.
  }
}

function wishedLanguage(): Language {
  const wishes = [new URLSearchParams(location.search).get("lang"), remembered(), ...navigator.languages];
  for (const wish of wishes) {
    const language = LANGUAGES.find((each) => wish?.toLowerCase().startsWith(each));
    if (language) return language;
  }
  return "en";
}

function remembered(): string | null {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}
