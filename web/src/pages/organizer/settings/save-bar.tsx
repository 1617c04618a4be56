/** What to do with changes that are not saved yet, and a question before one leaves them behind. */

import { useBlocker } from "@tanstack/react-router";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { classes } from "../../../ui/classes.ts";
import { Confirm } from "../../../ui/dialog.tsx";
import { FormTrouble } from "./field-errors.tsx";
import style from "./save-bar.module.css";

type SaveBarProps = {
  isChanged: boolean;
  busy: boolean;
  onDiscard: () => void;
  error: unknown;
  /** At the window's lower edge, for forms longer than it. */
  floating?: boolean;
};

export function SaveBar({ isChanged, busy, onDiscard, error, floating }: SaveBarProps) {
  const { t } = useTexts("organizer");
  return (
    <div className={classes(style.bar, floating && isChanged && style.floating)}>
      <FormTrouble error={error} />
      {!error && (
        <p className={style.words} role="status">
          {isChanged ? t("settings.unsaved") : t("settings.allSaved")}
        </p>
      )}
      <div className={style.actions}>
        <Button look="quiet" disabled={!isChanged || busy} onClick={onDiscard}>
          {t("settings.discard")}
        </Button>
        <Button type="submit" look="main" disabled={!isChanged} busy={busy}>
          {t("settings.save")}
        </Button>
      </div>
      <Leaving isChanged={isChanged} />
    </div>
  );
}

function Leaving({ isChanged }: { isChanged: boolean }) {
  const { t } = useTexts("organizer");
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  });
  return (
    <Confirm
      open={status === "blocked"}
      onCancel={() => reset?.()}
      onConfirm={() => proceed?.()}
      title={t("settings.leave")}
      description={t("settings.leaveText")}
      confirm={t("settings.leaveConfirm")}
      danger
    />
  );
}
