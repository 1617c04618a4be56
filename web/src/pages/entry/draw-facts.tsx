/** The values a draw is made of, before it (what was promised) and after it (what the proof says). */

import type { ReactNode } from "react";
import type { Draw } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Card } from "../../ui/card.tsx";
import style from "./draw-facts.module.css";
import type { DrawCheck } from "./use-draw-check.ts";

type Fact = {
  name: "event" | "entrants" | "places" | "commitment" | "entrantsSha256" | "seed" | "beacon" | "drawn";
  value: ReactNode;
  /** Hex digits and the like. */
  isCode?: boolean;
  note?: string | false | undefined;
};

/** What people can note now, to compare the proof with. */
export function PromisedFacts({ draw, zone }: { draw: Draw; zone: string | undefined }) {
  const { t } = useTexts("draw");
  const formats = useFormats();
  const when = useWhen(zone);
  const { frozenAt, entrants, entrantsSha256, drawnAt, beaconSource, beaconValue } = draw;
  const facts: (Fact | false)[] = [
    {
      name: "commitment",
      value: draw.commitment,
      isCode: true,
      note: t("published", { time: when(draw.committedAt) }),
    },
    beaconFact(beaconSource, beaconValue),
    frozenAt !== null && {
      name: "entrants",
      value: formats.number(entrants ?? 0),
      note: t("fixed", { time: when(frozenAt) }),
    },
    entrantsSha256 !== null && { name: "entrantsSha256", value: entrantsSha256, isCode: true },
    drawnAt !== null && { name: "drawn", value: when(drawnAt) },
  ];
  return <FactList title={t("promisedTitle")} hint={t("promisedText")} facts={facts} />;

  function beaconFact(source: string | null, value: string | null): Fact {
    return {
      name: "beacon",
      value: source ?? t("noBeacon"),
      note: source !== null && (value ?? t("beaconLater")),
    };
  }
}

export function ProofFacts({ facts, zone }: { facts: NonNullable<DrawCheck["facts"]>; zone: string | undefined }) {
  const { t } = useTexts("draw");
  const formats = useFormats();
  const when = useWhen(zone);
  const { beaconSource, beaconValue } = facts;
  const beacon: Fact =
    beaconValue === null
      ? { name: "beacon", value: t("noBeacon"), note: t("seedAlone") }
      : { name: "beacon", value: beaconValue, isCode: true, note: beaconSource ?? undefined };
  const listed: Fact[] = [
    { name: "event", value: facts.eventId, isCode: true },
    {
      name: "entrants",
      value: formats.number(facts.entrantCount),
      note: t("fixed", { time: when(facts.frozenAt) }),
    },
    { name: "places", value: formats.number(facts.capacityTotal) },
    {
      name: "commitment",
      value: facts.commitment,
      isCode: true,
      note: t("published", { time: when(facts.committedAt) }),
    },
    { name: "entrantsSha256", value: facts.entrantsSha256, isCode: true },
    { name: "seed", value: facts.seed, isCode: true },
    beacon,
    { name: "drawn", value: when(facts.drawnAt) },
  ];
  return <FactList title={t("factsTitle")} hint={t("factsText")} facts={listed} />;
}

/** In the race's zone where it is known; a proof file does not say. */
function useWhen(zone: string | undefined): (at: number) => string {
  const formats = useFormats();
  return (at) => formats.zonedMoment(at, zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function FactList({ title, hint, facts }: { title: string; hint: string; facts: (Fact | false)[] }) {
  const { t } = useTexts("draw");
  return (
    <Card as="section" aria-labelledby="facts">
      <h2 id="facts" className={style.heading}>
        {title}
      </h2>
      <p className={style.soft}>{hint}</p>
      <dl className={style.facts}>
        {facts.map(
          (fact) =>
            fact && (
              <div key={fact.name} className={style.fact}>
                <dt>{t(`facts.${fact.name}`)}</dt>
                <dd>{fact.isCode ? <code>{fact.value}</code> : fact.value}</dd>
                {fact.note && <dd className={style.soft}>{fact.note}</dd>}
              </div>
            ),
        )}
      </dl>
    </Card>
  );
}
