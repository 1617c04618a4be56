/** How the pages look and speak, and signing out: a popover of the browser's own, so that it costs no first load. */

import { useNavigate } from "@tanstack/react-router";
import { LogOut, Settings2 } from "lucide-react";
import { useId, useRef } from "react";
import { signOut, useMe } from "../api/session.ts";
import { chooseLanguage, LANGUAGES, type Language } from "../texts/texts.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { SCHEMES, useScheme } from "../theme/scheme.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { ChoiceField } from "../ui/field.tsx";
import style from "./preferences.module.css";

/** Each in its own words, so that one finds one's own. */
const LANGUAGE_NAMES: { [Each in Language]: string } = { en: "English", ko: "한국어" };

export function Preferences() {
  const { t, language } = useTexts();
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  const [scheme, chooseScheme] = useScheme();
  const me = useMe();
  const navigate = useNavigate();
  const leave = async () => {
    popover.current?.hidePopover();
    await signOut();
    await navigate({ to: "/" });
  };
  return (
    <>
      <IconButton label={t("shell.preferences")} popoverTarget={id}>
        <Settings2 aria-hidden />
      </IconButton>
      <div id={id} ref={popover} popover="auto" className={style.popover}>
        <ChoiceField
          label={t("shell.language")}
          value={language as Language}
          choices={LANGUAGES.map((value) => ({ value, name: LANGUAGE_NAMES[value] }))}
          onChoose={(language) => void chooseLanguage(language)}
        />
        <ChoiceField
          label={t("shell.scheme")}
          value={scheme}
          choices={SCHEMES.map((value) => ({ value, name: t(`shell.schemes.${value}`) }))}
          onChoose={chooseScheme}
        />
        {me && (
          <Button look="quiet" icon={<LogOut aria-hidden />} onClick={() => void leave()}>
            {t("shell.signOut")}
          </Button>
        )}
      </div>
    </>
  );
}
