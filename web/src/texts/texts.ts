/** The pages' texts in Korean and English: one file for each language and part of the product, loaded when it is needed. */

import i18next from "i18next";
import { initReactI18next } from "react-i18next";

export const LANGUAGES = ["en", "ko"] as const;
export type Language = (typeof LANGUAGES)[number];

const files = import.meta.glob<{ default: object }>(["./en/*.json", "./ko/*.json"]);
const REMEMBERED = "snaprace.language";

function chosenLanguage(): Language {
  const wishes = [new URLSearchParams(location.search).get("lang"), remembered(), ...navigator.languages];
  for (const wish of wishes) {
    const language = LANGUAGES.find((each) => wish?.toLowerCase().startsWith(each));
    if (language) return language;
  }
  return "en";
}

export async function startTexts(): Promise<void> {
  const language = chosenLanguage();
  i18next.use(initReactI18next).use({
    type: "backend",
    init: () => {},
    read: (lang: string, part: string, done: (error: unknown, texts: object | null) => void) => {
      const load = files[`./${lang}/${part}.json`];
      if (!load) return done(new Error(`There are no texts ${lang}/${part}.`), null);
      load().then(
        (file) => done(null, file.default),
        (error) => done(error, null),
      );
    },
  });
  await i18next.init({
    lng: language,
    fallbackLng: false,
    supportedLngs: LANGUAGES,
    ns: ["shared"],
    defaultNS: "shared",
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    react: { useSuspense: true },
    saveMissing: true,
    missingKeyHandler: (_, part, key) => console.error(`There is no text ${part}:${key}.`),
  });
  document.documentElement.lang = language;
}

export async function chooseLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {
    // A browser that stores nothing asks again next time.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(REMEMBERED);
  } catch {
    return null;
  }
}
