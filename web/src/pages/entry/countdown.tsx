/** How long until something happens, in figures that stand still while they change. */

import { useTexts } from "../../texts/use-texts.tsx";
import style from "./countdown.module.css";

const SECOND_MS = 1000;
const UNITS = [
  { name: "days", ms: 86_400 * SECOND_MS },
  { name: "hours", ms: 3600 * SECOND_MS },
  { name: "minutes", ms: 60 * SECOND_MS },
  { name: "seconds", ms: SECOND_MS },
] as const;

export function Countdown({ label, leftMs }: { label: string; leftMs: number }) {
  const { t } = useTexts("entry");
  let rest = Math.max(0, Math.ceil(leftMs / SECOND_MS) * SECOND_MS);
  const parts = UNITS.map(({ name, ms }) => {
    const count = Math.floor(rest / ms);
    rest -= count * ms;
    return { name, count };
  });
  const shown = parts[0]?.count ? parts : parts.slice(1);
  return (
    <div className={style.countdown}>
      <p className={style.label}>{label}</p>
      <p role="timer" className={style.parts}>
        {shown.map(({ name, count }) => (
          <span key={name} className={style.part}>
            <span className={style.count}>{String(count).padStart(2, "0")}</span>{" "}
            <span className={style.unit}>{t(`countdown.${name}`)}</span>
          </span>
        ))}
      </p>
    </div>
  );
}
