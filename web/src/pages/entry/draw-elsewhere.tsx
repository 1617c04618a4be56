/** The ways to check a draw without these pages, which come from whoever held it. */

import { Download } from "lucide-react";
import { addressOf } from "../../api/call.ts";
import type { Draw } from "../../api/types.ts";
import { RichText, useTexts } from "../../texts/use-texts.tsx";
import { ButtonAnchor } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import style from "./draw-elsewhere.module.css";

const SCRIPT = "/verify-draw.mjs";

export function DrawElsewhere({ draw }: { draw?: Draw | undefined }) {
  const { t } = useTexts("draw");
  const file = (name: string) => addressOf(`/events/{eventId}/draw/${name}`, { eventId: draw?.eventId });
  // Downloads of several draws would be in each other's way, so each is named after its event.
  const proof = draw ? `proof-${draw.eventId}.json` : "proof.json";
  return (
    <Card as="section" aria-labelledby="elsewhere">
      <h2 id="elsewhere" className={style.heading}>
        {t("elsewhereTitle")}
      </h2>
      <p>
        {/* biome-ignore lint/a11y/useAnchorContent: the text comes with its place in the sentence. */}
        <RichText part="draw" path="elsewhereText" marks={{ script: <a href={SCRIPT} /> }} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <pre className={style.command} tabIndex={0}>
        <code>node verify-draw.mjs {proof}</code>
      </pre>
      <div className={style.files}>
        <ButtonAnchor href={SCRIPT} download size="small" icon={<Download aria-hidden />}>
          {t("downloadScript")}
        </ButtonAnchor>
        {draw?.phase === "ANNOUNCED" && (
          <ButtonAnchor href={file("proof.json")} download size="small" icon={<Download aria-hidden />}>
            {t("downloadProof")}
          </ButtonAnchor>
        )}
        {draw && draw.frozenAt !== null && (
          <ButtonAnchor href={file("entrants.txt")} download size="small" icon={<Download aria-hidden />}>
            {t("downloadEntrants")}
          </ButtonAnchor>
        )}
      </div>
    </Card>
  );
}
