/** One's own page: the races one has entered, one's bibs, and one's photos across races. */

import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { eventQuery } from "../../api/event-queries.ts";
import { ownBibsQuery } from "../../api/own-bibs.ts";
import { useMe } from "../../api/session.ts";
import type { MyBib } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { accentColours } from "../../theme/accent.ts";
import { Page, Section } from "../../ui/page.tsx";
import { Entries } from "./entries.tsx";
import style from "./my-page.module.css";
import { MyPhotos } from "./my-photos.tsx";

export function MyPage() {
  const { t } = useTexts("entry");
  const { data: bibs } = useQuery(ownBibsQuery);
  const me = useMe();
  return (
    <Page title={t("mine.title")}>
      <Section title={t("mine.entries")}>
        <Entries />
      </Section>
      {bibs && bibs.length > 0 && (
        <Section title={t("mine.bibs")}>
          <ul className={style.bibs}>
            {bibs.map((bib) => (
              <Bib key={`${bib.eventId} ${bib.bib}`} own={bib} />
            ))}
          </ul>
        </Section>
      )}
      <MyPhotos />
      {me?.organizations.length === 0 && (
        <p className={style.organize}>
          {t("mine.organizeText")} <Link to="/organizer">{t("mine.organize")}</Link>
        </p>
      )}
    </Page>
  );
}

function Bib({ own: { eventId, eventName, bib, name } }: { own: MyBib }) {
  const { data: event } = useQuery(eventQuery(eventId));
  const colours = accentColours(event?.organization.branding.accentColor ?? "");
  return (
    <li className={style.bib}>
      <p className={style.band} style={colours && { background: colours.fill, color: colours.onFill }}>
        {eventName}
      </p>
      <p className={style.number}>{bib}</p>
      {name && <p className={style.name}>{name}</p>}
    </li>
  );
}
