/** Where somebody is in a draw that was checked: for who entered by themselves, and for any request by its number. */

import { type FormEvent, useEffect } from "react";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { Note } from "../../ui/note.tsx";
import style from "./own-rank.module.css";
import type { DrawCheck } from "./use-draw-check.ts";

type OwnRankProps = {
  check: DrawCheck;
  /** The reader's own request in this event, if there is one. */
  ownRequestId: string | undefined;
  askRank: (requestId: string) => void;
};

export function OwnRank({ check, ownRequestId, askRank }: OwnRankProps) {
  const { t } = useTexts("draw");
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked once for each request and check.
  useEffect(() => {
    if (ownRequestId) askRank(ownRequestId);
  }, [ownRequestId]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    askRank(String(new FormData(event.currentTarget).get("request")));
  };
  return (
    <Card as="section" aria-labelledby="mine">
      <h2 id="mine" className={style.heading}>
        {t("mineTitle")}
      </h2>
      <Answer check={check} />
      <form className={style.form} onSubmit={submit}>
        <TextField
          key={ownRequestId}
          label={t("requestNumber")}
          hint={t("requestHint")}
          name="request"
          defaultValue={ownRequestId}
          required
          maxLength={64}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder="01JD2QX5Y8V6M3T9K7R4W1ZP0N"
        />
        <Button type="submit">{t("showRank")}</Button>
      </form>
    </Card>
  );
}

function Answer({ check: { rank: asked, facts } }: { check: DrawCheck }) {
  const { t } = useTexts("draw");
  const formats = useFormats();
  if (!asked || !facts) return null;
  if (!asked.rank) return <Note tone="warn">{t("noSuchRequest")}</Note>;
  const { ticket, rank, won } = asked.rank;
  const values = {
    rank: formats.number(rank),
    all: formats.number(facts.entrantCount),
    ticket: formats.number(ticket),
    reserve: formats.number(rank - facts.capacityTotal),
  };
  return <Note tone={won ? "good" : "accent"}>{t(won ? "rankWon" : "rankReserve", values)}</Note>;
}
