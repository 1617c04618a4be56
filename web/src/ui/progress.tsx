/** How far something is, as a bar with its words. */

import { useId } from "react";
import { classes } from "./classes.ts";
import style from "./progress.module.css";

type ProgressProps = {
  label: string;
  /** From 0 to 1; `undefined` while nobody knows. */
  share: number | undefined;
  /** What is shown at its right end. */
  note?: string | undefined;
  tone?: "accent" | "good" | "bad";
  hideLabel?: boolean;
};

export function Progress({ label, share, note, tone = "accent", hideLabel }: ProgressProps) {
  const id = useId();
  return (
    <div className={style.progress}>
      <div className={classes(style.words, hideLabel && style.hidden)}>
        <span id={id}>{label}</span>
        {note && <span className={style.note}>{note}</span>}
      </div>
      <progress className={classes(style.bar, style[tone])} aria-labelledby={id} max={1} value={share} />
    </div>
  );
}
