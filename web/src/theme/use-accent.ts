/** Paints a page in its organizer's colour while it is shown. */

import { useLayoutEffect } from "react";
import { accentColours } from "./accent.ts";

export function useAccent(hex: string | undefined): void {
  useLayoutEffect(() => {
    const colours = hex ? accentColours(hex) : undefined;
    if (!colours) return;
    const { style } = document.documentElement;
    const values = {
      "--accent-light": colours.light,
      "--accent-dark": colours.dark,
      "--accent-fill": colours.fill,
      "--on-accent-fill": colours.onFill,
    };
    for (const [name, value] of Object.entries(values)) style.setProperty(name, value);
    return () => {
      for (const name of Object.keys(values)) style.removeProperty(name);
    };
  }, [hex]);
}
