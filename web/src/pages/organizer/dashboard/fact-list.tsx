/** Short facts by name, for dialogs; those without a value are left out. */

import type { ReactNode } from "react";
import style from "./fact-list.module.css";

export function FactList({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={style.facts}>
      {facts
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => (
          <div key={name} className={style.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
