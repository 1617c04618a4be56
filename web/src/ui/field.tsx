/** A labelled input, with a hint and what is wrong with it, tied together for screen readers. */

import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import { classes } from "./classes.ts";
import style from "./field.module.css";

type About = {
  label: ReactNode;
  hint?: ReactNode;
  error?: ReactNode;
  /** What the server says of the value it was sent: shown as long as that stays. */
  refused?: ReactNode;
  /** Where the eye has it already, as in a table: only screen readers get it. */
  hideLabel?: boolean | undefined;
};
type Wiring = { id: string; "aria-describedby": string | undefined; "aria-invalid": true | undefined };

type FrameProps = About & { value: unknown; children: (wiring: Wiring) => ReactNode };

function Frame({ label, hint, error: known, refused, value, hideLabel, children }: FrameProps) {
  const id = useId();
  const stillRefused = useUnchanged(refused, value);
  const error = known ?? stillRefused;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return (
    <div className={style.field}>
      <label htmlFor={id} className={classes(hideLabel && style.hidden)}>
        {label}
      </label>
      {children({ id, "aria-describedby": described || undefined, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className={style.hint}>
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={style.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}

/** Nothing once the value is another one than when it came. */
function useUnchanged(refused: ReactNode, value: unknown): ReactNode {
  const isRefused = Boolean(refused);
  const [came, setCame] = useState({ isRefused, value });
  if (came.isRefused !== isRefused) setCame({ isRefused, value });
  return value === came.value ? refused : undefined;
}

export function TextField({
  label,
  hint,
  error,
  refused,
  hideLabel,
  figures,
  className,
  ...rest
}: About & InputHTMLAttributes<HTMLInputElement> & { /** For codes, bibs and times. */ figures?: boolean }) {
  return (
    <Frame {...{ label, hint, error, refused, hideLabel, value: rest.value }}>
      {(wiring) => (
        <input {...rest} {...wiring} className={classes(style.input, figures && style.figures, className)} />
      )}
    </Frame>
  );
}

export function TextArea({
  label,
  hint,
  error,
  refused,
  hideLabel,
  className,
  ...rest
}: About & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return (
    <Frame {...{ label, hint, error, refused, hideLabel, value: rest.value }}>
      {(wiring) => <textarea rows={4} {...rest} {...wiring} className={classes(style.input, style.area, className)} />}
    </Frame>
  );
}

/** The system's own list, which phones show best. */
export function SelectField({
  label,
  hint,
  error,
  refused,
  hideLabel,
  className,
  ...rest
}: About & SelectHTMLAttributes<HTMLSelectElement>) {
  return (
    <Frame {...{ label, hint, error, refused, hideLabel, value: rest.value }}>
      {(wiring) => <select {...rest} {...wiring} className={classes(style.input, style.select, className)} />}
    </Frame>
  );
}

export function CheckField({ label, hint, ...rest }: About & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <div className={style.check}>
      <input {...rest} id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} />
      <label htmlFor={id}>{label}</label>
      {hint && (
        <p id={`${id}-hint`} className={style.hint}>
          {hint}
        </p>
      )}
    </div>
  );
}

type ChoiceProps<Value extends string> = {
  label: ReactNode;
  value: Value;
  choices: { value: Value; name: ReactNode; hint?: ReactNode }[];
  onChoose: (value: Value) => void;
};

/** A few choices, all of them seen at once. */
export function ChoiceField<Value extends string>({ label, value, choices, onChoose }: ChoiceProps<Value>) {
  const id = useId();
  return (
    <fieldset className={style.choices}>
      <legend>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={style.choice}>
          <input
            type="radio"
            name={id}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          <span>
            {choice.name}
            {choice.hint && <span className={style.hint}>{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
