/** Short notes at the edge of the page that go by themselves: something was done, or could not be. */

import { Toast } from "@base-ui/react/toast";
import { X } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { useTexts } from "../texts/use-texts.tsx";
import { IconButton } from "./button.tsx";
import { classes } from "./classes.ts";
import style from "./toast-list.module.css";

const manager = Toast.createToastManager();
type Asked = Parameters<typeof manager.add>[0];
/** Those that came before the list was there: nobody would hear of them. */
const early: Asked[] = [];
let isShown = false;

export function addToast(title: ReactNode, tone: "good" | "bad"): void {
  const asked: Asked = { title, type: tone, timeout: tone === "bad" ? 10_000 : 5000 };
  if (isShown) manager.add(asked);
  else early.push(asked);
}

export function ToastList() {
  useEffect(() => {
    isShown = true;
    for (const asked of early.splice(0)) manager.add(asked);
    return () => {
      isShown = false;
    };
  }, []);
  return (
    <Toast.Provider toastManager={manager}>
      <Toast.Portal>
        <Toast.Viewport className={style.viewport}>
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function List() {
  const { t } = useTexts();
  const { toasts } = Toast.useToastManager();
  return toasts.map((each) => (
    <Toast.Root key={each.id} toast={each} className={classes(style.toast, each.type === "bad" && style.bad)}>
      <Toast.Title className={style.title} />
      <Toast.Close
        render={
          <IconButton label={t("close")} size="small">
            <X aria-hidden />
          </IconButton>
        }
      />
    </Toast.Root>
  ));
}
