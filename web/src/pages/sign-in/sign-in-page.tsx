/** Signing in: an address, then the code that was sent there. */

import { useMutation } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../api/call.ts";
import { forgetAnswers } from "../../api/session.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { Trouble } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import style from "./sign-in-page.module.css";

export function SignInPage() {
  const { t } = useTexts("runner");
  const [email, setEmail] = useState<string>();
  return (
    <Page title={t("signIn.title")} lead={email ? t("signIn.sent", { email }) : t("signIn.lead")} width="text">
      {email ? <CodeForm email={email} onOther={() => setEmail(undefined)} /> : <EmailForm onSent={setEmail} />}
    </Page>
  );
}

function EmailForm({ onSent }: { onSent: (email: string) => void }) {
  const { t } = useTexts("runner");
  const ask = useMutation({
    mutationFn: (email: string) => call("POST /auth/codes", { body: { email } }),
    onSuccess: (_, email) => onSent(email),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    ask.mutate(String(new FormData(event.currentTarget).get("email")).trim());
  };
  return (
    <form onSubmit={submit}>
      <Card className={style.card}>
        <TextField label={t("signIn.email")} name="email" type="email" autoComplete="email" required autoFocus />
        {ask.isError && <Trouble error={ask.error} />}
        <Button type="submit" look="main" wide busy={ask.isPending}>
          {t("signIn.send")}
        </Button>
      </Card>
    </form>
  );
}

function CodeForm({ email, onOther }: { email: string; onOther: () => void }) {
  const { t } = useTexts("runner");
  const navigate = useNavigate();
  const { next } = useSearch({ from: "/sign-in" });
  const enter = useMutation({
    mutationFn: (code: string) => call("POST /auth/sessions", { body: { email, code } }),
    onSuccess: async () => {
      await forgetAnswers();
      await navigate({ href: ownAddress(next), replace: true });
    },
  });
  const again = useMutation({
    mutationFn: () => call("POST /auth/codes", { body: { email } }),
    onSuccess: () => toast(t("signIn.sentAgain")),
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter.mutate(String(new FormData(event.currentTarget).get("code")).replace(/\D/g, ""));
  };
  const error = enter.error ?? again.error;
  return (
    <form onSubmit={submit}>
      <Card className={style.card}>
        <TextField
          label={t("signIn.code")}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="[0-9 ]{6,8}"
          required
          autoFocus
          figures
        />
        {error && <Trouble error={error} />}
        <Button type="submit" look="main" wide busy={enter.isPending}>
          {t("signIn.submit")}
        </Button>
        <div className={style.others}>
          <Button look="quiet" size="small" busy={again.isPending} onClick={() => again.mutate()}>
            {t("signIn.again")}
          </Button>
          <Button look="quiet" size="small" onClick={onOther}>
            {t("signIn.other")}
          </Button>
        </div>
      </Card>
    </form>
  );
}

/** Only an address of ours: the parameter may have come from anywhere. */
function ownAddress(next: string | undefined): string {
  if (!next?.startsWith("/")) return "/me";
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? `${url.pathname}${url.search}${url.hash}` : "/me";
}
