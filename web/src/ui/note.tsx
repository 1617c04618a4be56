/** A sentence that must be seen: that something waits, is lost, or went well. */

import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import style from "./note.module.css";

export function Note({
  tone = "neutral",
  icon,
  children,
}: {
  tone?: "neutral" | "good" | "warn" | "accent";
  icon?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={classes(style.note, style[tone])} role="status">
      {icon}
      <div className={style.words}>{children}</div>
    </div>
  );
}
