/** The shape of a page that is still on its way. */

import { useTranslation } from "react-i18next";
import { Page } from "./page.tsx";
import { Skeleton } from "./states.tsx";

export function PagePending() {
  const { t } = useTranslation();
  return (
    <Page title={t("loading")} heading={null}>
      <Skeleton lines={4} />
    </Page>
  );
}
