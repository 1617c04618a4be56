/** Where photos or whole folders are dropped or chosen. */

import { FolderOpen, ImagePlus, Upload } from "lucide-react";
import { type ChangeEvent, type InputHTMLAttributes, useRef, useState } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import { toast } from "../../ui/toast.ts";
import style from "./drop-area.module.css";
import { type Found, filesOfDrop, filesOfInput, pickWithHandles } from "./sending/find-files.ts";
import type { UploadQueue } from "./sending/upload-queue.ts";
import { useDrop } from "./use-drop.ts";

const TYPES = ".jpg,.jpeg,.jpe,.png,.webp,.tif,.tiff,.avif,.gif";
/** The types of React do not know it. */
const whole = { webkitdirectory: "" } as InputHTMLAttributes<HTMLInputElement>;

/** `small` once there are files, which then matter more. */
export function DropArea({ queue, small }: { queue: UploadQueue; small: boolean }) {
  const { t } = useTexts("photographer");
  const { isReading, add } = useAdding(queue);
  const isOver = useDrop((dropped) => void add(filesOfDrop(dropped)));
  const folder = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const choose = async (what: "folder" | "files") => {
    const picked = await pickWithHandles(what);
    if (picked === "unsupported") (what === "folder" ? folder : files).current?.click();
    else if (picked) await add(Promise.resolve(picked));
  };
  const chosen = ({ target }: ChangeEvent<HTMLInputElement>) => {
    void add(Promise.resolve(filesOfInput(target)));
    // Choosing the same again is a change, too.
    target.value = "";
  };
  return (
    <section className={classes(style.area, small && style.small, isOver && style.over)} aria-label={t("drop.title")}>
      {!small && <Upload aria-hidden className={style.icon} />}
      <div className={style.words}>
        {!small && <p className={style.title}>{t("drop.title")}</p>}
        <p className={classes(style.hint, style.drop)}>{small ? t("drop.more") : t("drop.drop")}</p>
        {!small && <p className={style.hint}>{t("drop.hint")}</p>}
      </div>
      <div className={style.buttons}>
        <Button
          look={small ? "plain" : "main"}
          busy={isReading}
          icon={<FolderOpen aria-hidden />}
          onClick={() => void choose("folder")}
        >
          {t("drop.folder")}
        </Button>
        <Button busy={isReading} icon={<ImagePlus aria-hidden />} onClick={() => void choose("files")}>
          {t("drop.files")}
        </Button>
      </div>
      <input ref={folder} type="file" hidden multiple {...whole} onChange={chosen} data-choose="folder" />
      <input ref={files} type="file" hidden multiple accept={TYPES} onChange={chosen} data-choose="files" />
    </section>
  );
}

/** Reading a folder of thousands takes a moment. */
function useAdding(queue: UploadQueue) {
  const { t } = useTexts("photographer");
  const [isReading, setReading] = useState(false);
  const add = async (finding: Promise<Found>) => {
    setReading(true);
    try {
      const { added, skipped } = queue.add(await finding);
      if (added === 0 && skipped === 0) toast(t("drop.nothing"), { tone: "bad" });
      else if (skipped > 0) toast(t("drop.skipped", { count: skipped }));
    } catch {
      toast(t("drop.unreadable"), { tone: "bad" });
    } finally {
      setReading(false);
    }
  };
  return { isReading, add };
}
