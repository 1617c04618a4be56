/** After a page changed, the keyboard and the screen reader start at its content, as after a full load. */

import { useRouterState } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

export function MoveFocus() {
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const last = useRef(path);
  useEffect(() => {
    if (last.current !== undefined && last.current !== path) {
      document.getElementById("main")?.focus({ preventScroll: true });
    }
    last.current = path;
  }, [path]);
  return null;
}
