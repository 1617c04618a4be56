/** The bib pattern, and sample texts to see which of them it would take for a bib. */

import { type ReactNode, useState } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextArea, TextField } from "../../../ui/field.tsx";
import { compilePattern, DEFAULT_BIB_PATTERN, readText, type Verdict, verdictOf } from "./bib-pattern.ts";
import style from "./bib-pattern-field.module.css";

const SAMPLES = "1024, A37, 0815, 10K, FINISH, 2027-05";
const MOST_SHOWN = 30;
const TONES = { bib: "good", partial: "warn", other: "neutral" } as const;
/** Ready-made ones, for who does not write such patterns. */
const USUAL = [
  { name: "usual", pattern: DEFAULT_BIB_PATTERN },
  { name: "digits", pattern: "[0-9]{1,5}" },
  { name: "four", pattern: "[0-9]{4}" },
  { name: "letter", pattern: "[A-Z][0-9]{3,5}" },
] as const;

type BibPatternFieldProps = { value: string; onChange: (value: string) => void; refused: ReactNode };

export function BibPatternField({ value, onChange, refused }: BibPatternFieldProps) {
  const { t } = useTexts("organizer");
  const [samples, setSamples] = useState(SAMPLES);
  const pattern = compilePattern(value);
  return (
    <div className={style.pattern}>
      <h3>{t("settings.bibs")}</h3>
      <div className={style.halves}>
        <div className={style.half}>
          <TextField
            label={t("settings.bibPattern")}
            hint={t("settings.bibPatternHint")}
            className={style.code}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            error={pattern ? undefined : t("settings.wrong.bibPattern")}
            refused={refused}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={100}
          />
          <UsualPatterns value={value} onChange={onChange} />
        </div>
        <div className={style.half}>
          <TextArea
            label={t("settings.samples")}
            hint={t("settings.samplesHint")}
            rows={2}
            value={samples}
            onChange={(event) => setSamples(event.target.value)}
          />
          {pattern && <Verdicts texts={splitTexts(samples)} source={value} pattern={pattern} />}
        </div>
      </div>
    </div>
  );
}

function UsualPatterns({ value, onChange }: Omit<BibPatternFieldProps, "refused">) {
  const { t } = useTexts("organizer");
  return (
    <div className={style.usual}>
      {USUAL.map(({ name, pattern }) => (
        <Button key={name} size="small" aria-pressed={value === pattern} onClick={() => onChange(pattern)}>
          {t(`settings.patterns.${name}`)}
        </Button>
      ))}
    </div>
  );
}

function Verdicts({ texts, source, pattern }: { texts: string[]; source: string; pattern: RegExp }) {
  const { t } = useTexts("organizer");
  return (
    <ul className={style.verdicts} aria-label={t("settings.verdicts")}>
      {texts.map((text) => {
        const verdict: Verdict = verdictOf(text, source, pattern);
        return (
          <li key={text}>
            <code className={style.text}>{readText(text)}</code>
            <Badge tone={TONES[verdict]}>{t(`settings.verdict.${verdict}`)}</Badge>
          </li>
        );
      })}
    </ul>
  );
}

function splitTexts(samples: string): string[] {
  const texts = samples.split(/[,\n]/).map((text) => text.trim());
  return [...new Set(texts.filter(Boolean))].slice(0, MOST_SHOWN);
}
