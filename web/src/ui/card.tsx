/** A sheet that holds things that belong together. */

import type { HTMLAttributes } from "react";
import style from "./card.module.css";
import { classes } from "./classes.ts";

type CardProps = HTMLAttributes<HTMLElement> & {
  as?: "div" | "section" | "article" | "li" | "form" | undefined;
  tight?: boolean;
};

export function Card({ as: Tag = "div", tight, className, ...rest }: CardProps) {
  return <Tag {...(rest as object)} className={classes(style.card, tight && style.tight, className)} />;
}
