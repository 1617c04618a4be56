/** The inside of a page: its width, its heading, and the document's title. */

import { type ReactNode, useEffect } from "react";
import { classes } from "./classes.ts";
import style from "./page.module.css";

type PageProps = {
  /** Also the document's title. */
  title: string;
  /** Shown in place of the title as heading, where the heading is more than words; `null` when the page has its own h1. */
  heading?: ReactNode;
  /** A line above the heading: where this is. */
  over?: ReactNode;
  /** A sentence below the heading. */
  lead?: ReactNode;
  actions?: ReactNode;
  width?: "text" | "page" | "full";
  children: ReactNode;
};

export function Page({ title, heading, over, lead, actions, width = "page", children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · SnapRace`;
  }, [title]);
  return (
    <main id="main" tabIndex={-1} className={classes(style.page, style[width])}>
      {heading !== null && (
        <div className={style.top}>
          <div className={style.words}>
            {over && <p className={style.over}>{over}</p>}
            <h1>{heading ?? title}</h1>
            {lead && <p className={style.lead}>{lead}</p>}
          </div>
          {actions && <div className={style.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </main>
  );
}

/** A part of a page with a heading of its own. */
export function Section({
  title,
  actions,
  children,
  className,
}: {
  title: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}) {
  return (
    <section className={classes(style.section, className)}>
      <div className={style.sectionTop}>
        <h2>{title}</h2>
        {actions && <div className={style.actions}>{actions}</div>}
      </div>
      {children}
    </section>
  );
}
