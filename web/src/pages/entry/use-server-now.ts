/** The server's clock, ticking at its full seconds; this machine's own may be minutes off. */

import { useEffect, useState } from "react";

const TICK_MS = 1000;

export function useServerNow(clockAheadMs: number): number {
  const read = () => Date.now() + clockAheadMs;
  const [, tick] = useState(0);
  useEffect(() => {
    let timer = 0;
    const next = () => {
      tick((count) => count + 1);
      timer = window.setTimeout(next, TICK_MS - ((Date.now() + clockAheadMs) % TICK_MS));
    };
    const onVisible = () => {
      window.clearTimeout(timer);
      next();
    };
    next();
    // A phone that slept has let many seconds go by.
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      window.clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [clockAheadMs]);
  return read();
}
