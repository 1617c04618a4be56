/** A question or a task in front of the page. Escape, the backdrop and the cross close it; focus comes back to where it was. */

import { AlertDialog as BaseAlert } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useTexts } from "../texts/use-texts.tsx";
import { Button, IconButton } from "./button.tsx";
import { classes } from "./classes.ts";
import style from "./dialog.module.css";

type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
};

export function Dialog({ open, onClose, title, description, children, actions, wide }: DialogProps) {
  const { t } = useTexts();
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={style.backdrop} />
        <Base.Popup className={classes(style.popup, wide && style.wide)}>
          <div className={style.top}>
            <Base.Title className={style.title}>{title}</Base.Title>
            <Base.Close
              render={
                <IconButton label={t("close")} size="small">
                  <X aria-hidden />
                </IconButton>
              }
            />
          </div>
          {description && <Base.Description className={style.description}>{description}</Base.Description>}
          {children}
          {actions && <div className={style.actions}>{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

type ConfirmProps = {
  open: boolean;
  onCancel: () => void;
  onConfirm: () => void;
  title: ReactNode;
  description: ReactNode;
  confirm: ReactNode;
  danger?: boolean;
  busy?: boolean | undefined;
  children?: ReactNode;
};

/** For what can't be undone: it only closes by an answer or Escape. */
export function Confirm({
  open,
  onCancel,
  onConfirm,
  title,
  description,
  confirm,
  danger,
  busy,
  children,
}: ConfirmProps) {
  const { t } = useTexts();
  return (
    <BaseAlert.Root open={open} onOpenChange={(next) => !next && onCancel()}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={style.backdrop} />
        <BaseAlert.Popup className={style.popup}>
          <BaseAlert.Title className={style.title}>{title}</BaseAlert.Title>
          <BaseAlert.Description className={style.description}>{description}</BaseAlert.Description>
          {children}
          <div className={style.actions}>
            <BaseAlert.Close render={<Button>{t("cancel")}</Button>} />
            <Button look={danger ? "danger" : "main"} busy={busy} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  );
}
