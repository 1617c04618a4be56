/** What one can do about an entry now: enter, sign in first, look at the request one has, or wait. */

import { useMe } from "../../api/session.ts";
import type { EntryState, Participation, PublicEvent } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Note } from "../../ui/note.tsx";
import { Skeleton, Trouble } from "../../ui/states.tsx";
import style from "./enter-panel.module.css";
import { useOwnRequest } from "./own-request.ts";
import { STANDING_TONES, standingOf } from "./standing.ts";
import { afterSignIn, useEnter } from "./use-enter.ts";

type EnterActionProps = {
  event: PublicEvent;
  entry: EntryState;
  phase: EntryState["phase"];
  serverNow: () => number;
};

export function EnterAction(props: EnterActionProps) {
  const { t } = useTexts("entry");
  const { event, phase } = props;
  const me = useMe();
  const own = useOwnRequest(event.eventId);
  if (me === undefined || own === undefined) return <Skeleton className={style.wait} />;
  if (own && own.uiResult !== "FAILED") return <Entered own={own} />;
  if (phase === "NOT_OPEN" || phase === "OPEN") {
    return me ? <Enter {...props} hasFailed={own !== null} /> : <SignInFirst {...props} />;
  }
  return <Note tone={phase === "PAUSED" ? "warn" : "neutral"}>{t(`panel.now.${phase}`)}</Note>;
}

function Entered({ own }: { own: Participation }) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  const standing = standingOf(own);
  return (
    <div className={style.action}>
      <div className={style.entered}>
        <p>{own.ticket === null ? t("panel.entered") : t("panel.enteredAs", { ticket: formats.number(own.ticket) })}</p>
        <Badge tone={STANDING_TONES[standing]}>{t(`standing.${standing}`)}</Badge>
      </div>
      <ButtonLink to="/requests/$requestId" params={{ requestId: own.requestId }} look="main" size="large" wide>
        {t("panel.toRequest")}
      </ButtonLink>
    </div>
  );
}

function SignInFirst({ event: { eventId }, phase }: EnterActionProps) {
  const { t } = useTexts("entry");
  return (
    <div className={style.action}>
      <ButtonLink to="/sign-in" search={{ next: afterSignIn(eventId) }} look="main" size="large" wide>
        {t(phase === "OPEN" ? "panel.signInToEnter" : "panel.signInAhead")}
      </ButtonLink>
      <p className={style.soft}>{t(phase === "OPEN" ? "panel.signInText" : "panel.signInAheadText")}</p>
    </div>
  );
}

function Enter({ event: { eventId }, entry, phase, serverNow, hasFailed }: EnterActionProps & { hasFailed: boolean }) {
  const { t } = useTexts("entry");
  const enter = useEnter(eventId, serverNow);
  const isLive = phase === "OPEN";
  const isReserve = isLive && entry.eventType === "FIRST_COME" && entry.placesLeft === 0;
  return (
    <div className={style.action}>
      {hasFailed && <Note tone="warn">{t("panel.failedBefore")}</Note>}
      {/* Before its second it can have the focus, so that nobody must search for it then. */}
      <Button
        look="main"
        size="large"
        wide
        aria-disabled={!isLive}
        busy={enter.isPending}
        onClick={() => isLive && enter.mutate()}
      >
        {t(isReserve ? "panel.enterReserve" : "panel.enter")}
      </Button>
      {!isLive && <p className={style.soft}>{t("panel.opensByItself")}</p>}
      {isReserve && <p className={style.soft}>{t("panel.reserveText")}</p>}
      {enter.isPending && enter.isPaused && <Note tone="warn">{t("panel.offline")}</Note>}
      {enter.isPending && !enter.isPaused && enter.failureCount > 0 && <Note>{t("panel.trying")}</Note>}
      {enter.isError && <Trouble error={enter.error} />}
    </div>
  );
}
