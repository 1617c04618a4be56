/** Removing what can't be brought back: one types its name first. */

import { useMutation } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Trouble } from "../../../ui/states.tsx";
import style from "./remove-by-name.module.css";

type RemoveByNameProps = {
  name: string;
  title: string;
  text: string;
  remove: () => Promise<unknown>;
  onRemoved: () => Promise<unknown>;
};

export function RemoveByName(props: RemoveByNameProps) {
  const [open, setOpen] = useState(false);
  return (
    <Card className={style.card}>
      <p className={style.text}>{props.text}</p>
      <div>
        <Button look="danger" icon={<Trash2 aria-hidden />} onClick={() => setOpen(true)}>
          {props.title}
        </Button>
      </div>
      {open && <Question {...props} onClose={() => setOpen(false)} />}
    </Card>
  );
}

function Question({ name, title, text, remove, onRemoved, onClose }: RemoveByNameProps & { onClose: () => void }) {
  const { t } = useTexts("organizer");
  const [typed, setTyped] = useState("");
  const [isTold, setIsTold] = useState(false);
  const removal = useMutation({ mutationFn: remove, onSuccess: onRemoved });
  const isRight = sameText(typed, name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTold(!isRight);
    if (isRight) removal.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={title} description={text}>
      <form className={style.form} onSubmit={submit}>
        <p>
          {t("settings.typeName")} <strong className={style.name}>{name}</strong>
        </p>
        <TextField
          label={t("settings.nameAgain")}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          error={isTold && !isRight ? t("settings.otherName") : undefined}
          autoComplete="off"
          spellCheck={false}
        />
        {removal.isError && <Trouble error={removal.error} />}
        <Button type="submit" look="danger" busy={removal.isPending} icon={<Trash2 aria-hidden />}>
          {t("settings.removeForGood")}
        </Button>
      </form>
    </Dialog>
  );
}

/** Korean typed on a Mac is the same text in other parts. */
function sameText(a: string, b: string): boolean {
  return a.normalize("NFC").trim() === b.normalize("NFC").trim();
}
