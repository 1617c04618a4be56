/** What an import would do, before it does. */

import type { ImportReport } from "../../../api/types.ts";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { Figure, Figures } from "../../../ui/figure.tsx";
import style from "./import-dialog.module.css";

type ImportPreviewProps = { report: ImportReport; busy: boolean; onImport: () => void };

export function ImportPreview({ report, busy, onImport }: ImportPreviewProps) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { rows, added, updated, unchanged, outsidePattern } = report;
  const isNews = added + updated > 0;
  return (
    <div className={style.report}>
      <p role="status">{t(isNews ? "runners.fine" : "runners.nothingNew", { count: rows })}</p>
      <Figures>
        <Figure label={t("runners.toAdd")} value={formats.number(added)} />
        <Figure label={t("runners.toChange")} value={formats.number(updated)} />
        <Figure label={t("runners.same")} value={formats.number(unchanged)} />
      </Figures>
      {outsidePattern > 0 && <p className={style.warning}>{t("runners.outsidePattern", { count: outsidePattern })}</p>}
      <div className={style.end}>
        <Button look="main" busy={busy} disabled={!isNews} onClick={onImport}>
          {t("runners.doImport", { count: added + updated })}
        </Button>
      </div>
    </div>
  );
}
