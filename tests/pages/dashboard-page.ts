/** How tests read the dashboard and answer its questions. */

import type { Locator, Page } from "playwright-core";
import { until } from "./dashboard-scene.ts";

/** The number beside its label. */
const figure = (page: Page, label: string): Locator =>
  page
    .locator("dl > div")
    .filter({ has: page.locator("dt", { hasText: new RegExp(`^${label}$`) }) })
    .locator("dd")
    .first();

export const showsFigure = (page: Page, label: string, value: string) =>
  until(async () => (await figure(page, label).textContent()) === value);

/** Short notes at the edge of the page are dialogs too, but leave the page as it is. */
export const dialog = (page: Page) => page.locator('[role="alertdialog"], [role="dialog"]:not([aria-modal="false"])');

/** Presses a button, reads what it asks, and says yes. */
export async function confirm(page: Page, button: string, question: RegExp, answer = button): Promise<void> {
  await page.getByRole("button", { name: button, exact: true }).click();
  await dialog(page).getByText(question).waitFor();
  await dialog(page).getByRole("button", { name: answer, exact: true }).click();
  await dialog(page).waitFor({ state: "detached" });
}
