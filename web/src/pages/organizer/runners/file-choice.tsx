/** Where a CSV file is dropped or chosen, with what it may hold and a sample to start from. */

import { Download, FileSpreadsheet } from "lucide-react";
import { type DragEvent, useMemo, useState } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { ButtonAnchor } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { COLUMN_FIELDS, namesOf } from "./file-columns.ts";
import style from "./import-dialog.module.css";

type FileChoiceProps = { chosen: string | undefined; onChoose: (file: File) => void };

export function FileChoice({ chosen, onChoose }: FileChoiceProps) {
  const { t } = useTexts("organizer");
  const [isOver, setIsOver] = useState(false);
  const take = (files: FileList | null) => {
    const file = files?.[0];
    if (file) onChoose(file);
  };
  const drag = (event: DragEvent, files: FileList | null) => {
    event.preventDefault();
    setIsOver(files === null);
    take(files);
  };
  return (
    <>
      <label
        className={classes(style.drop, isOver && style.over, chosen !== undefined && style.taken)}
        onDragOver={(event) => drag(event, null)}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => drag(event, event.dataTransfer.files)}
      >
        <FileSpreadsheet aria-hidden />
        <strong>{chosen ?? t("runners.drop")}</strong>
        <span>{chosen === undefined ? t("runners.dropText") : t("runners.dropOther")}</span>
        <input
          type="file"
          accept=".csv,.tsv,.txt,text/csv"
          className={style.input}
          onChange={(event) => {
            take(event.target.files);
            // The same file, once mended, is a choice again.
            event.target.value = "";
          }}
        />
      </label>
      {chosen === undefined && <About />}
    </>
  );
}

function About() {
  const { t, language } = useTexts("organizer");
  const sample = useMemo(() => sampleAddress(language), [language]);
  const names = COLUMN_FIELDS.slice(0, 6).map(
    (field) => namesOf(field)[language === "ko" ? namesOf(field).length - 1 : 0],
  );
  return (
    <div className={style.about}>
      <p>{t("runners.columns", { names: names.join(", ") })}</p>
      <ButtonAnchor size="small" href={sample} download="runners-sample.csv" icon={<Download aria-hidden />}>
        {t("runners.sample")}
      </ButtonAnchor>
    </div>
  );
}

/** With the mark by which Excel knows UTF-8. */
function sampleAddress(language: string): string {
  const rows =
    language === "ko"
      ? ["배번,이름,성별,나이,소속,기록", "1,김민지,F,31,한강 러너스,", "2,이준호,M,45,,03:25:10"]
      : ["bib,name,gender,age,team,finish_time", "1,Minji Kim,F,31,Han River Runners,", "2,Juno Lee,M,45,,03:25:10"];
  return `data:text/csv;charset=utf-8,${encodeURIComponent(`\ufeff${rows.join("\r\n")}\r\n`)}`;
}
