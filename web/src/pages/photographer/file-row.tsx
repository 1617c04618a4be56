/** One file: its name as text whatever is in it, how it stands, and what one can do about it. */

import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Copy,
  FileQuestion,
  LoaderCircle,
  RotateCw,
  X,
} from "lucide-react";
import type { ReactNode } from "react";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { IconButton } from "../../ui/button.tsx";
import { classes } from "../../ui/classes.ts";
import style from "./file-row.module.css";
import { ReasonText } from "./reason-text.tsx";
import type { FileState, QueuedFile } from "./sending/queued-file.ts";
import type { UploadQueue } from "./sending/upload-queue.ts";

const ICONS: { [state in FileState]: ReactNode } = {
  waiting: <CircleDashed aria-hidden />,
  checking: <LoaderCircle aria-hidden className={style.turning} />,
  sending: <LoaderCircle aria-hidden className={style.turning} />,
  sent: <CircleCheck aria-hidden />,
  known: <Copy aria-hidden />,
  duplicate: <Copy aria-hidden />,
  refused: <CircleSlash aria-hidden />,
  failed: <CircleAlert aria-hidden />,
  missing: <FileQuestion aria-hidden />,
};

export function FileRow({ queue, row }: { queue: UploadQueue; row: QueuedFile }) {
  const { t } = useTexts("photographer");
  const { path, state, sentBytes, sizeBytes } = row;
  const name = path.split("/").at(-1) ?? path;
  return (
    <div className={style.row}>
      <span className={classes(style.icon, style[state])}>{ICONS[state]}</span>
      <div className={style.words}>
        <p className={style.name} title={path}>
          {name}
        </p>
        <p className={style.about}>
          <About row={row} />
        </p>
      </div>
      {state === "failed" && row.file && (
        <IconButton size="small" label={t("files.retry", { name })} onClick={() => queue.retry(row)}>
          <RotateCw aria-hidden />
        </IconButton>
      )}
      <IconButton size="small" label={t("files.remove", { name })} onClick={() => queue.remove(row)}>
        <X aria-hidden />
      </IconButton>
      {state === "sending" && (
        <progress
          className={style.bar}
          aria-label={t("files.progress", { name })}
          max={1}
          value={sizeBytes === 0 ? 1 : sentBytes / sizeBytes}
        />
      )}
    </div>
  );
}

function About({ row: { state, sizeBytes, sentBytes, reason, sameAs } }: { row: QueuedFile }) {
  const { t } = useTexts("photographer");
  const formats = useFormats();
  if (reason) return <ReasonText reason={reason} />;
  if (state === "duplicate" && sameAs) return t("files.sameAs", { name: sameAs });
  const size = formats.bytes(sizeBytes);
  if (state === "sending") return `${formats.percent(sentBytes / sizeBytes)} · ${size}`;
  return `${t(`files.states.${state}`)} · ${size}`;
}
