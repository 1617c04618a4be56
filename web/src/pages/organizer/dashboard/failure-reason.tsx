/** Why a photo failed, in the reader's language if its code is known, else as the server says it. */

import { useTexts } from "../../../texts/use-texts.tsx";

export function FailureReason({ failure }: { failure: { code: string; message: string } | null }) {
  const { t, has } = useTexts();
  if (!failure) return "–";
  const key = `problem.${failure.code}`;
  return has(key) ? t(key as "problem.unknown") : failure.message;
}
