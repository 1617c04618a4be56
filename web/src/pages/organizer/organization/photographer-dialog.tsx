/** Registers a photographer, or changes what is known of one. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../../api/call.ts";
import { queries } from "../../../api/queries.ts";
import type { Photographer } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { CheckField, TextArea, TextField } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.ts";
import { FormTrouble, useFieldErrors } from "../settings/field-errors.tsx";
import fields from "../settings/fields.module.css";
import { photographersQuery } from "./organization-queries.ts";
import style from "./people.module.css";

type Form = { [Name in "name" | "displayName" | "email" | "instagramHandle" | "websiteUrl" | "bio"]: string } & {
  active: boolean;
};

type PhotographerDialogProps = { orgId: string; photographer?: Photographer; onClose: () => void };

export function PhotographerDialog({ orgId, photographer, onClose }: PhotographerDialogProps) {
  const { t } = useTexts("organizer");
  const [form, setForm] = useState(() => formOf(photographer));
  const save = useMutation({
    mutationFn: () => store(orgId, photographer, form),
    onSuccess: async ({ displayName: name }) => {
      onClose();
      toast(t(photographer ? "settings.saved" : "organizations.registered", { name }));
      await queries.invalidateQueries({ queryKey: photographersQuery(orgId).queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={photographer ? t("organizations.edit", { name: photographer.displayName }) : t("organizations.register")}
      description={t("organizations.photographerText")}
    >
      <form className={style.form} onSubmit={submit} noValidate>
        <Fields form={form} onChange={(change) => setForm({ ...form, ...change })} error={save.error} />
        <FormTrouble error={save.error} />
        <Button type="submit" look="main" busy={save.isPending}>
          {photographer ? t("settings.save") : t("organizations.register")}
        </Button>
      </form>
    </Dialog>
  );
}

type FieldsProps = { form: Form; onChange: (change: Partial<Form>) => void; error: unknown };

function Fields({ form, onChange, error }: FieldsProps) {
  const { t } = useTexts("organizer");
  const wrong = useFieldErrors(error);
  const text = (name: "name" | "displayName" | "email" | "instagramHandle" | "websiteUrl") => ({
    label: t(`organizations.photographer.${name}`),
    value: form[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
    refused: wrong(name),
    autoComplete: "off",
  });
  return (
    <div className={fields.fields}>
      <TextField {...text("name")} hint={t("organizations.photographer.nameHint")} maxLength={100} />
      <TextField {...text("displayName")} hint={t("organizations.photographer.displayNameHint")} maxLength={100} />
      <TextField {...text("email")} hint={t("organizations.photographer.emailHint")} type="email" />
      <TextField {...text("instagramHandle")} placeholder="@" autoCapitalize="none" spellCheck={false} maxLength={31} />
      <TextField {...text("websiteUrl")} type="url" placeholder="https://" maxLength={500} />
      <div className={fields.wide}>
        <TextArea
          label={t("organizations.photographer.bio")}
          rows={3}
          value={form.bio}
          onChange={(event) => onChange({ bio: event.target.value })}
          refused={wrong("bio")}
          maxLength={2000}
        />
        <CheckField
          label={t("organizations.photographer.active")}
          hint={t("organizations.photographer.activeHint")}
          checked={form.active}
          onChange={(event) => onChange({ active: event.target.checked })}
        />
      </div>
    </div>
  );
}

function formOf(photographer: Photographer | undefined): Form {
  return {
    name: photographer?.name ?? "",
    displayName: photographer?.displayName ?? "",
    email: photographer?.email ?? "",
    instagramHandle: photographer?.instagramHandle ?? "",
    websiteUrl: photographer?.websiteUrl ?? "",
    bio: photographer?.bio ?? "",
    active: photographer?.active ?? true,
  };
}

function store(orgId: string, photographer: Photographer | undefined, form: Form): Promise<Photographer> {
  const { name, displayName, active, ...rest } = form;
  const emptied = Object.entries(rest).map(([field, value]) => [field, value.trim() || null]);
  const body = { name, displayName: displayName.trim() || name, active, ...Object.fromEntries(emptied) };
  if (!photographer) {
    return call("POST /admin/organizations/{orgId}/photographers", { path: { orgId }, body });
  }
  const path = { orgId, photographerId: photographer.photographerId };
  return call("PATCH /admin/organizations/{orgId}/photographers/{photographerId}", { path, body });
}
