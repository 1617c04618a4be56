/** For who is several photographers: as which of them they act here. */

import { useQueries } from "@tanstack/react-query";
import { useTexts } from "../../texts/use-texts.tsx";
import { SelectField } from "../../ui/field.tsx";
import { creditQuery } from "./own-queries.ts";

type ChooseProps = { photographers: string[]; chosen: string | undefined; onChoose: (photographerId: string) => void };

export function ChoosePhotographer({ photographers, chosen, onChoose }: ChooseProps) {
  const { t } = useTexts("photographer");
  const credits = useQueries({ queries: photographers.map(creditQuery) });
  if (photographers.length < 2) return null;
  return (
    <SelectField label={t("choose.label")} value={chosen} onChange={(event) => onChoose(event.target.value)}>
      {photographers.map((id, n) => (
        <option key={id} value={id}>
          {credits[n]?.data?.displayName ?? id}
        </option>
      ))}
    </SelectField>
  );
}
