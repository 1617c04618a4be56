/** Parts of one page, each with an address of its own. */

import { createLink, useLocation } from "@tanstack/react-router";
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useLayoutEffect, useRef } from "react";
import style from "./tabs.module.css";

export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  const bar = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // On a phone the bar is wider than the page: where one is must be seen.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab changes with the address.
  useLayoutEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (bar.current && current)
      bar.current.scrollLeft = current.offsetLeft - (bar.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav ref={bar} aria-label={label} className={style.bar}>
      {children}
    </nav>
  );
}

function TabAnchor(props: AnchorHTMLAttributes<HTMLAnchorElement> & { ref?: Ref<HTMLAnchorElement> }) {
  return (
    <a {...props} className={style.tab}>
      {props.children}
    </a>
  );
}

export const TabLink = createLink(TabAnchor);
