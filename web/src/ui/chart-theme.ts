/** The page's colours as a canvas can use them, and when to read them again. */

import { useSyncExternalStore } from "react";

const TOKENS = {
  accent: "var(--accent)",
  soft: "var(--strong-line)",
  wash: "color-mix(in srgb, var(--accent) 14%, transparent)",
  softInk: "var(--soft-ink)",
  line: "var(--line)",
};

type Colours = { [Name in keyof typeof TOKENS]: string };

/** Only a property of an element has the colour that is really shown; a token is still a rule for light and dark. */
export function readColours(host: HTMLElement): Colours {
  const probe = host.appendChild(document.createElement("span"));
  const entries = Object.entries(TOKENS).map(([name, value]) => {
    probe.style.color = value;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(entries);
}

let changes = 0;

/** Grows whenever the theme, or the organizer's colour on the root element, changes. */
export function useThemeChanges(): number {
  return useSyncExternalStore(listenToTheme, () => changes);
}

function listenToTheme(listen: () => void): () => void {
  const changed = () => {
    changes += 1;
    listen();
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "style"] });
  return () => {
    system.removeEventListener("change", changed);
    observer.disconnect();
  };
}
