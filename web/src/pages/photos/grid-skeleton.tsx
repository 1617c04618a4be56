/** Grey rows where the photos will be. */

import { useTexts } from "../../texts/use-texts.tsx";
import style from "./grid-skeleton.module.css";

const SHAPES = [3, 2, 3, 3, 3, 2, 3, 3, 2, 3, 3, 3];

export function GridSkeleton() {
  const { t } = useTexts();
  return (
    <div role="status" aria-label={t("loading")} className={style.grid}>
      {SHAPES.map((share, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
        <span key={place} className={style.tile} style={{ flexGrow: share }} />
      ))}
    </div>
  );
}
