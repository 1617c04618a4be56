/** Buttons, and links that look like them: one main action a page, the rest quieter. */

import { createLink } from "@tanstack/react-router";
import { LoaderCircle } from "lucide-react";
import type { AnchorHTMLAttributes, ButtonHTMLAttributes, ReactNode, Ref } from "react";
import style from "./button.module.css";
import { classes } from "./classes.ts";

type Look = {
  /** `main` is the one thing to do here; `danger` can't be undone. */
  look?: "main" | "plain" | "quiet" | "danger" | undefined;
  size?: "small" | "medium" | "large" | undefined;
  icon?: ReactNode;
  wide?: boolean | undefined;
};

type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> &
  Look & {
    /** Shows that it works, and takes no second click. */
    busy?: boolean | undefined;
    ref?: Ref<HTMLButtonElement>;
  };

export function Button({ look, size, icon, wide, busy, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classes(lookOf({ look, size, wide }), className)}
      aria-disabled={busy || rest["aria-disabled"]}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? <LoaderCircle className={style.spinner} aria-hidden /> : icon}
      {children}
    </button>
  );
}

/** `label` is what a screen reader says and what hovering shows. */
export function IconButton({
  label,
  children,
  className,
  ...rest
}: Omit<ButtonProps, "icon"> & { label: string; children: ReactNode }) {
  return (
    <Button look="quiet" {...rest} aria-label={label} title={label} className={classes(style.icon, className)}>
      {children}
    </Button>
  );
}

type AnchorProps = AnchorHTMLAttributes<HTMLAnchorElement> & Look & { ref?: Ref<HTMLAnchorElement> };

/** For addresses outside the pages: downloads, other sites. */
export function ButtonAnchor({ look, size, icon, wide, children, className, ...rest }: AnchorProps) {
  return (
    <a {...rest} className={classes(lookOf({ look, size, wide }), className)}>
      {icon}
      {children}
    </a>
  );
}

/** For other pages of ours. */
export const ButtonLink = createLink(ButtonAnchor);

function lookOf({ look = "plain", size = "medium", wide }: Look): string {
  return classes(style.button, style[look], style[size], wide && style.wide);
}
