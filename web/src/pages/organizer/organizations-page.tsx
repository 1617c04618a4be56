/** Where an organizer starts: their organizations, and the races of each. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { CalendarPlus, Plus, Settings } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import type { Organization } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagePending } from "../../ui/page-pending.tsx";
import { Failure } from "../../ui/states.tsx";
import { EventRows } from "./organization/event-rows.tsx";
import { NewOrganization } from "./organization/new-organization.tsx";
import { OrganizationName } from "./organization/organization-name.tsx";
import { organizationsQuery } from "./organization/organization-queries.ts";
import style from "./organization/organizations.module.css";

const Dialog = lazy(() => import("../../ui/dialog.tsx").then((file) => ({ default: file.Dialog })));

export function OrganizationsPage() {
  const { t } = useTexts("organizer");
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(organizationsQuery);
  if (!data && !error) return <PagePending />;
  if (!data) {
    return (
      <Page title={t("organizations.title")}>
        <Failure error={error} retry={() => void refetch()} />
      </Page>
    );
  }
  const all = data.pages.flatMap((page) => page.items);
  const [only] = all;
  if (!only) return <Start />;
  if (all.length === 1) return <One organization={only} />;
  return (
    <Page title={t("organizations.title")} actions={<AnotherOrganization />}>
      {all.map((organization) => (
        <Section
          key={organization.orgId}
          title={<OrganizationName organization={organization} />}
          actions={<Actions organization={organization} />}
        >
          <EventRows orgId={organization.orgId} />
        </Section>
      ))}
      {hasNextPage && (
        <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t("organizations.more")}
        </Button>
      )}
    </Page>
  );
}

/** Who is here for the first time. */
function Start() {
  const { t } = useTexts("organizer");
  return (
    <Page title={t("organizations.welcome")} lead={t("organizations.welcomeText")} width="text">
      <Card>
        <NewOrganization />
      </Card>
      <ol className={style.steps}>
        {(["race", "entry", "photos"] as const).map((step) => (
          <li key={step}>
            <h2>{t(`organizations.steps.${step}.title`)}</h2>
            <p>{t(`organizations.steps.${step}.text`)}</p>
          </li>
        ))}
      </ol>
    </Page>
  );
}

function One({ organization }: { organization: Organization }) {
  const { t } = useTexts("organizer");
  useAccent(organization.branding.accentColor);
  return (
    <Page
      title={t("organizations.title")}
      over={t("organizations.title")}
      heading={<OrganizationName organization={organization} />}
      actions={<Actions organization={organization} isMain />}
    >
      <EventRows orgId={organization.orgId} />
      <div>
        <AnotherOrganization />
      </div>
    </Page>
  );
}

function Actions({ organization: { orgId, active }, isMain }: { organization: Organization; isMain?: boolean }) {
  const { t } = useTexts("organizer");
  return (
    <>
      {!active && <Badge tone="warn">{t("organizations.hidden")}</Badge>}
      <ButtonLink to="/organizer/organizations/$orgId" params={{ orgId }} icon={<Settings aria-hidden />}>
        {t("organizations.settings")}
      </ButtonLink>
      <ButtonLink
        look={isMain ? "main" : "plain"}
        to="/organizer/organizations/$orgId/new-event"
        params={{ orgId }}
        icon={<CalendarPlus aria-hidden />}
      >
        {t("organizations.newEvent")}
      </ButtonLink>
    </>
  );
}

function AnotherOrganization() {
  const { t } = useTexts("organizer");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button look="quiet" icon={<Plus aria-hidden />} onClick={() => setOpen(true)}>
        {t("organizations.another")}
      </Button>
      {open && (
        <Suspense>
          <Dialog open onClose={() => setOpen(false)} title={t("organizations.another")}>
            <NewOrganization />
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
