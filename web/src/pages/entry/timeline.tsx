/** What happened to a request and when, and what is still to come. */

import { Check, Circle, CircleDot } from "lucide-react";
import type { EntryState, ParticipationInLine } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Skeleton } from "../../ui/states.tsx";
import { standingOf } from "./standing.ts";
import style from "./timeline.module.css";

type Step = {
  name: "requested" | "queued" | "started" | "drawn" | "finished" | "promoted" | "cancelled" | "draw" | "announced";
  /** `undefined` when nobody knows. */
  at: number | undefined;
  state: "done" | "now" | "later";
};

type TimelineProps = { request: ParticipationInLine; entry: EntryState | undefined; zone: string | undefined };

export function Timeline({ request, entry, zone }: TimelineProps) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  // In another zone than the event's the times would be wrong for a moment, and jump.
  if (zone === undefined) return <Skeleton lines={4} />;
  return (
    <>
      <ol className={style.steps}>
        {stepsOf(request, entry).map(({ name, at, state }) => (
          <li key={name} className={style.step} data-state={state} aria-current={state === "now" ? "step" : undefined}>
            <span className={style.mark}>{MARKS[state]}</span>
            <span className={style.name}>{nameOf(name)}</span>
            {at !== undefined && (
              <time className={style.time} dateTime={new Date(at).toISOString()}>
                {state === "done"
                  ? formats.second(at, zone)
                  : t("timeline.planned", { time: formats.moment(at, zone) })}
              </time>
            )}
          </li>
        ))}
      </ol>
      <p className={style.zone}>{t("timeline.zone", { zone })}</p>
    </>
  );

  function nameOf(name: Step["name"]): string {
    if (name === "queued" && request.ticket !== null) {
      return t("timeline.queuedAs", { ticket: formats.number(request.ticket) });
    }
    return name === "finished" ? t(`timeline.finishedAs.${standingOf(request)}`) : t(`timeline.${name}`);
  }
}

const MARKS = { done: <Check aria-hidden />, now: <CircleDot aria-hidden />, later: <Circle aria-hidden /> };

function stepsOf(request: ParticipationInLine, entry: EntryState | undefined): Step[] {
  const { requestedAt, queuedAt, startedAt, finishedAt, promotedAt, cancelledAt, uiResult, eventType } = request;
  const happened: [Step["name"], number | null][] = [
    ["requested", requestedAt],
    ["queued", queuedAt],
    [eventType === "LOTTERY" ? "drawn" : "started", startedAt],
    // Both are also the time of the result, which is told by its own name.
    ["finished", promotedAt === null && cancelledAt === null ? finishedAt : null],
    ["promoted", promotedAt],
    ["cancelled", cancelledAt],
  ];
  const done = happened.flatMap(([name, at]): Step[] => (at === null ? [] : [{ name, at, state: "done" }]));
  if (uiResult !== "PENDING") return done;
  const next = eventType === "LOTTERY" ? lotterySteps(request, entry) : queueSteps(request);
  return [...done, ...next.map((step, i): Step => ({ ...step, state: i === 0 ? "now" : "later" }))];
}

function queueSteps({ queuedAt, startedAt }: ParticipationInLine): Omit<Step, "state">[] {
  const names = [queuedAt === null && "queued", startedAt === null && "started", "announced"] as const;
  return names.flatMap((name) => (name ? [{ name, at: undefined }] : []));
}

function lotterySteps({ startedAt }: ParticipationInLine, entry: EntryState | undefined): Omit<Step, "state">[] {
  const announced = { name: "announced", at: entry?.announcedAt ?? undefined } as const;
  return startedAt === null ? [{ name: "draw", at: entry?.lotteryCutoffAt ?? undefined }, announced] : [announced];
}
