/** Light, dark, or as the system has it; remembered on this device. */

import { useSyncExternalStore } from "react";

export const SCHEMES = ["system", "light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

const REMEMBERED = "snaprace.scheme";
const listeners = new Set<() => void>();
let scheme: Scheme = read();

export function startScheme(): void {
  show();
}

export function useScheme(): [Scheme, (next: Scheme) => void] {
  const current = useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => scheme,
  );
  return [current, choose];
}

function choose(next: Scheme): void {
  scheme = next;
  show();
  try {
    localStorage.setItem(REMEMBERED, next);
  } catch {
    // A browser that stores nothing forgets it with the page.
  }
  for (const listen of listeners) listen();
}

function show(): void {
  if (scheme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = scheme;
}

function read(): Scheme {
  try {
    return SCHEMES.find((each) => each === localStorage.getItem(REMEMBERED)) ?? "system";
  } catch {
    return "system";
  }
}
