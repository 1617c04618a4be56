/** The two ways to one's photos, side by side: a bib, or a selfie. */

import { useNavigate } from "@tanstack/react-router";
import { ScanFace, Search } from "lucide-react";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import style from "./search-bar.module.css";

const SelfieDialog = lazy(() => import("./selfie-dialog.tsx").then((file) => ({ default: file.SelfieDialog })));

type SearchProps = { eventId: string; bib: string | undefined };

export function SearchBar({ eventId, bib }: SearchProps) {
  const { t } = useTexts("photos");
  const navigate = useNavigate();
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const asked = String(new FormData(event.currentTarget).get("bib")).trim();
    void navigate({ to: "/events/$eventId/photos", params: { eventId }, search: asked ? { bib: asked } : {} });
  };
  return (
    <search className={style.bar}>
      <form className={style.form} onSubmit={submit}>
        <TextField
          // Typed anew for another bib, which may come from a link.
          key={bib}
          label={t("search.bib")}
          name="bib"
          defaultValue={bib}
          placeholder={t("search.example")}
          autoComplete="off"
          autoCapitalize="characters"
          enterKeyHint="search"
          spellCheck={false}
          figures
        />
        <Button type="submit" look="main" icon={<Search aria-hidden />}>
          {t("search.submit")}
        </Button>
      </form>
      <span className={style.or}>{t("search.or")}</span>
      <SelfieButton eventId={eventId} bib={bib} />
    </search>
  );
}

export function SelfieButton({ eventId, bib, label }: SearchProps & { label?: string }) {
  const { t } = useTexts("photos");
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  // Stays there once opened, so that it can close as calmly as it came.
  const [isWanted, setWanted] = useState(false);
  const open = () => {
    setWanted(true);
    setOpen(true);
  };
  const showFound = () => {
    setOpen(false);
    void navigate({ to: "/events/$eventId/photos", params: { eventId }, search: { by: "selfie" } });
  };
  return (
    <>
      <Button icon={<ScanFace aria-hidden />} onClick={open} aria-haspopup="dialog">
        {label ?? t("search.selfie")}
      </Button>
      {isWanted && (
        <Suspense fallback={null}>
          <SelfieDialog eventId={eventId} bib={bib} open={isOpen} onClose={() => setOpen(false)} onFound={showFound} />
        </Suspense>
      )}
    </>
  );
}
