/** The address of the logo, with the logo as it will be shown. */

import { type ReactNode, useState } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { TextField } from "../../../ui/field.tsx";
import style from "./logo-field.module.css";

type LogoFieldProps = { value: string; onChange: (value: string) => void; refused: ReactNode };

export function LogoField({ value, onChange, refused }: LogoFieldProps) {
  const { t } = useTexts("organizer");
  const [broken, setBroken] = useState<string>();
  const address = value.trim();
  const isAddress = /^https?:\/\/./.test(address);
  const isShown = isAddress && broken !== address;
  return (
    <div className={style.logo}>
      <TextField
        label={t("organizations.logo")}
        hint={isAddress && !isShown ? t("organizations.logoBroken") : t("organizations.logoHint")}
        type="url"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        refused={refused}
        placeholder="https://"
        maxLength={500}
      />
      <span className={style.frame}>
        {isShown && <img src={address} alt={t("organizations.logoShown")} onError={() => setBroken(address)} />}
      </span>
    </div>
  );
}
