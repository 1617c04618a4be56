/** Brings what the server refuses to the fields it is about, in the reader's language. */

import { type ReactNode, useEffect, useRef } from "react";
import { ApiProblem } from "../../../api/call.ts";
import { useTexts } from "../../../texts/use-texts.tsx";
import { ProblemText, Trouble } from "../../../ui/states.tsx";
import style from "./field-errors.module.css";

/** What is wrong with a field, by its name in the API: `entry.opensAt`. */
export type FieldErrors = (field: string) => ReactNode;

/** Problems that name no field, and the one they are about. */
const FIELD_OF_CODE: { [code: string]: string } = {
  "organization.subdomain-taken": "subdomain",
  "organizer.last": "email",
  "photographer.handle-taken": "instagramHandle",
  "event.in-past": "date",
  "runner.duplicate-bib": "bib",
};

export function useFieldErrors(error: unknown): FieldErrors {
  const { t, has } = useTexts("organizer");
  return (field) => {
    if (!(error instanceof ApiProblem)) return undefined;
    if (FIELD_OF_CODE[error.code] === field) return <ProblemText error={error} />;
    const found = listed(error).find((each) => each.field === field || each.field.startsWith(`${field}.`));
    if (!found) return undefined;
    const name = field.split(".").at(-1);
    const key = error.code === "entry.fixed" ? `settings.fixed.${name}` : `settings.wrong.${name}`;
    return has(key) ? t(key as "settings.wrong.name") : found.message;
  };
}

/** What is wrong with the form as a whole; the first field that is wrong gets the keyboard. */
export function FormTrouble({ error }: { error: unknown }) {
  const { t } = useTexts("organizer");
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) ref.current?.closest("form")?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  }, [error]);
  const isAtFields = error instanceof ApiProblem && (listed(error).length > 0 || error.code in FIELD_OF_CODE);
  return (
    <div ref={ref} className={style.trouble}>
      {isAtFields && <p className={style.look}>{t("settings.lookAtFields")}</p>}
      {Boolean(error) && !isAtFields && <Trouble error={error} />}
    </div>
  );
}

function listed({ problem }: ApiProblem): { field: string; message: string }[] {
  return Array.isArray(problem.errors) ? problem.errors : [];
}
