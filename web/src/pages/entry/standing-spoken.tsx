/** Says how a request stands to who can't see it, when it matters and not at each move of the line. */

import type { ParticipationInLine } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Spoken } from "../../ui/spoken.tsx";
import type { Standing } from "./standing.ts";

export function StandingSpoken({ request: { line }, standing }: { request: ParticipationInLine; standing: Standing }) {
  const { t } = useTexts("entry");
  const formats = useFormats();
  const ahead = line?.kind === "QUEUE" ? line.ahead : null;
  const words = [t(`heading.${standing}`)];
  if (ahead !== null && ahead > 0) words.push(t("line.about", { ahead: formats.number(leadingDigit(ahead)) }));
  return <Spoken>{words.join(". ")}</Spoken>;
}

/** 1,873 is 1,000: one hears it when it falls below that. */
function leadingDigit(count: number): number {
  const step = 10 ** Math.floor(Math.log10(count));
  return Math.floor(count / step) * step;
}
