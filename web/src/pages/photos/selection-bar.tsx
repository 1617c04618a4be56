/** At the edge of the window while photos are chosen: how many, and all of them as one file. */

import { Download, X } from "lucide-react";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonAnchor, IconButton } from "../../ui/button.tsx";
import { chosenZipAddress, MOST_IN_ZIP } from "./photo-addresses.ts";
import style from "./selection-bar.module.css";

type BarProps = { eventId: string; chosen: ReadonlySet<string>; onClear: () => void };

export function SelectionBar({ eventId, chosen, onClear }: BarProps) {
  const { t } = useTexts("photos");
  const count = chosen.size;
  const isTooMany = count > MOST_IN_ZIP;
  return (
    <section aria-label={t("select.bar")} className={style.place}>
      <p className={style.spoken} role="status">
        {count > 0 ? t("select.chosen", { count }) : ""}
      </p>
      {count > 0 && (
        <div className={style.bar}>
          <IconButton label={t("select.clear")} onClick={onClear}>
            <X aria-hidden />
          </IconButton>
          <p className={style.words} aria-hidden>
            {isTooMany ? t("select.tooMany", { count, most: MOST_IN_ZIP }) : t("select.chosen", { count })}
          </p>
          {!isTooMany && (
            <ButtonAnchor look="main" href={chosenZipAddress(eventId, chosen)} download icon={<Download aria-hidden />}>
              {t("select.zip")}
            </ButtonAnchor>
          )}
        </div>
      )}
    </section>
  );
}
