/** Steps one after the other: what is done, and when the rest is due. */

import { Circle, CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../../../ui/classes.ts";
import style from "./steps.module.css";

type Step = { name: ReactNode; isDone: boolean; note: ReactNode };

export function Steps({ steps }: { steps: Step[] }) {
  return (
    <ol className={style.steps}>
      {steps.map(({ name, isDone, note }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: steps do not move.
        <li key={i} className={classes(style.step, isDone && style.done)}>
          {isDone ? <CircleCheck aria-hidden /> : <Circle aria-hidden />}
          <span className={style.name}>{name}</span>
          {note && <span className={style.note}>{note}</span>}
        </li>
      ))}
    </ol>
  );
}
