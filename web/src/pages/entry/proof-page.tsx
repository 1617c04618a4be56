/** Checks any proof of a draw that somebody has as a file, of whichever race. */

import { useState } from "react";
import { ApiProblem } from "../../api/call.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Card } from "../../ui/card.tsx";
import { FileDrop } from "../../ui/file-drop.tsx";
import { Page } from "../../ui/page.tsx";
import { CheckSteps } from "./check-steps.tsx";
import { DrawElsewhere } from "./draw-elsewhere.tsx";
import { ProofFacts } from "./draw-facts.tsx";
import style from "./draw-page.module.css";
import { DrawVerdict } from "./draw-verdict.tsx";
import { OwnRank } from "./own-rank.tsx";
import { useDrawCheck } from "./use-draw-check.ts";

const LARGEST_PROOF_BYTES = 128 * 1024 * 1024;

export function ProofPage() {
  const { t } = useTexts("draw");
  const [name, setName] = useState("");
  const { check, start, askRank } = useDrawCheck();
  const take = (file: File) => {
    setName(file.name);
    void start(async () => {
      if (file.size > LARGEST_PROOF_BYTES) throw new ApiProblem({ code: "proof.too-large" });
      return file;
    });
  };
  return (
    <Page title={t("fileTitle")} lead={t("fileLead")} width="text">
      <FileDrop label={t("chooseFile")} hint={t("dropHint")} accept=".json,application/json" onFile={take} />
      {check && (
        <Card as="section" aria-labelledby="check">
          <h2 id="check" className={style.heading}>
            {name}
          </h2>
          <DrawVerdict check={check} />
          <CheckSteps check={check} hasEvent={false} />
        </Card>
      )}
      {check?.outcome?.is === "verified" && (
        <OwnRank key={name} check={check} ownRequestId={undefined} askRank={askRank} />
      )}
      {check?.facts && <ProofFacts facts={check.facts} zone={undefined} />}
      <DrawElsewhere />
    </Page>
  );
}
