/** The grid by keyboard: arrows go from photo to photo, x chooses one, Escape lets go of those chosen. */

import type { KeyboardEvent } from "react";
import { type GridLine, neighbour } from "./grid-lines.ts";
import type { Selection } from "./use-selection.ts";

export function gridKeys(
  lines: readonly GridLine[],
  reveal: (ulid: string, focus: boolean) => void,
  selection: Selection | undefined,
) {
  return (event: KeyboardEvent): void => {
    if (event.key === "Escape" && selection?.chosen.size) selection.clear();
    const { ulid } = (event.target as HTMLElement).dataset;
    if (ulid === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key.toLowerCase() === "x") selection?.toggle(ulid, event.shiftKey);
    const next = neighbour(lines, ulid, event.key);
    if (next === undefined) return;
    event.preventDefault();
    reveal(next, true);
  };
}
