/** Why a file is no photo of the race: our sentence for the code if there is one, else what the server says. */

import { useTranslation } from "react-i18next";
import type { Reason } from "./sending/queued-file.ts";

export function ReasonText({ reason: { code, message } }: { reason: Reason }) {
  const { t, i18n } = useTranslation("photographer");
  const key = `reason.${code}`;
  if (i18n.exists(key, { ns: "photographer" })) return t(key as "reason.other");
  return message ? `${message} (${code})` : t("reason.other", { code });
}
