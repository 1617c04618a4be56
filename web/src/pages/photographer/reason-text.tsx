/** Why a file is no photo of the race: our sentence for the code if there is one, else what the server says. */

import { useTexts } from "../../texts/use-texts.tsx";
import type { Reason } from "./sending/queued-file.ts";

export function ReasonText({ reason: { code, message } }: { reason: Reason }) {
  const { t, has } = useTexts("photographer");
  const key = `reason.${code}`;
  if (has(key)) return t(key as "reason.other");
  return message ? `${message} (${code})` : t("reason.other", { code });
}
