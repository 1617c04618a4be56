/** How a photographer is named beside their photos, and the form to change it. */

import { useMutation, useQuery } from "@tanstack/react-query";
import { AtSign, Globe, Pencil } from "lucide-react";
import { type FormEvent, useState } from "react";
import { call } from "../../api/call.ts";
import { queries } from "../../api/queries.ts";
import type { Credit } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextArea, TextField } from "../../ui/field.tsx";
import { Skeleton, Trouble } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import style from "./credit-card.module.css";
import { creditQuery } from "./own-queries.ts";

export function CreditCard({ photographerId }: { photographerId: string }) {
  const { t } = useTexts("photographer");
  const [isEditing, setEditing] = useState(false);
  const { data: credit, error } = useQuery(creditQuery(photographerId));
  return (
    <Card as="section" aria-labelledby="credit" className={style.card}>
      <div className={style.top}>
        <h2 id="credit">{t("credit.title")}</h2>
        {credit && !isEditing && (
          <Button size="small" icon={<Pencil aria-hidden />} onClick={() => setEditing(true)}>
            {t("credit.edit")}
          </Button>
        )}
      </div>
      <p className={style.soft}>{t("credit.text")}</p>
      {!credit && (error ? <Trouble error={error} /> : <Skeleton lines={3} />)}
      {credit && !isEditing && <Shown credit={credit} />}
      {credit && isEditing && <CreditForm credit={credit} onEnd={() => setEditing(false)} />}
    </Card>
  );
}

function Shown({ credit: { displayName, instagramHandle, websiteUrl, bio } }: { credit: Credit }) {
  return (
    <div className={style.shown}>
      <p className={style.name}>{displayName}</p>
      {instagramHandle && (
        <p className={style.line}>
          <AtSign aria-hidden />
          <a href={`https://www.instagram.com/${encodeURIComponent(instagramHandle)}/`} rel="noopener noreferrer">
            {instagramHandle}
          </a>
        </p>
      )}
      {websiteUrl && (
        <p className={style.line}>
          <Globe aria-hidden />
          <a href={websiteUrl} rel="noopener noreferrer">
            {websiteUrl.replace(/^https?:\/\/(www\.)?|\/$/g, "")}
          </a>
        </p>
      )}
      {bio && <p className={style.bio}>{bio}</p>}
    </div>
  );
}

function CreditForm({ credit, onEnd }: { credit: Credit; onEnd: () => void }) {
  const { t } = useTexts("photographer");
  const { photographerId } = credit;
  const save = useMutation({
    mutationFn: (body: Omit<Credit, "photographerId">) =>
      call("PATCH /photographers/{photographerId}", { path: { photographerId }, body }),
    onSuccess: (changed) => {
      queries.setQueryData(creditQuery(photographerId).queryKey, changed);
      toast(t("credit.saved"));
      onEnd();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "").trim();
    save.mutate({
      displayName: text("displayName"),
      instagramHandle: text("instagramHandle").replace(/^@/, "") || null,
      websiteUrl: text("websiteUrl") || null,
      bio: text("bio") || null,
    });
  };
  return (
    <form className={style.form} onSubmit={submit}>
      <TextField
        label={t("credit.name")}
        name="displayName"
        defaultValue={credit.displayName}
        required
        autoComplete="name"
      />
      <TextField
        label={t("credit.instagram")}
        name="instagramHandle"
        defaultValue={credit.instagramHandle ?? ""}
        placeholder="snaprace.runs"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        label={t("credit.website")}
        name="websiteUrl"
        type="url"
        defaultValue={credit.websiteUrl ?? ""}
        placeholder="https://"
      />
      <TextArea label={t("credit.bio")} name="bio" defaultValue={credit.bio ?? ""} />
      {save.isError && <Trouble error={save.error} />}
      <div className={style.actions}>
        <Button onClick={onEnd}>{t("credit.cancel")}</Button>
        <Button type="submit" look="main" busy={save.isPending}>
          {t("credit.save")}
        </Button>
      </div>
    </form>
  );
}
