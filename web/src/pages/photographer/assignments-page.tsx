/** A photographer's own page: the races they are assigned to, how their photos of each stand, and their credit. */

import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Camera, Images } from "lucide-react";
import { useMe } from "../../api/session.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { Empty, Failure, Skeleton } from "../../ui/states.tsx";
import { AssignmentCard } from "./assignment-card.tsx";
import style from "./assignments-page.module.css";
import { ChoosePhotographer } from "./choose-photographer.tsx";
import { CreditCard } from "./credit-card.tsx";
import { assignmentsQuery } from "./own-queries.ts";

export function AssignmentsPage() {
  const { t } = useTexts("photographer");
  const me = useMe();
  const navigate = useNavigate();
  const { photographer } = useSearch({ from: "/photographer" });
  if (!me) return null;
  const { photographers } = me;
  const chosen = photographers.find((id) => id === photographer) ?? photographers[0];
  if (chosen === undefined) return <NoPhotographer />;
  return (
    <Page
      title={t("races.title")}
      lead={t("races.lead")}
      actions={
        <ButtonLink
          to="/photographers/$photographerId"
          params={{ photographerId: chosen }}
          icon={<Images aria-hidden />}
        >
          {t("races.portfolio")}
        </ButtonLink>
      }
    >
      <ChoosePhotographer
        photographers={photographers}
        chosen={chosen}
        onChoose={(id) => void navigate({ to: "/photographer", search: { photographer: id }, replace: true })}
      />
      <div className={style.columns}>
        <Assignments photographerId={chosen} />
        <CreditCard key={chosen} photographerId={chosen} />
      </div>
    </Page>
  );
}

function Assignments({ photographerId }: { photographerId: string }) {
  const { t } = useTexts("photographer");
  const assignments = useQuery(assignmentsQuery);
  const events = assignments.data ?? [];
  return (
    <Section title={t("races.assigned")}>
      {assignments.isPending && <Skeleton lines={3} className={style.placeholder} />}
      {assignments.isError && <Failure error={assignments.error} retry={() => void assignments.refetch()} />}
      {assignments.isSuccess && events.length === 0 && (
        <Empty icon={<Camera aria-hidden />} title={t("races.none")}>
          {t("races.noneText")}
        </Empty>
      )}
      <ul className={style.races}>
        {events.map((event) => (
          <AssignmentCard key={event.eventId} event={event} photographerId={photographerId} />
        ))}
      </ul>
    </Section>
  );
}

function NoPhotographer() {
  const { t } = useTexts("photographer");
  return (
    <Page title={t("races.title")} heading={null} width="text">
      <Empty
        icon={<Camera aria-hidden />}
        title={t("races.notOne")}
        actions={<ButtonLink to="/">{t("races.home")}</ButtonLink>}
      >
        {t("races.notOneText")}
      </Empty>
    </Page>
  );
}
