/** The form that makes an organization: its name is enough, the rest is proposed. */

import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../../api/call.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FormTrouble, useFieldErrors } from "../settings/field-errors.tsx";
import { refreshOrganizations } from "./organization-queries.ts";
import style from "./organizations.module.css";
import { proposeSubdomain } from "./subdomain.ts";

/** Leads on to the organization's own page. */
function useMaking() {
  const navigate = useNavigate();
  return useMutation({
    mutationFn: ({ name, subdomain }: { name: string; subdomain: string }) =>
      call("POST /admin/organizations", { body: { name, ...(subdomain && { subdomain }) } }),
    onSuccess: async ({ orgId }) => {
      await refreshOrganizations();
      await navigate({ to: "/organizer/organizations/$orgId", params: { orgId } });
    },
  });
}

export function NewOrganization() {
  const { t } = useTexts("organizer");
  const [name, setName] = useState("");
  const [typed, setTyped] = useState<string>();
  const subdomain = typed ?? proposeSubdomain(name);
  const make = useMaking();
  const wrong = useFieldErrors(make.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    make.mutate({ name, subdomain: subdomain.trim() });
  };
  return (
    <form onSubmit={submit} className={style.form}>
      <TextField
        label={t("organizations.name")}
        value={name}
        onChange={(event) => setName(event.target.value)}
        refused={wrong("name")}
        placeholder={t("organizations.nameExample")}
        autoComplete="organization"
        maxLength={200}
        required
      />
      <TextField
        label={t("organizations.subdomain")}
        hint={t("organizations.subdomainHint")}
        value={subdomain}
        onChange={(event) => setTyped(event.target.value)}
        refused={wrong("subdomain")}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={63}
      />
      <FormTrouble error={make.error} />
      <Button type="submit" look="main" busy={make.isPending}>
        {t("organizations.make")}
      </Button>
    </form>
  );
}
