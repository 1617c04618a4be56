/** A number that matters, large, with what it counts. */

import type { ReactNode } from "react";
import style from "./figure.module.css";

export function Figures({ children }: { children: ReactNode }) {
  return <dl className={style.figures}>{children}</dl>;
}

export function Figure({ label, value, note }: { label: ReactNode; value: ReactNode; note?: ReactNode }) {
  return (
    <div className={style.figure}>
      <dt>{label}</dt>
      <dd className={style.value}>{value}</dd>
      {note && <dd className={style.note}>{note}</dd>}
    </div>
  );
}
