/** Texts in components: words by their path, and sentences with links or emphasis inside. */

import { cloneElement, Fragment, type ReactElement, type ReactNode, use, useMemo, useSyncExternalStore } from "react";
import { say, type Values } from "./say.ts";
import { currentLanguage, type Language, loadTexts, onLanguageChange, type Part, type TextKey } from "./texts.ts";

export type Say<Name extends Part> = (path: TextKey<Name>, values?: Values) => string;

/** Waits, as Suspense does, until the part's texts are there. */
export function useTexts<Name extends Part = "shared">(
  part?: Name,
): { t: Say<Name>; language: Language; has(path: string): boolean } {
  const language = useSyncExternalStore(onLanguageChange, currentLanguage);
  const texts = use(loadTexts(part ?? "shared", language));
  return useMemo(
    () => ({
      t: (path: TextKey<Name>, values?: Values) => say(texts, language, path, values),
      language,
      has: (path: string) => texts.has(path),
    }),
    [texts, language],
  );
}

type RichTextProps<Name extends Part> = {
  part: Name;
  path: TextKey<Name>;
  values?: Values;
  /** What stands for `<name>…</name>` in the text. */
  marks: { [name: string]: ReactElement<{ children?: ReactNode }> };
};

/** A text with marks in it. What is filled in stays text, whatever it looks like. */
export function RichText<Name extends Part>({ part, path, values, marks }: RichTextProps<Name>) {
  const { t } = useTexts(part);
  const kept = Object.entries(values ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? veil(value) : value,
  ]);
  const pieces = t(path, Object.fromEntries(kept)).split(/<(\w+)>(.*?)<\/\1>/g);
  return pieces.map((piece, i) => {
    const [place, mark] = [i % 3, marks[pieces[i - 1] ?? ""]];
    if (place === 1) return null;
    const text = unveil(piece);
    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a sentence do not move.
    return <Fragment key={i}>{place === 2 && mark ? cloneElement(mark, {}, text) : text}</Fragment>;
  });
}

const VEILED = "\u0001";
const veil = (text: string) => text.replaceAll("<", VEILED);
const unveil = (text: string) => text.replaceAll(VEILED, "<");
