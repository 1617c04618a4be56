/** The shape of a page that is still on its way. */

import { useTexts } from "../texts/use-texts.tsx";
import { Page } from "./page.tsx";
import { Skeleton } from "./states.tsx";

export function PagePending() {
  const { t } = useTexts();
  return (
    <Page title={t("loading")} heading={null}>
      <Skeleton lines={4} />
    </Page>
  );
}
