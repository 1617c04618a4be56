/** An organization's name, subdomain, colour, logo and website. */

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../../api/call.ts";
import { organizationQuery } from "../../../api/organizer-queries.ts";
import { queries } from "../../../api/queries.ts";
import type { Organization } from "../../../api/types.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Card } from "../../../ui/card.tsx";
import { TextField } from "../../../ui/field.tsx";
import { toast } from "../../../ui/toast.ts";
import { same } from "../settings/event-change.ts";
import { useFieldErrors } from "../settings/field-errors.tsx";
import fields from "../settings/fields.module.css";
import { SaveBar } from "../settings/save-bar.tsx";
import { AccentField } from "./accent-field.tsx";
import { LogoField } from "./logo-field.tsx";
import { refreshOrganizations } from "./organization-queries.ts";

type Identity = { name: string; subdomain: string; accentColor: string; logoUrl: string; websiteUrl: string };

export function IdentityForm({ organization }: { organization: Organization }) {
  const { t } = useTexts("organizer");
  const { orgId } = organization;
  const [stored, setStored] = useState(() => identityOf(organization));
  const [form, setForm] = useState(stored);
  const save = useMutation({
    mutationFn: () => call("PATCH /admin/organizations/{orgId}", { path: { orgId }, body: bodyOf(form) }),
    onSuccess: async (changed) => {
      queries.setQueryData(organizationQuery(orgId).queryKey, changed);
      setStored(identityOf(changed));
      setForm(identityOf(changed));
      toast(t("settings.saved"));
      await refreshOrganizations();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const discard = () => {
    setForm(stored);
    save.reset();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Card>
        <Fields form={form} onChange={(change) => setForm({ ...form, ...change })} error={save.error} />
        <SaveBar isChanged={!same(form, stored)} busy={save.isPending} onDiscard={discard} error={save.error} />
      </Card>
    </form>
  );
}

type FieldsProps = { form: Identity; onChange: (change: Partial<Identity>) => void; error: unknown };

function Fields({ form, onChange, error }: FieldsProps) {
  const { t } = useTexts("organizer");
  const wrong = useFieldErrors(error);
  return (
    <div className={fields.fields}>
      <TextField
        label={t("organizations.name")}
        value={form.name}
        onChange={(event) => onChange({ name: event.target.value })}
        refused={wrong("name")}
        maxLength={200}
        autoComplete="off"
      />
      <TextField
        label={t("organizations.subdomain")}
        hint={t("organizations.subdomainHint")}
        value={form.subdomain}
        onChange={(event) => onChange({ subdomain: event.target.value })}
        refused={wrong("subdomain")}
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <div className={fields.wide}>
        <AccentField
          value={form.accentColor}
          onChange={(accentColor) => onChange({ accentColor })}
          refused={wrong("branding.accentColor")}
        />
      </div>
      <LogoField
        value={form.logoUrl}
        onChange={(logoUrl) => onChange({ logoUrl })}
        refused={wrong("branding.logoUrl")}
      />
      <TextField
        label={t("organizations.website")}
        type="url"
        value={form.websiteUrl}
        onChange={(event) => onChange({ websiteUrl: event.target.value })}
        refused={wrong("branding.websiteUrl")}
        placeholder="https://"
        maxLength={500}
      />
    </div>
  );
}

function identityOf({ name, subdomain, branding }: Organization): Identity {
  const { accentColor = "", logoUrl = "", websiteUrl = "" } = branding;
  return { name, subdomain, accentColor, logoUrl, websiteUrl };
}

function bodyOf({ name, subdomain, ...branding }: Identity) {
  const set = Object.entries(branding).filter(([, value]) => value.trim() !== "");
  return { name, subdomain, branding: Object.fromEntries(set.map(([field, value]) => [field, value.trim()])) };
}
