/** The check of a draw as it goes on: each step in plain words, and which of them did not come to the same. */

import { Check, Circle, LoaderCircle, X } from "lucide-react";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Progress } from "../../ui/progress.tsx";
import style from "./check-steps.module.css";
import { type DrawCheck, STEPS } from "./use-draw-check.ts";

type State = "done" | "now" | "later" | "bad";

const MARKS: { [Each in State]: React.ReactNode } = {
  done: <Check aria-hidden />,
  now: <LoaderCircle aria-hidden />,
  later: <Circle aria-hidden />,
  bad: <X aria-hidden />,
};

export function CheckSteps({ check, hasEvent }: { check: DrawCheck; hasEvent: boolean }) {
  const { t } = useTexts("draw");
  const formats = useFormats();
  const shown = STEPS.filter((step) => hasEvent || (step !== "published" && step !== "load"));
  return (
    <ol className={style.steps}>
      {shown.map((step) => {
        const state = stateOf(check, STEPS.indexOf(step));
        return (
          <li key={step} className={style.step} data-state={state}>
            <span className={style.mark}>{MARKS[state]}</span>
            <span className={style.words}>
              <span className={style.name}>{t(`steps.${step}`)}</span>
              <span className={style.hidden}>{t(`stepStates.${state}`)}</span>
              {step === "order" && check.ranked && state === "now" && (
                <Progress
                  label={t("ranking")}
                  share={check.ranked.done / check.ranked.all}
                  note={`${formats.number(check.ranked.done)} / ${formats.number(check.ranked.all)}`}
                />
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

function stateOf({ step, outcome }: DrawCheck, index: number): State {
  const current = STEPS.indexOf(step);
  if (index < current || outcome?.is === "verified") return "done";
  if (index > current) return "later";
  return outcome ? "bad" : "now";
}
