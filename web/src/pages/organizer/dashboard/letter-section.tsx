/** Dead letters of one kind: what they are about, why they are here, and the way back. */

import { useMutation } from "@tanstack/react-query";
import { CornerUpLeft, Eye } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useFormats } from "../../../texts/formats.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { Button, IconButton } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Section } from "../../../ui/page.tsx";
import { Spoken } from "../../../ui/spoken.tsx";
import { ProblemText } from "../../../ui/states.tsx";
import { toast } from "../../../ui/toast.ts";
import { ConfirmedButton } from "./confirmed-button.tsx";
import { LetterDialog } from "./letter-dialog.tsx";
import { lookAgain } from "./live-entry.ts";
import style from "./panels.module.css";

export type Letter = { id: string; queue: string; reason: string; receives: number; sentAt: number; body: string };

type SectionProps<Kind extends Letter> = {
  eventId: string;
  zone: string;
  title: string;
  letters: Kind[];
  /** What a letter is about, in a word. */
  about: (letter: Kind) => ReactNode;
  /** How that stands now. */
  state: (letter: Kind) => ReactNode;
  /** With its whole body. */
  read: (letterId: string, signal: AbortSignal) => Promise<Letter>;
  /** Those named, or all. */
  redrive: (ids?: string[]) => Promise<{ redriven: number }>;
};

export function LetterSection<Kind extends Letter>(props: SectionProps<Kind>) {
  const { eventId, zone, title, letters, redrive } = props;
  const { t } = useTexts("organizer");
  const [shown, setShown] = useState<Kind | undefined>();
  if (letters.length === 0) return null;
  return (
    <Section
      title={title}
      actions={
        <ConfirmedButton
          eventId={eventId}
          size="small"
          icon={<CornerUpLeft aria-hidden />}
          label={t("problems.backAll")}
          title={t("problems.backTitle")}
          text={t("problems.backText")}
          confirm={t("problems.backAll")}
          perform={() => redrive()}
          done={t("problems.sentAll")}
        />
      }
    >
      <LetterTable {...props} show={setShown} />
      {shown && (
        <LetterDialog {...{ eventId, zone }} letter={shown} read={props.read} onClose={() => setShown(undefined)} />
      )}
    </Section>
  );
}

function LetterTable<Kind extends Letter>(props: SectionProps<Kind> & { show: (letter: Kind) => void }) {
  const { title, letters, about, state, zone, show } = props;
  const { t } = useTexts("organizer");
  const formats = useFormats();
  return (
    <DataTable
      stack
      caption={title}
      columns={[
        { name: t("problems.about"), cell: about },
        { name: t("problems.reason"), cell: ({ reason }) => reason, wrap: true },
        { name: t("problems.state"), cell: state },
        { name: t("problems.tries"), cell: ({ receives }) => formats.number(receives), figures: true },
        { name: t("problems.since"), cell: ({ sentAt }) => formats.moment(sentAt, zone) },
        {
          name: <Spoken>{t("frame.actions")}</Spoken>,
          cell: (letter) => (
            <span className={style.rowButtons}>
              <SendBack {...props} letterId={letter.id} />
              <IconButton label={t("problems.look")} size="small" onClick={() => show(letter)}>
                <Eye aria-hidden />
              </IconButton>
            </span>
          ),
        },
      ]}
      rows={letters}
      keyOf={({ queue, id }) => `${queue} ${id}`}
    />
  );
}

function SendBack({
  eventId,
  letterId,
  redrive,
}: {
  eventId: string;
  letterId: string;
  redrive: (ids?: string[]) => Promise<{ redriven: number }>;
}) {
  const { t } = useTexts("organizer");
  const formats = useFormats();
  const back = useMutation({
    mutationFn: () => redrive([letterId]),
    onSuccess: ({ redriven }) => {
      toast(t("problems.sent", { count: redriven, shown: formats.number(redriven) }));
      return lookAgain(eventId);
    },
    onError: (error) => toast(<ProblemText error={error} />, { tone: "bad" }),
  });
  return (
    <Button size="small" icon={<CornerUpLeft aria-hidden />} busy={back.isPending} onClick={() => back.mutate()}>
      {t("problems.back")}
    </Button>
  );
}
