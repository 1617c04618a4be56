/** The messages about an event that were given up on, of its entry and its photos. */

import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CircleCheck } from "lucide-react";
import { call } from "../../api/call.ts";
import { ownEventQuery } from "../../api/organizer-queries.ts";
import type { EntryDeadLetter, PhotoDeadLetter } from "../../api/types.ts";
import { useFormats } from "../../texts/formats.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import { entryLettersQuery, photoLettersQuery } from "./dashboard/dead-letters.ts";
import { LetterSection } from "./dashboard/letter-section.tsx";
import style from "./dashboard/panels.module.css";

export function ProblemsTab() {
  const { eventId } = useParams({ from: "/organizer/events/$eventId" });
  const { t } = useTexts("organizer");
  const zone = useQuery(ownEventQuery(eventId)).data?.timeZone;
  const entry = useQuery(entryLettersQuery(eventId));
  const photos = useQuery(photoLettersQuery(eventId));
  const error = entry.error ?? photos.error;
  if (error) return <Failure error={error} retry={() => void Promise.all([entry.refetch(), photos.refetch()])} />;
  if (!zone || !entry.data || !photos.data) return <Skeleton lines={6} />;
  if (entry.data.items.length + photos.data.items.length === 0) {
    return (
      <Empty icon={<CircleCheck aria-hidden />} title={t("problems.well")}>
        {t("problems.wellText")}
      </Empty>
    );
  }
  return (
    <div className={style.stack}>
      <p className={style.soft}>{t("problems.lead")}</p>
      <EntryLetters {...{ eventId, zone }} letters={entry.data.items} />
      <PhotoLetters {...{ eventId, zone }} letters={photos.data.items} />
    </div>
  );
}

type LettersProps<Kind> = { eventId: string; zone: string; letters: Kind[] };

function EntryLetters({ eventId, zone, letters }: LettersProps<EntryDeadLetter>) {
  const { t } = useTexts("organizer");
  const { number } = useFormats();
  return (
    <LetterSection
      {...{ eventId, zone, letters }}
      title={t("problems.entryTitle")}
      about={({ ticket }) =>
        ticket === null ? t("problems.message") : t("problems.ticket", { ticket: number(ticket) })
      }
      state={({ status }) => (status ? t(`entry.status.${status}`) : "–")}
      read={(letterId, signal) =>
        call("GET /admin/events/{eventId}/dead-letters/{letterId}", { path: { eventId, letterId }, signal })
      }
      redrive={(ids) =>
        call("POST /admin/events/{eventId}/dead-letters/redrive", { path: { eventId }, body: ids ? { ids } : {} })
      }
    />
  );
}

function PhotoLetters({ eventId, zone, letters }: LettersProps<PhotoDeadLetter>) {
  const { t } = useTexts("organizer");
  return (
    <LetterSection
      {...{ eventId, zone, letters }}
      title={t("problems.photosTitle")}
      about={({ key }) => key?.split("/").at(-1) ?? t("problems.message")}
      state={({ status }) => (status ? t(`photos.upload.status.${status}`) : "–")}
      read={(letterId, signal) =>
        call("GET /admin/events/{eventId}/photos/dead-letters/{letterId}", { path: { eventId, letterId }, signal })
      }
      redrive={(ids) =>
        call("POST /admin/events/{eventId}/photos/dead-letters/redrive", {
          path: { eventId },
          body: ids ? { ids } : {},
        })
      }
    />
  );
}
