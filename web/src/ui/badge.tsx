/** A word that says how something stands; never by colour alone. */

import type { ReactNode } from "react";
import style from "./badge.module.css";
import { classes } from "./classes.ts";

export type Tone = "good" | "warn" | "bad" | "accent" | "neutral";

export function Badge({ tone = "neutral", icon, children }: { tone?: Tone; icon?: ReactNode; children: ReactNode }) {
  return (
    <span className={classes(style.badge, style[tone])}>
      {icon}
      {children}
    </span>
  );
}
