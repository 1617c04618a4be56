/** The inside of a dead letter, for who wants to know why it failed. */

import { useQuery } from "@tanstack/react-query";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Trouble } from "../../../ui/states.tsx";
import { FactList } from "./fact-list.tsx";
import style from "./letter-dialog.module.css";
import type { Letter } from "./letter-section.tsx";

type DialogProps = {
  eventId: string;
  zone: string;
  letter: Letter;
  read: (letterId: string, signal: AbortSignal) => Promise<Letter>;
  onClose: () => void;
};

export function LetterDialog({ eventId, zone, letter, read, onClose }: DialogProps) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const { data, error } = useQuery({
    queryKey: ["own-event", eventId, "letter", letter.queue, letter.id],
    queryFn: ({ signal }) => read(letter.id, signal),
  });
  const { queue, id, reason, receives, sentAt, body } = data ?? letter;
  return (
    <Dialog open wide onClose={onClose} title={t("problems.inside")} description={reason}>
      <FactList
        facts={[
          [t("problems.queue"), queue],
          [t("problems.id"), id],
          [t("problems.tries"), formats.number(receives)],
          [t("problems.since"), formats.moment(sentAt, zone)],
        ]}
      />
      <pre className={style.body}>{readable(body)}</pre>
      {error && <Trouble error={error} />}
    </Dialog>
  );
}

/** JSON with line breaks; anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
