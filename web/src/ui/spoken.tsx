/** Words for who listens to a page instead of looking at it. */

import type { ReactNode } from "react";
import style from "./spoken.module.css";

export function Spoken({ children }: { children: ReactNode }) {
  return <span className={style.spoken}>{children}</span>;
}
