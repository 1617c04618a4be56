/** Shows a short note at the edge of the page. What draws it is loaded with the first one. */

import { createElement, lazy, type ReactNode, Suspense, useSyncExternalStore } from "react";

const ToastList = lazy(() => import("./toast-list.tsx").then((file) => ({ default: file.ToastList })));

const listeners = new Set<() => void>();
let isWanted = false;

export function toast(title: ReactNode, { tone = "good" }: { tone?: "good" | "bad" } = {}): void {
  isWanted = true;
  for (const listen of listeners) listen();
  void import("./toast-list.tsx").then((file) => file.addToast(title, tone));
}

export function LazyToasts() {
  const wanted = useSyncExternalStore(
    (listen) => {
      listeners.add(listen);
      return () => listeners.delete(listen);
    },
    () => isWanted,
  );
  return wanted ? createElement(Suspense, { fallback: null }, createElement(ToastList)) : null;
}
