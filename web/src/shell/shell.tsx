/** What is around every page: where one is, who one is, and how it should look. */

import { Link, Outlet, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { ApiProblem, UNREACHABLE } from "../api/call.ts";
import { useMe } from "../api/session.ts";
import { reloadIfReachable } from "../new-version.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { Empty, Failure } from "../ui/states.tsx";
import { LazyToasts } from "../ui/toast.ts";
import { MoveFocus } from "./move-focus.tsx";
import { Preferences } from "./preferences.tsx";
import style from "./shell.module.css";

export function Shell() {
  const { t } = useTexts();
  return (
    <>
      <a className={style.skip} href="#main">
        {t("shell.skip")}
      </a>
      <header className={style.header}>
        <Link to="/" className={style.brand}>
          <img src="/icon.svg" alt="" width="28" height="28" />
          <span>SnapRace</span>
        </Link>
        <nav aria-label={t("shell.navigation")} className={style.nav}>
          <RoleLinks />
        </nav>
        <Preferences />
      </header>
      <MoveFocus />
      <Outlet />
      <LazyToasts />
    </>
  );
}

function RoleLinks() {
  const { t } = useTexts();
  const me = useMe();
  if (me === undefined) return null;
  if (me === null) {
    return (
      <Link to="/sign-in" search={{ next: here() }} className={style.link}>
        {t("shell.signIn")}
      </Link>
    );
  }
  return (
    <>
      {(me.operator || me.organizations.length > 0) && (
        <Link to="/organizer" className={style.link}>
          {t("shell.organize")}
        </Link>
      )}
      {me.photographers.length > 0 && (
        <Link to="/photographer" className={style.link}>
          {t("shell.photograph")}
        </Link>
      )}
      <Link to="/me" className={style.link}>
        {t("shell.me")}
      </Link>
    </>
  );
}

function here(): string {
  const { pathname, search } = window.location;
  return pathname === "/sign-in" ? "/me" : `${pathname}${search}`;
}

export function NotFound() {
  const { t } = useTexts();
  return (
    <Page title={t("notFound.title")} heading={null} width="text">
      <Empty title={t("notFound.title")} actions={<ButtonLink to="/">{t("notFound.home")}</ButtonLink>}>
        {t("notFound.text")}
      </Empty>
    </Page>
  );
}

/** When a page itself breaks: the rest of the pages still work. */
export function RouteFailure({ error }: { error: unknown }) {
  const { t } = useTexts();
  const router = useRouter();
  // Browsers remember that a part could not be loaded; only a new document asks for it again.
  const isAnswer = error instanceof ApiProblem && error.code !== UNREACHABLE;
  const retry = () => void (isAnswer ? router.invalidate() : reloadIfReachable());
  useEffect(() => {
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  });
  return (
    <Page title={t("failure.title")} heading={null} width="text">
      <Failure error={error} retry={retry} />
    </Page>
  );
}
