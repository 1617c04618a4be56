/** What a page shows while there is nothing to show: it waits, there is nothing, or something went wrong. */

import { CircleAlert, WifiOff } from "lucide-react";
import type { ReactNode } from "react";
import { ApiProblem, UNREACHABLE } from "../api/call.ts";
import { useTexts } from "../texts/use-texts.tsx";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import style from "./states.module.css";

export function Empty({
  icon,
  title,
  children,
  actions,
}: {
  icon?: ReactNode;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={style.state}>
      {icon && <span className={style.icon}>{icon}</span>}
      <h2>{title}</h2>
      {children && <div className={style.words}>{children}</div>}
      {actions && <div className={style.actions}>{actions}</div>}
    </div>
  );
}

/** Says what went wrong in the reader's language, with the code to tell others, and offers to try again. */
export function Failure({ error, retry }: { error: unknown; retry?: (() => void) | undefined }) {
  const { t } = useTexts();
  const offline = error instanceof ApiProblem && error.code === UNREACHABLE;
  return (
    <div className={style.state} role="alert">
      <span className={style.icon}>{offline ? <WifiOff aria-hidden /> : <CircleAlert aria-hidden />}</span>
      <h2>{offline ? t("failure.offline") : t("failure.title")}</h2>
      <p className={style.words}>
        <ProblemText error={error} />
      </p>
      {retry && <Button onClick={retry}>{t("failure.retry")}</Button>}
    </div>
  );
}

/** One line beside the thing that failed. */
export function Trouble({ error }: { error: unknown }) {
  return (
    <p className={style.trouble} role="alert">
      <CircleAlert aria-hidden />
      <span>
        <ProblemText error={error} />
      </span>
    </p>
  );
}

/** The sentence for a problem: ours for its code if there is one, else what the server says. */
export function ProblemText({ error }: { error: unknown }) {
  const { t, has } = useTexts();
  if (!(error instanceof ApiProblem)) return t("failure.unexpected");
  const key = `problem.${error.code}`;
  if (has(key)) return t(key as "problem.unknown");
  return error.message ? `${error.message} (${error.code})` : t("problem.unknown", { code: error.code });
}

/** Grey shapes where the words and pictures will be, so that nothing jumps. */
export function Skeleton({ className, lines = 1 }: { className?: string | undefined; lines?: number }) {
  const { t } = useTexts();
  return (
    <span role="status" aria-label={t("loading")} className={style.skeletons}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
        <span key={line} className={classes(style.skeleton, className)} />
      ))}
    </span>
  );
}
