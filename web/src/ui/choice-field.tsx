/** One of a few ways, each with a sentence on what it means; all of them in sight. */

import { type ReactNode, useId } from "react";
import style from "./choice-field.module.css";

type ChoiceFieldProps<Value extends string> = {
  label: ReactNode;
  value: Value;
  choices: { value: Value; name: ReactNode; about?: ReactNode }[];
  onChoose: (value: Value) => void;
  error?: ReactNode;
};

export function ChoiceField<Value extends string>({ label, value, choices, onChoose, error }: ChoiceFieldProps<Value>) {
  const id = useId();
  return (
    <fieldset className={style.choices} aria-describedby={error ? `${id}-error` : undefined}>
      <legend className={style.legend}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={style.choice}>
          <input
            type="radio"
            name={id}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
            aria-invalid={error ? true : undefined}
          />
          <span className={style.name}>{choice.name}</span>
          {choice.about && <span className={style.about}>{choice.about}</span>}
        </label>
      ))}
      {error && (
        <p id={`${id}-error`} className={style.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
