/** What the check of a draw came to, in one word and a sentence. */

import { CircleAlert, CircleCheck, CircleX } from "lucide-react";
import { ApiProblem } from "../../api/call.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ProblemText } from "../../ui/states.tsx";
import style from "./draw-verdict.module.css";
import type { DrawCheck } from "./use-draw-check.ts";

export function DrawVerdict({ check }: { check: DrawCheck }) {
  const { t } = useTexts("draw");
  const { outcome } = check;
  return (
    <div role="status">
      {outcome && (
        <div className={style.verdict} data-is={outcome.is}>
          {MARKS[outcome.is]}
          <div className={style.words}>
            <h3>{t(`verdicts.${outcome.is}`)}</h3>
            <Sentence check={check} />
          </div>
        </div>
      )}
    </div>
  );
}

const MARKS = {
  verified: <CircleCheck aria-hidden />,
  differs: <CircleX aria-hidden />,
  trouble: <CircleAlert aria-hidden />,
};

function Sentence({ check: { outcome, facts, seconds } }: { check: DrawCheck }) {
  const { t } = useTexts("draw");
  const formats = useFormats();
  if (outcome?.is === "trouble") {
    if (outcome.code === "proof.too-large") return <p>{t("tooLarge")}</p>;
    return (
      <p>
        <ProblemText error={new ApiProblem({ code: outcome.code })} />
      </p>
    );
  }
  if (outcome?.is === "differs") {
    const { step, line, sentence } = outcome;
    return (
      <>
        <p>{t(`differsAt.${step}`)}</p>
        {line !== undefined && <p className={style.line}>{t("line", { line: formats.number(line) })}</p>}
        {/* The script's own sentence, as everybody gets it who runs it. */}
        <p lang="en">
          <code>{sentence}</code>
        </p>
      </>
    );
  }
  if (!facts) return null;
  if (facts.entrantCount === 0) return <p>{t("nobody")}</p>;
  return (
    <p>
      {t("verified", {
        entrants: formats.number(facts.entrantCount),
        places: formats.number(facts.capacityTotal),
        seconds: formats.number(Math.max(0.1, Math.round(seconds * 10) / 10)),
      })}
    </p>
  );
}
