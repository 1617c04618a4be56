/** A selfie, from consent to what it found or why it found nothing. */

import { Camera, ImageUp } from "lucide-react";
import { type ChangeEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { CheckField } from "../../ui/field.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Trouble } from "../../ui/states.tsx";
import style from "./selfie-dialog.module.css";
import { keepSelfie } from "./selfie-found.ts";
import { sendSelfie } from "./send-selfie.ts";

type SelfieProps = {
  eventId: string;
  bib: string | undefined;
  open: boolean;
  onClose: () => void;
  onFound: () => void;
};

/** Phones turn their HEIC pictures into one of these when nothing else is taken. */
const CHOSEN_TYPES = "image/jpeg,image/png,image/webp";

export function SelfieDialog({ eventId, bib, open, onClose, onFound }: SelfieProps) {
  const { t } = useTexts("photos");
  const [agrees, setAgrees] = useState(false);
  const search = useSelfieSearch(eventId, bib, onFound);
  useEffect(() => {
    if (!open) search.stop();
  }, [open, search.stop]);
  return (
    <Dialog open={open} onClose={onClose} title={t("selfie.title")} description={t("selfie.lead")}>
      <ul className={style.promises}>
        <li>{t("selfie.promiseUse")}</li>
        <li>{t("selfie.promiseKeep")}</li>
        <li>{t("selfie.promiseOwn")}</li>
      </ul>
      <CheckField
        label={t("selfie.agree")}
        checked={agrees}
        onChange={(event) => setAgrees(event.currentTarget.checked)}
      />
      {search.error !== undefined && <Trouble error={search.error} />}
      <div aria-live="polite">{search.picture && <Searching portrait={search.picture} share={search.share} />}</div>
      {!search.picture && <Ways isEnabled={agrees} onPicture={search.start} />}
    </Dialog>
  );
}

function Searching({ portrait, share }: { portrait: string; share: number }) {
  const { t } = useTexts("photos");
  const isSent = share >= 1;
  return (
    <div className={style.searching}>
      <img src={portrait} alt={t("selfie.yours")} className={style.portrait} />
      <Progress label={isSent ? t("selfie.looking") : t("selfie.sending")} share={isSent ? undefined : share} />
    </div>
  );
}

type WaysProps = { isEnabled: boolean; onPicture: (picture: File) => void };

/** A computer's camera can't be asked for this way. */
const hasCamera = () => window.matchMedia("(pointer: coarse)").matches;

function Ways({ isEnabled, onPicture }: WaysProps) {
  const { t } = useTexts("photos");
  const camera = hasCamera();
  const rest = { isEnabled, onPicture };
  return (
    <div className={style.ways}>
      {camera && (
        <Way
          {...rest}
          look="main"
          label={t("selfie.take")}
          icon={<Camera aria-hidden />}
          accept="image/*"
          capture="user"
        />
      )}
      <Way
        {...rest}
        look={camera ? "plain" : "main"}
        label={t("selfie.choose")}
        icon={<ImageUp aria-hidden />}
        accept={CHOSEN_TYPES}
      />
      {!isEnabled && <p className={style.hint}>{t("selfie.agreeFirst")}</p>}
    </div>
  );
}

type WayProps = WaysProps & {
  look: "main" | "plain";
  label: string;
  icon: ReactNode;
  accept: string;
  capture?: "user";
};

function Way({ look, label, icon, isEnabled, onPicture, ...file }: WayProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    const [picture] = event.currentTarget.files ?? [];
    event.currentTarget.value = "";
    if (picture) onPicture(picture);
  };
  return (
    <>
      <Button look={look} wide disabled={!isEnabled} icon={icon} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input {...file} ref={input} type="file" hidden disabled={!isEnabled} onChange={take} />
    </>
  );
}

function useSelfieSearch(eventId: string, bib: string | undefined, onFound: () => void) {
  const [picture, setPicture] = useState<string>();
  const [share, setShare] = useState(0);
  const [error, setError] = useState<unknown>();
  const under = useRef<AbortController>(undefined);
  const stop = useRef(() => under.current?.abort()).current;
  const start = async (file: File) => {
    stop();
    const control = new AbortController();
    under.current = control;
    const portrait = URL.createObjectURL(file);
    setPicture(portrait);
    setShare(0);
    setError(undefined);
    try {
      const answer = await sendSelfie({ eventId, bib, picture: file, onProgress: setShare, signal: control.signal });
      keepSelfie(eventId, { ...answer, portrait, bib });
      onFound();
    } catch (refusal) {
      URL.revokeObjectURL(portrait);
      if (!control.signal.aborted) setError(refusal);
    } finally {
      if (under.current === control) setPicture(undefined);
    }
  };
  return { picture, share, error, start, stop };
}
