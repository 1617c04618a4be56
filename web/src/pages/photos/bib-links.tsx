/** The bibs in a photo, each a way to the photos of that runner. */

import { Link } from "@tanstack/react-router";
import type { Photo } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import style from "./bib-links.module.css";

export function BibLinks({ photo: { bibs, eventId } }: { photo: Pick<Photo, "bibs" | "eventId"> }) {
  const { t } = useTexts("photos");
  if (bibs.length === 0) return null;
  return (
    <ul className={style.bibs} aria-label={t("bib.inPhoto")}>
      {bibs.map((bib) => (
        <li key={bib}>
          <Link
            to="/events/$eventId/photos"
            params={{ eventId }}
            search={{ bib }}
            className={style.bib}
            aria-label={t("bib.link", { bib })}
          >
            {bib}
          </Link>
        </li>
      ))}
    </ul>
  );
}
