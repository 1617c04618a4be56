/** One file, chosen or dropped anywhere on the page. */

import { FileUp } from "lucide-react";
import { useEffect, useEffectEvent, useId, useState } from "react";
import style from "./file-drop.module.css";

type FileDropProps = { label: string; hint: string; accept: string; onFile: (file: File) => void };

export function FileDrop({ label, hint, accept, onFile }: FileDropProps) {
  const id = useId();
  const isOver = usePageDrop(onFile);
  return (
    <label className={style.drop} data-over={isOver || undefined}>
      <FileUp aria-hidden />
      <span className={style.label}>{label}</span>
      <span className={style.hint} id={id}>
        {hint}
      </span>
      <input
        type="file"
        accept={accept}
        aria-describedby={id}
        className={style.input}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file) onFile(file);
          // So that the same file can be chosen again once it has changed.
          currentTarget.value = "";
        }}
      />
    </label>
  );
}

/** Answers whether something is held over the page now. */
function usePageDrop(onFile: (file: File) => void): boolean {
  const [isOver, setOver] = useState(false);
  const take = useEffectEvent(onFile);
  useEffect(() => {
    const over = (isNow: boolean) => (event: Event) => {
      event.preventDefault();
      setOver(isNow);
    };
    const drop = (event: DragEvent) => {
      over(false)(event);
      const [file] = event.dataTransfer?.files ?? [];
      if (file) take(file);
    };
    const listeners = { dragover: over(true), dragleave: over(false), drop: drop as (event: Event) => void };
    for (const [name, listen] of Object.entries(listeners)) document.addEventListener(name, listen);
    return () => {
      for (const [name, listen] of Object.entries(listeners)) document.removeEventListener(name, listen);
    };
  }, []);
  return isOver;
}
