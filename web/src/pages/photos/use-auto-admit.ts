/** Who is at the top of the page sees new photos at once; who is further down is told and not pushed about. */

import { useEffect, useState } from "react";

const TOP_PIXELS = 160;
const isAtTop = () => window.scrollY <= TOP_PIXELS;

/** Answers whether there are some that wait above. */
export function useAutoAdmit(waiting: number, admit: () => void): boolean {
  const [isTop, setTop] = useState(isAtTop);
  useEffect(() => {
    const look = () => setTop(isAtTop());
    window.addEventListener("scroll", look, { passive: true });
    return () => window.removeEventListener("scroll", look);
  }, []);
  useEffect(() => {
    if (waiting > 0 && isTop) admit();
  }, [waiting, isTop, admit]);
  return waiting > 0 && !isTop;
}
