/** Why a photo failed, in the reader's language if its code is known, else as the server says it. */

import { useTranslation } from "react-i18next";

export function FailureReason({ failure }: { failure: { code: string; message: string } | null }) {
  const { t, i18n } = useTranslation();
  if (!failure) return "–";
  const key = `problem.${failure.code}`;
  return i18n.exists(key) ? t(key as "problem.unknown") : failure.message;
}
