/** Adds a runner, or changes what is known of one. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../../api/call.ts";
import type { Runner } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.ts";
import { numberOf } from "../settings/event-form.ts";
import { FormTrouble, useFieldErrors } from "../settings/field-errors.tsx";
import fields from "../settings/fields.module.css";
import style from "./roster.module.css";
import { refreshRunners } from "./runner-queries.ts";

const NAMES = ["bib", "name", "team", "gender", "age", "finishTime"] as const;
type Form = { [Name in (typeof NAMES)[number]]: string };

type RunnerDialogProps = { eventId: string; runner?: Runner; onClose: () => void };

export function RunnerDialog({ eventId, runner, onClose }: RunnerDialogProps) {
  const { t } = useTexts("organizer");
  const [form, setForm] = useState(() => formOf(runner));
  const save = useMutation({
    mutationFn: () => store(eventId, runner, form),
    onSuccess: async ({ bib }) => {
      onClose();
      toast(t(runner ? "settings.saved" : "runners.added", { bib }));
      await refreshRunners(eventId);
    },
  });
  const wrong = useFieldErrors(save.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog open onClose={onClose} title={runner ? t("runners.edit", { bib: runner.bib }) : t("runners.add")}>
      <form className={style.form} onSubmit={submit} noValidate>
        <div className={fields.fields}>
          {NAMES.filter((name) => name !== "bib" || !runner).map((name) => (
            <TextField
              key={name}
              label={t(`runners.fields.${name}`)}
              value={form[name]}
              onChange={(event) => setForm({ ...form, [name]: event.target.value })}
              refused={wrong(name)}
              inputMode={name === "age" ? "numeric" : "text"}
              placeholder={name === "finishTime" ? "03:25:10" : undefined}
              autoComplete="off"
            />
          ))}
        </div>
        <FormTrouble error={save.error} />
        <Button type="submit" look="main" busy={save.isPending}>
          {runner ? t("settings.save") : t("runners.add")}
        </Button>
      </form>
    </Dialog>
  );
}

function formOf(runner: Runner | undefined): Form {
  const texts = NAMES.map((name) => [name, String(runner?.[name] ?? "")]);
  return Object.fromEntries(texts) as Form;
}

function store(eventId: string, runner: Runner | undefined, form: Form): Promise<Runner> {
  const { bib, age, ...texts } = form;
  const emptied = Object.entries(texts).map(([name, text]) => [name, text.trim() || null]);
  const body = { ...Object.fromEntries(emptied), age: age.trim() === "" ? null : ageOf(age) };
  if (!runner) return call("POST /admin/events/{eventId}/runners", { path: { eventId }, body: { bib, ...body } });
  return call("PATCH /admin/events/{eventId}/runners/{bib}", { path: { eventId, bib: runner.bib }, body });
}

/** What is no number is sent as something the server refuses, rather than as no age. */
function ageOf(text: string): number {
  const age = numberOf(text.normalize("NFKC"));
  return Number.isNaN(age) ? -1 : age;
}
