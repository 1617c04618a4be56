/** Debian's Chromium, driven the way a person would: a fresh profile, one page, screenshots kept to look at. */

import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

const executablePath = "/usr/bin/chromium";
const output = fileURLToPath(new URL("../../test-output/", import.meta.url));

export const SCREENS = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
};

/** Playwright gives each launch a new profile folder and removes it at the end. */
export async function openBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) {
    throw new Error(`There is no ${executablePath}. Run: apt-get install -y chromium`);
  }
  return chromium.launch({
    executablePath,
    // Chromium's sandbox needs rights that containers do not give; the tests open only pages of our own.
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** What a page complained about: scripts that threw, resources that were refused or missing. */
export function collectComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return complaints;
}

export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await mkdir(output, { recursive: true });
  await page.screenshot({ path: `${output}${name}.png`, fullPage: true });
}
