/** The organization's colour, with what becomes of it: a button and a link, in light and dark. */

import type { CSSProperties, ReactNode } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { type AccentColours, accentColours } from "../../../theme/accent.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import style from "./accent-field.module.css";

/** What an input for colours shows while none is chosen: the pages' own. */
const OWN = "#c2410c";

type AccentFieldProps = { value: string; onChange: (value: string) => void; refused: ReactNode };

export function AccentField({ value, onChange, refused }: AccentFieldProps) {
  const { t } = useTexts("organizer");
  const colours = accentColours(value);
  return (
    <div className={style.accent}>
      <div className={style.inputs}>
        <TextField
          label={t("organizations.colour")}
          type="color"
          className={style.colour}
          value={colours ? value : OWN}
          onChange={(event) => onChange(event.target.value)}
        />
        <TextField
          label={t("organizations.colourCode")}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          refused={refused}
          placeholder={OWN}
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
        />
        {value !== "" && (
          <Button look="quiet" onClick={() => onChange("")}>
            {t("organizations.noColour")}
          </Button>
        )}
      </div>
      <p className={style.about}>{t("organizations.colourHint")}</p>
      <div className={style.previews}>
        <Preview scheme="light" colours={colours} />
        <Preview scheme="dark" colours={colours} />
      </div>
    </div>
  );
}

function Preview({ scheme, colours }: { scheme: "light" | "dark"; colours: AccentColours | undefined }) {
  const { t } = useTexts("organizer");
  const values = colours && {
    "--accent-light": colours.light,
    "--accent-dark": colours.dark,
    "--accent-fill": colours.fill,
    "--on-accent-fill": colours.onFill,
  };
  return (
    <div className={style.preview} data-theme={scheme} style={values as CSSProperties | undefined} inert>
      <p className={style.scheme}>{t(`organizations.${scheme}`)}</p>
      <Button look="main">{t("organizations.sampleButton")}</Button>
      <span className={style.row}>
        <span className={style.link}>{t("organizations.sampleLink")}</span>
        <Badge tone="accent">{t("organizations.sampleBadge")}</Badge>
      </span>
      {colours && (
        <code className={style.code}>
          {colours[scheme]} · {colours.fill}
        </code>
      )}
    </div>
  );
}
