/** Files may be dropped anywhere on the page: beside the area, the browser would leave the page and open them. */

import { useEffect, useRef, useState } from "react";

export function useDrop(onDrop: (dropped: DataTransfer) => void): boolean {
  const [isOver, setOver] = useState(false);
  const handler = useRef(onDrop);
  handler.current = onDrop;
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const on = (name: "dragover" | "dragleave" | "drop", listen: (event: DragEvent) => void) =>
      addEventListener(name, (event) => event.dataTransfer?.types.includes("Files") && listen(event), { signal });
    on("dragover", (event) => {
      event.preventDefault();
      setOver(true);
    });
    on("dragleave", (event) => {
      // Out of the window, and not from one element to the next.
      if (event.relatedTarget === null) setOver(false);
    });
    on("drop", (event) => {
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer) handler.current(event.dataTransfer);
    });
    return () => listening.abort();
  }, []);
  return isOver;
}
