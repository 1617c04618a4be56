/** An organization's own page: how it looks, who acts for it, who photographs for it. */

import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { CalendarPlus } from "lucide-react";
import { call } from "../../api/call.ts";
import { organizationQuery } from "../../api/organizer-queries.ts";
import type { Organization } from "../../api/types.ts";
import { useTexts } from "../../texts/use-texts.tsx";
import { useAccent } from "../../theme/use-accent.ts";
import { ButtonLink } from "../../ui/button.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { PagePending } from "../../ui/page-pending.tsx";
import { Failure } from "../../ui/states.tsx";
import { toast } from "../../ui/toast.ts";
import { IdentityForm } from "./organization/identity-form.tsx";
import { OrganizationName } from "./organization/organization-name.tsx";
import { refreshOrganizations } from "./organization/organization-queries.ts";
import { Organizers } from "./organization/organizers.tsx";
import { Photographers } from "./organization/photographers.tsx";
import { RemoveByName } from "./settings/remove-by-name.tsx";

export function OrganizationPage() {
  const { t } = useTexts("organizer");
  const { orgId } = useParams({ from: "/organizer/organizations/$orgId" });
  const { data: organization, error, refetch } = useQuery(organizationQuery(orgId));
  useAccent(organization?.branding.accentColor);
  if (organization) return <Shown key={orgId} organization={organization} />;
  if (!error) return <PagePending />;
  return (
    <Page title={t("organizations.settings")} heading={null} width="text">
      <Failure error={error} retry={() => void refetch()} />
    </Page>
  );
}

function Shown({ organization }: { organization: Organization }) {
  const { t } = useTexts("organizer");
  const { orgId, name } = organization;
  return (
    <Page
      title={name}
      over={<Link to="/organizer">{t("organizations.title")}</Link>}
      heading={<OrganizationName organization={organization} />}
      actions={
        <ButtonLink
          to="/organizer/organizations/$orgId/new-event"
          params={{ orgId }}
          icon={<CalendarPlus aria-hidden />}
        >
          {t("organizations.newEvent")}
        </ButtonLink>
      }
    >
      <Section title={t("organizations.identity")}>
        <IdentityForm organization={organization} />
      </Section>
      <Section title={t("organizations.organizers")}>
        <Organizers orgId={orgId} />
      </Section>
      <Photographers orgId={orgId} />
      <Section title={t("settings.danger")}>
        <Removal organization={organization} />
      </Section>
    </Page>
  );
}

function Removal({ organization: { orgId, name } }: { organization: Organization }) {
  const { t } = useTexts("organizer");
  const navigate = useNavigate();
  return (
    <RemoveByName
      name={name}
      title={t("organizations.remove")}
      text={t("organizations.removeText")}
      remove={() => call("DELETE /admin/organizations/{orgId}", { path: { orgId }, query: { confirm: orgId } })}
      onRemoved={async () => {
        await navigate({ to: "/organizer", ignoreBlocker: true });
        await refreshOrganizations();
        toast(t("organizations.removed", { name }));
      }}
    />
  );
}
